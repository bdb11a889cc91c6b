// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DIALECT_MIR_TRANSFORMS_PASSES_TD
#define TESSERA_DIALECT_MIR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def MirEliminateBoundsChecksPass : Pass<"mir-eliminate-bounds-checks"> {
  let summary = "Remove checks that are known to hold";
  let description = [{
    Marks `mir.index_addr` and `mir.subslice` as `in_bounds` and removes
    `mir.bounds_check` and `mir.assert` where their conditions follow from

    - constants and the ranges of values: masks, remainders, shifts, extensions,
      thread indices of kernels with a known block shape;
    - conditions of branches that control has passed, and conjunctions of them;
    - earlier checks, asserts and assumptions that dominate them;
    - induction variables that only grow (or only shrink) without wrapping.

    Values are compared by identity: run `cse` before.
  }];
  let statistics = [
    Statistic<"numRemoved", "removed", "Checks that are known to hold">,
    Statistic<"numKept", "kept", "Checks that stay">
  ];
}

def MirSroaPass : Pass<"mir-sroa"> {
  let summary = "Split allocations of aggregates whose address stays known";
  let description = [{
    Upstream's `sroa` (LLVM 22) takes an address of an element that is stored
    somewhere for a safe access to that element, and shrinks an array to its
    first element although the stored address is then used to walk over all of
    it. This pass gives upstream's rewriting only those allocations whose
    addresses are used for loads, stores to them, constant offsets, copies and
    lifetime markers, and nothing else.
  }];
}

#endif // TESSERA_DIALECT_MIR_TRANSFORMS_PASSES_TD
