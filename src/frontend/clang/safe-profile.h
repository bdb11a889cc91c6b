// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The safe profile (`-ftessera-safe`): device code of the user touches memory
// through spans only, whose accesses are checked. Whatever could step around
// the checks is allowed in functions marked `[[tessera::unsafe]]` alone.

#ifndef TESSERA_FRONTEND_CLANG_SAFE_PROFILE_H
#define TESSERA_FRONTEND_CLANG_SAFE_PROFILE_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class CompilerInstance;
class Decl;
} // namespace clang

namespace tessera::frontend {

/// Checks the functions among `reached`, the declarations that the kernels
/// reach. Functions of system headers and of Tessera's own headers are trusted.
/// Refused: kernel parameters that are raw pointers, pointer arithmetic,
/// subscripts of pointers and (with an index that is no constant) of arrays,
/// casts that make pointers, and dereferences of pointers other than `this` and
/// what `disjoint_span::at` returned. Reports each at its place; true when
/// there is none.
bool checkSafeProfile(clang::CompilerInstance &compiler,
                      llvm::ArrayRef<const clang::Decl *> reached);

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_SAFE_PROFILE_H
