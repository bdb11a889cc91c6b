// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's mathematics functions on the device: an intrinsic where NVPTX has one,
// else libclc's code for nvptx64, linked in and made internal.

#ifndef TESSERA_TARGET_PTX_MATH_LIBRARY_H
#define TESSERA_TARGET_PTX_MATH_LIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace tessera::target {

/// Resolves every declared mathematics function of `module`. `libraryPath` is
/// libclc's bitcode; it is read only when a function of it is needed. Fails
/// when the file is missing, is no bitcode, or lacks a function.
llvm::Error linkMathLibrary(llvm::Module &module, llvm::StringRef libraryPath);

} // namespace tessera::target

#endif // TESSERA_TARGET_PTX_MATH_LIBRARY_H
