// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device in use: its backend, the modules loaded on it, and whether it still
// works.

#ifndef TESSERA_RUNTIME_DEVICE_STATE_H
#define TESSERA_RUNTIME_DEVICE_STATE_H

#include "runtime/hal.h"

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace tessera::runtime {

class LoadedModule;

/// Lives as long as the process. Thread-safe.
class DeviceState {
public:
  DeviceState(std::string id, std::unique_ptr<DeviceBackend> backend);
  ~DeviceState();

  const std::string id; ///< "cuda:0"
  [[nodiscard]] DeviceBackend &backend() { return *device; }
  [[nodiscard]] const DeviceBackend &backend() const { return *device; }

  /// The image's module; loaded at the first call for this image.
  [[nodiscard]] Result<LoadedModule *>
  moduleOf(const std::shared_ptr<const image::Image> &image);

  /// The failure with what is known about it: the trap that a kernel of a
  /// module of this device recorded, or that the device was lost before.
  [[nodiscard]] Failure explain(Failure failure);
  /// Whether a failure has been explained after which the device is useless.
  [[nodiscard]] bool isLost() const;

  /// Modules whose trap records `explain` reads.
  void enlist(LoadedModule &module);
  void dismiss(LoadedModule &module);

  /// Held by launches that run within the call, so that a trap record belongs
  /// to the launch that has just failed.
  std::mutex launching;

private:
  [[nodiscard]] std::optional<std::string> findTrap();

  const std::unique_ptr<DeviceBackend> device;
  mutable std::mutex mutex; ///< of the next two
  std::set<LoadedModule *> loaded;
  std::optional<std::string> loss; ///< the message of the first lost device
  std::shared_mutex modulesMutex;
  /// Last, for modules dismiss themselves.
  std::unordered_map<const image::Image *, std::shared_ptr<LoadedModule>>
      modules;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_DEVICE_STATE_H
