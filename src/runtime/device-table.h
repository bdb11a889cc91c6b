// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices of the machine.

#ifndef TESSERA_RUNTIME_DEVICE_TABLE_H
#define TESSERA_RUNTIME_DEVICE_TABLE_H

#include "runtime/device-state.h"
#include "runtime/options.h"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::runtime {

/// Thread-safe. The driver is looked for when a GPU is first asked for.
class DeviceTable {
public:
  explicit DeviceTable(Options options);

  /// The process's own, by its environment. Never destroyed: objects of static
  /// duration may still free memory of its devices.
  [[nodiscard]] static DeviceTable &process();

  /// See the functions of these names in tessera/device.h.
  [[nodiscard]] Result<DeviceState *> best();
  [[nodiscard]] Result<DeviceState *> find(std::string_view id);
  [[nodiscard]] std::vector<DeviceState *> all();

private:
  /// Finds GPUs, once.
  void findGpus();
  [[nodiscard]] DeviceState &virtualGpu();
  /// "cuda:0 (NVIDIA H200), vgpu:0 (Tessera virtual GPU)"
  [[nodiscard]] std::string list();

  const Options options;
  std::once_flag gpusOnce, virtualOnce, remarkOnce;
  std::vector<std::unique_ptr<DeviceState>> gpus;
  Failure noGpu; ///< why there is none, where there is none
  std::unique_ptr<DeviceState> virtualDevice;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_DEVICE_TABLE_H
