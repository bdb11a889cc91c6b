// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_MIRTOLLVM_TRAPSITES_H
#define TESSERA_CONVERSION_MIRTOLLVM_TRAPSITES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tessera {

/// The module's attribute with all trap sites; see the pass's description.
inline constexpr llvm::StringLiteral trapSitesAttrName = "mir.trap_sites";

/// Numbers the ops of `module` that can trap in the order in which they stand
/// there, leaves its number on each, and sets `trapSitesAttrName` when there
/// are any. Returns how many there are.
std::int32_t numberTrapSites(mlir::ModuleOp module);

/// The number that `numberTrapSites` gave to `op`; nothing when `op` cannot
/// trap.
[[nodiscard]] std::optional<std::int32_t> getTrapSite(mlir::Operation *op);

} // namespace tessera

#endif // TESSERA_CONVERSION_MIRTOLLVM_TRAPSITES_H
