// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel's declaration to its line in the kernel table.

#ifndef TESSERA_FRONTEND_CLANG_KERNEL_SIGNATURE_H
#define TESSERA_FRONTEND_CLANG_KERNEL_SIGNATURE_H

#include "frontend/llvm/kernel-description.h"
#include <optional>

namespace clang {
class DiagnosticsEngine;
class FunctionDecl;
class SourceLocation;
class SourceManager;
} // namespace clang

namespace tessera::frontend {

/// Checks the signature and launch attributes of `kernel` and describes them.
/// Reports every fault at its parameter and returns nothing then. The symbol
/// is left empty: names are given when all kernels are known.
std::optional<KernelDescription>
describeKernel(const clang::FunctionDecl &kernel,
               clang::DiagnosticsEngine &diagnostics);

/// A place as the image and the runtime's messages name it (macros expanded
/// where they were written).
image::SourceLocation describeLocation(clang::SourceLocation location,
                                       const clang::SourceManager &sources);

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_KERNEL_SIGNATURE_H
