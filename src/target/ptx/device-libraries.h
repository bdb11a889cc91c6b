// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What device code calls without defining it. Mathematics: an intrinsic where
// NVPTX has one, else libclc's code for nvptx64. Strings and complex numbers:
// our own device library, whose bitcode is part of the compiler. Only what is
// needed is linked, and it becomes internal.

#ifndef TESSERA_TARGET_PTX_DEVICE_LIBRARIES_H
#define TESSERA_TARGET_PTX_DEVICE_LIBRARIES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace tessera::target {

/// Resolves the declared library functions of `module`. `mathLibraryPath` is
/// libclc's bitcode; it is read only when a function of it is needed. Fails
/// when that file is missing, is no bitcode, or lacks a function.
llvm::Error linkDeviceLibraries(llvm::Module &module,
                                llvm::StringRef mathLibraryPath);

} // namespace tessera::target

#endif // TESSERA_TARGET_PTX_DEVICE_LIBRARIES_H
