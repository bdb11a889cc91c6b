// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA GPUs through their driver.

#ifndef TESSERA_RUNTIME_CUDA_CUDA_DEVICE_H
#define TESSERA_RUNTIME_CUDA_CUDA_DEVICE_H

#include "runtime/cuda/driver.h"
#include "runtime/hal.h"

#include <memory>
#include <vector>

namespace tessera::runtime::cuda {

/// All GPUs, in the driver's order; a failure where there is none. No context
/// is made yet.
[[nodiscard]] Result<std::vector<std::unique_ptr<DeviceBackend>>>
findDevices(const std::shared_ptr<const Driver> &driver);

} // namespace tessera::runtime::cuda

#endif // TESSERA_RUNTIME_CUDA_CUDA_DEVICE_H
