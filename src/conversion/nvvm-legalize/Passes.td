// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_NVVMLEGALIZE_PASSES_TD
#define TESSERA_CONVERSION_NVVMLEGALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def NVVMLegalizeAtomicsPass : Pass<"nvvm-legalize-atomics"> {
  let summary = "Say the ordering of read-modify-write atomics by fences";
  let description = [{
    LLVM 22's NVPTX back end prints `llvm.atomicrmw` as a plain, relaxed `atom`
    whatever its ordering is. This pass puts the fences around it that the
    ordering stands for, of the same synchronisation scope, and makes the op
    itself relaxed:

    | ordering  | before          | after          |
    |-----------|-----------------|----------------|
    | acquire   |                 | fence acquire  |
    | release   | fence release   |                |
    | acq_rel   | fence release   | fence acquire  |
    | seq_cst   | fence seq_cst   | fence acquire  |

    The mapping is that of the PTX memory model for C++ (Lustig et al., "A
    Formal Analysis of the NVIDIA PTX Memory Consistency Model", ASPLOS 2019).
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TESSERA_CONVERSION_NVVMLEGALIZE_PASSES_TD
