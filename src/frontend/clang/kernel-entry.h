// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry function of a kernel: it takes each C++ parameter as PTX does (a
// scalar, or its bytes behind a pointer) and calls the kernel's body as the
// host's calling convention wants, which is what clang's CodeGen emitted.

#ifndef TESSERA_FRONTEND_CLANG_KERNEL_ENTRY_H
#define TESSERA_FRONTEND_CLANG_KERNEL_ENTRY_H

#include "frontend/clang/device-codegen.h"

namespace clang {
class CodeGenerator;
}

namespace tessera::frontend {

/// Names every kernel's symbol, adds its entry to the module of `generator`
/// and makes everything else internal. A kernel at global scope that is no
/// template and is not overloaded keeps its name; the others get their mangled
/// one.
void addKernelEntries(clang::CodeGenerator &generator,
                      std::vector<KernelDecl> &kernels);

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_KERNEL_ENTRY_H
