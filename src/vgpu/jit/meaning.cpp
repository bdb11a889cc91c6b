// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/meaning.h"

using namespace tessera::vgpu;
using tessera::ptx::Opcode;

namespace {

bool apply(const tessera::ptx::Mnemonic &mnemonic,
           jit::Application &application) {
  switch (mnemonic.opcode) {
  case Opcode::mov:
    return jit::applyMove(mnemonic, application);
  case Opcode::setp:
    return jit::applySetp(mnemonic, application);
  case Opcode::set:
    return jit::applySet(mnemonic, application);
  case Opcode::cvt:
  case Opcode::cvt_pack:
    return jit::applyConvert(mnemonic, application);
  default:
    return jit::applyInteger(mnemonic, application) ||
           jit::applyBits(mnemonic, application) ||
           jit::applyFloat(mnemonic, application);
  }
}

} // namespace

bool jit::applyMeaning(const ptx::Mnemonic &mnemonic,
                       Application &application) {
  return apply(mnemonic, application) && application.domain.isExpressible &&
         !application.results.empty();
}
