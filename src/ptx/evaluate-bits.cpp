// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/warp-function.h"

using namespace tessera::ptx;

FunctionInfo tessera::ptx::bitsFunction(const Mnemonic &mnemonic) {
  FunctionInfo info;
  semantics::dispatchBits(mnemonic, detail::TakeFunction{info});
  return info;
}

FunctionInfo tessera::ptx::moveFunction(const Mnemonic &mnemonic,
                                        unsigned resultCount,
                                        unsigned sourceCount) {
  FunctionInfo info;
  semantics::dispatchMove(mnemonic, resultCount, sourceCount,
                          detail::TakeFunction{info});
  return info;
}
