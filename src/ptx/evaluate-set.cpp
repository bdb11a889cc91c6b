// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/warp-function.h"

using namespace tessera::ptx;

FunctionInfo tessera::ptx::setFunction(const Mnemonic &mnemonic) {
  FunctionInfo info;
  semantics::dispatchSet(mnemonic, detail::TakeFunction{info});
  return info;
}
