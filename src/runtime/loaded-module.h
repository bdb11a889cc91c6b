// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image on a device.

#ifndef TESSERA_RUNTIME_LOADED_MODULE_H
#define TESSERA_RUNTIME_LOADED_MODULE_H

#include "runtime/device-state.h"
#include "runtime/hal.h"

#include <memory>
#include <optional>
#include <string>

namespace tessera::runtime {

/// Thread-safe. The destructor unloads.
class LoadedModule {
  struct Key {};

public:
  /// Loads the image's best variant for the device and gives its code a trap
  /// record in memory that the host sees.
  [[nodiscard]] static Result<std::shared_ptr<LoadedModule>>
  load(DeviceState &device, std::shared_ptr<const image::Image> image);

  LoadedModule(Key, DeviceState &device,
               std::shared_ptr<const image::Image> image,
               std::unique_ptr<ModuleBackend> module);
  ~LoadedModule();

  [[nodiscard]] ModuleBackend &backend() { return *module; }

  /// What a failed check of this module's kernels recorded, in words, once.
  /// `kernel` is the one that ran, where the caller knows.
  [[nodiscard]] std::optional<std::string>
  takeTrap(const image::Kernel *kernel = nullptr);

  DeviceState &device;
  const std::shared_ptr<const image::Image> image;

private:
  [[nodiscard]] Result<void> prepareTraps();
  [[nodiscard]] Result<void> writeTrapState();

  std::unique_ptr<ModuleBackend> module;
  HostMemory record;                   ///< of a TrapRecord, or null
  std::optional<Region> stateVariable; ///< of the TrapState
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_LOADED_MODULE_H
