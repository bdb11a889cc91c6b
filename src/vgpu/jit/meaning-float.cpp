// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/meaning-visitor.h"

using namespace tessera::vgpu;
namespace semantics = tessera::ptx::semantics;

bool jit::applyFloat(const ptx::Mnemonic &mnemonic, Application &application) {
  return semantics::dispatchFloat(mnemonic,
                                  unsigned(application.sources.size()),
                                  ApplyVisitor(application));
}
