// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DIALECT_REGISTER_H
#define TESSERA_DIALECT_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tessera {

/// Registers our dialects, the upstream ones that they are used with, and the
/// interfaces by which the inliner understands them.
void registerAllDialects(mlir::DialectRegistry &registry);

} // namespace tessera

#endif // TESSERA_DIALECT_REGISTER_H
