// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `[[tessera::kernel]]`, `[[tessera::shared]]`, `[[tessera::constant]]` and
// `[[tessera::unsafe]]`. Each becomes an annotation of the same name, so that
// templates, redeclarations and clang's CodeGen carry it along; their handlers
// also collect the kernels, which saves a walk over the whole tree.

#ifndef TESSERA_FRONTEND_CLANG_ATTRIBUTES_H
#define TESSERA_FRONTEND_CLANG_ATTRIBUTES_H

#include <vector>

namespace clang {
class FunctionDecl;
}

namespace tessera::frontend {

/// The functions that carried `[[tessera::kernel]]` in the file being
/// compiled, templates' patterns included, in source order. Cleared by the
/// caller that takes them.
std::vector<clang::FunctionDecl *> takeMarkedKernels();

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_ATTRIBUTES_H
