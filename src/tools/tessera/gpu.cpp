// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/gpu.h"

#include <tessera/device.h>
#include <tessera/error.h>

namespace tessera::driver {

Result<Gpu> findGpu() {
  try {
    device_properties properties = device::cuda(0).properties();
    unsigned version = properties.driver_version;
    return Gpu{
        .name = properties.name,
        .capability = static_cast<int>(properties.compute_major * 10 +
                                       properties.compute_minor),
        .driverVersion = std::to_string(version / 1000) + "." +
                         std::to_string(version % 1000 / 10),
    };
  } catch (const tessera::error &failure) {
    return fail(failure.message());
  }
}

} // namespace tessera::driver
