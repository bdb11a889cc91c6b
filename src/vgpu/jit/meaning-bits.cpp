// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/meaning-visitor.h"

using namespace tessera::vgpu;
namespace semantics = tessera::ptx::semantics;

bool jit::applyBits(const ptx::Mnemonic &mnemonic, Application &application) {
  return semantics::dispatchBits(mnemonic, ApplyVisitor(application));
}

bool jit::applyMove(const ptx::Mnemonic &mnemonic, Application &application) {
  return semantics::dispatchMove(mnemonic, application.resultCount,
                                 unsigned(application.sources.size()),
                                 ApplyVisitor(application));
}
