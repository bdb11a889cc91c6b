// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_MIRTOLLVM_TRAPFUNCTION_H
#define TESSERA_CONVERSION_MIRTOLLVM_TRAPFUNCTION_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace tessera {

/// `void __tessera_trap(i32 site, i64 a, i64 b)`, which never returns.
inline constexpr llvm::StringLiteral trapFunctionName = "__tessera_trap";

/// The device variable through which it reports (`image::TrapState`).
inline constexpr llvm::StringLiteral trapStateName = "__tessera_trap_state";

/// Adds the trap function and its variable to `module`. An error, at the other
/// symbol, when the module has its own use for one of the names.
mlir::LogicalResult addTrapFunction(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_CONVERSION_MIRTOLLVM_TRAPFUNCTION_H
