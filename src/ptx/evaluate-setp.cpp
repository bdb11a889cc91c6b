// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/warp-function.h"

using namespace tessera::ptx;

FunctionInfo tessera::ptx::setpFunction(const Mnemonic &mnemonic) {
  FunctionInfo info;
  semantics::dispatchSetp(mnemonic, detail::TakeFunction{info});
  return info;
}
