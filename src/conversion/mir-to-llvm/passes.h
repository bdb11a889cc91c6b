// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_MIRTOLLVM_PASSES_H
#define TESSERA_CONVERSION_MIRTOLLVM_PASSES_H

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera {

#define GEN_PASS_DECL
#include "conversion/mir-to-llvm/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/mir-to-llvm/Passes.h.inc"

} // namespace tessera

#endif // TESSERA_CONVERSION_MIRTOLLVM_PASSES_H
