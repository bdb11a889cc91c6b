// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primary context of a GPU, which other users of the driver in the process
// share with us.

#ifndef TESSERA_RUNTIME_CUDA_CONTEXT_H
#define TESSERA_RUNTIME_CUDA_CONTEXT_H

#include "runtime/cuda/driver.h"

#include <concepts>
#include <memory>
#include <mutex>

namespace tessera::runtime::cuda {

/// Retained at the first call and never released: it dies with the process, as
/// the static objects that may still use it do. Thread-safe.
class Context {
public:
  Context(std::shared_ptr<const Driver> driver, CUdevice device)
      : driver(std::move(driver)), device(device) {}

  /// Calls `function(driver)` with the context current to this thread; what
  /// was current before is so again afterwards. `api` names the driver's
  /// function for the failure.
  template <std::invocable<const Driver &> F>
  [[nodiscard]] Result<void> call(const char *api, F function) {
    if (auto ready = enter(); !ready)
      return ready;
    const CUresult status = function(*driver);
    Result<void> result = driver->check(api, status);
    CUcontext ours;
    driver->cuCtxPopCurrent(&ours);
    return result;
  }

  const std::shared_ptr<const Driver> driver;

private:
  [[nodiscard]] Result<void> enter();

  const CUdevice device;
  std::mutex mutex;
  CUcontext context = nullptr;
};

} // namespace tessera::runtime::cuda

#endif // TESSERA_RUNTIME_CUDA_CONTEXT_H
