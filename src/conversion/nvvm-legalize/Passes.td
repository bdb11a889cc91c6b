// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_NVVMLEGALIZE_PASSES_TD
#define TESSERA_CONVERSION_NVVMLEGALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def NVVMLegalizeAtomicsPass : Pass<"nvvm-legalize-atomics"> {
  let summary = "Say ordering and scope of read-modify-write atomics in other ways";
  let description = [{
    LLVM 22's NVPTX back end prints `llvm.atomicrmw` as a plain `atom`, which is
    relaxed and of device scope, whatever the op's ordering and scope are.

    This pass puts the fences around it that the ordering stands for, of the same
    scope, and makes the op itself relaxed:

    | ordering  | before          | after          |
    |-----------|-----------------|----------------|
    | acquire   |                 | fence acquire  |
    | release   | fence release   |                |
    | acq_rel   | fence release   | fence acquire  |
    | seq_cst   | fence seq_cst   | fence acquire  |

    Ops of system scope (none named) become PTX assembly with `.sys`, or, where
    PTX has no instruction of their width, a loop of compare-and-swap, for which
    the back end keeps the scope. Block scope becomes device scope, which is
    stronger.

    The fences are those of the PTX memory model's mapping from C++ (Lustig et
    al., "A Formal Analysis of the NVIDIA PTX Memory Consistency Model", ASPLOS
    2019).
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TESSERA_CONVERSION_NVVMLEGALIZE_PASSES_TD
