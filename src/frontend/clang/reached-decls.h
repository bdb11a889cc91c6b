// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels refer to, found on the tree: which definitions the second
// CodeGen has to emit, and what is wrong with them that the code emitted for
// them would no longer show.

#ifndef TESSERA_FRONTEND_CLANG_REACHED_DECLS_H
#define TESSERA_FRONTEND_CLANG_REACHED_DECLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"

namespace clang {
class Decl;
class DiagnosticsEngine;
class FunctionDecl;
} // namespace clang

namespace tessera::frontend {

using DeclSet = llvm::SmallSetVector<const clang::Decl *, 32>;

/// The functions and variables with a definition that `kernels` refer to,
/// directly or not. It need not be complete: what it misses shows as an
/// undefined symbol in the emitted code.
///
/// Reports the use of run-time type information, and variables in shared or
/// constant memory that cannot be what they say; nothing is returned then.
std::optional<DeclSet>
collectReachedDecls(llvm::ArrayRef<clang::FunctionDecl *> kernels,
                    clang::DiagnosticsEngine &diagnostics);

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_REACHED_DECLS_H
