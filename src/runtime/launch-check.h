// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds a launch against the kernel's table before anything runs.

#ifndef TESSERA_RUNTIME_LAUNCH_CHECK_H
#define TESSERA_RUNTIME_LAUNCH_CHECK_H

#include "runtime/hal.h"

#include <tessera/launch.h>

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::runtime {

/// Grid, block and cluster of the launch, within what the kernel and the device
/// allow. Some extent of the grid is 0 where the launch has no threads.
[[nodiscard]] Result<LaunchShape> checkShape(const image::Kernel &kernel,
                                             const launch_config &config,
                                             const device_properties &device);

/// The parameter block, from arguments whose number, kinds and sizes are those
/// of the table and whose buffers are of `device`.
[[nodiscard]] Result<std::vector<std::byte>>
packArguments(const image::Kernel &kernel,
              std::span<const detail::argument> arguments,
              const DeviceState &device);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_LAUNCH_CHECK_H
