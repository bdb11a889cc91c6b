// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libtessera-jit.so exports.

#include "vgpu/jit/compiler.h"

using namespace tessera::vgpu;

namespace {

/// Made at the first use, and never destroyed: code may run until the process
/// ends.
llvm::Expected<jit::Compiler *> compiler() {
  static auto *made = new llvm::Expected<std::unique_ptr<jit::Compiler>>(
      jit::Compiler::create());
  if (!*made)
    return llvm::createStringError("no compiler for this processor");
  return (*made)->get();
}

bool compile(const NativeRequest &request, NativeVersion &version,
             std::string &problem) {
  auto found = compiler();
  if (!found) {
    problem = llvm::toString(found.takeError());
    return false;
  }
  auto made = (*found)->compile(request);
  if (!made) {
    problem = llvm::toString(made.takeError());
    return false;
  }
  version = std::move(*made);
  return true;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const NativeLibrary *
tesseraNativeLibrary() {
  static const NativeLibrary library{nativeStamp(), &compile};
  return &library;
}
