// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The virtual GPU as a device of the runtime.

#ifndef TESSERA_RUNTIME_VGPU_VGPU_DEVICE_H
#define TESSERA_RUNTIME_VGPU_VGPU_DEVICE_H

#include "runtime/hal.h"
#include "vgpu/vgpu.h"

#include <memory>

namespace tessera::runtime {

/// Streams execute at once and in order. What a kernel does wrong is a deferred
/// failure of its launch.
[[nodiscard]] std::unique_ptr<DeviceBackend>
makeVirtualDevice(vgpu::Options options = {});

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_VGPU_VGPU_DEVICE_H
