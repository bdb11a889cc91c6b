// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_NVVMLEGALIZE_PASSES_H
#define TESSERA_CONVERSION_NVVMLEGALIZE_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace tessera {

#define GEN_PASS_DECL
#include "conversion/nvvm-legalize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/nvvm-legalize/Passes.h.inc"

} // namespace tessera

#endif // TESSERA_CONVERSION_NVVMLEGALIZE_PASSES_H
