// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DIALECT_MIR_TRANSFORMS_PASSES_H
#define TESSERA_DIALECT_MIR_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tessera::mir {

#define GEN_PASS_DECL
#include "dialect/mir/transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialect/mir/transforms/Passes.h.inc"

} // namespace tessera::mir

#endif // TESSERA_DIALECT_MIR_TRANSFORMS_PASSES_H
