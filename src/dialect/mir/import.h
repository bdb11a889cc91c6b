// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From calls of annotated functions to ops. A front end finds
// `annotate("tessera.op", "<op>", integers...)` on the callee and calls
// `importAnnotatedCall`; which ops there are and what their calls look like is
// known to the ops alone (CallImportOpInterface).

#ifndef TESSERA_DIALECT_MIR_IMPORT_H
#define TESSERA_DIALECT_MIR_IMPORT_H

#include "dialect/mir/element-code.h"
#include "dialect/mir/mir.h"

#include <cstdint>

namespace tessera::mir {

/// The element type for a code and a size in bytes; null when the code is not
/// known, when the size is not the code's, or when it is not positive.
[[nodiscard]] mlir::Type getElementType(mlir::MLIRContext *context,
                                        std::int64_t code, std::int64_t size);

/// Builds what `call` stands for at the builder's insertion point: the op
/// `opName` of any loaded dialect, with the integers of the annotation. Returns
/// the replacements of the call's results (none for `void`); the caller
/// replaces and erases the call. Unknown ops, ops that calls cannot stand for
/// and calls that do not fit are errors at the call's location.
[[nodiscard]] mlir::FailureOr<llvm::SmallVector<mlir::Value, 1>>
importAnnotatedCall(mlir::OpBuilder &builder, mlir::LLVM::CallOp call,
                    llvm::StringRef opName,
                    llvm::ArrayRef<std::int64_t> annotation);

/// The text of a string literal that `pointer` is the address of; nothing when
/// it is not the address of a constant string. Without the terminating NUL.
[[nodiscard]] std::optional<llvm::StringRef>
getStringLiteral(mlir::Value pointer);

} // namespace tessera::mir

#endif // TESSERA_DIALECT_MIR_IMPORT_H
