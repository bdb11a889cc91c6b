// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/warp-function.h"

using namespace tessera::ptx;

FunctionInfo tessera::ptx::floatFunction(const Mnemonic &mnemonic,
                                         unsigned sourceCount) {
  FunctionInfo info;
  semantics::dispatchFloat(mnemonic, sourceCount, detail::TakeFunction{info});
  return info;
}
