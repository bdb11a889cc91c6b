// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/meaning-visitor.h"

using namespace tessera::vgpu;
namespace semantics = tessera::ptx::semantics;

bool jit::applySetp(const ptx::Mnemonic &mnemonic, Application &application) {
  return semantics::dispatchSetp(mnemonic, ApplyVisitor(application));
}

bool jit::applySet(const ptx::Mnemonic &mnemonic, Application &application) {
  return semantics::dispatchSet(mnemonic, ApplyVisitor(application));
}
