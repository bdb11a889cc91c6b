// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cuda/context.h"

namespace tessera::runtime::cuda {

Result<void> Context::enter() {
  CUcontext retained;
  {
    std::lock_guard lock(mutex);
    if (!context)
      if (auto result =
              driver->check("cuDevicePrimaryCtxRetain",
                            driver->cuDevicePrimaryCtxRetain(&context, device));
          !result)
        return result;
    retained = context;
  }
  return driver->check("cuCtxPushCurrent", driver->cuCtxPushCurrent(retained));
}

} // namespace tessera::runtime::cuda
