// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_MIRTOLLVM_LOWERKERNEL_H
#define TESSERA_CONVERSION_MIRTOLLVM_LOWERKERNEL_H

#include "dialect/mir/mir.h"

namespace tessera {

/// Replaces `kernel` by an `llvm.func` in the same place, with PTX's calling
/// convention for parameters; the body keeps its `mir` ops, save for
/// `mir.return`.
void lowerKernel(mir::KernelOp kernel);

/// What slices of both kinds are in memory and in registers: `{ptr, i64}`.
[[nodiscard]] mlir::LLVM::LLVMStructType
getSliceStruct(mlir::MLIRContext *context);

} // namespace tessera

#endif // TESSERA_CONVERSION_MIRTOLLVM_LOWERKERNEL_H
