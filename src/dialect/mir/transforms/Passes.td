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

#endif // TESSERA_DIALECT_MIR_TRANSFORMS_PASSES_TD
