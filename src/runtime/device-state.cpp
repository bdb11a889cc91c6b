// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device-state.h"

#include "runtime/loaded-module.h"

#include <utility>

namespace tessera::runtime {

DeviceState::DeviceState(std::string id, std::unique_ptr<DeviceBackend> backend)
    : id(std::move(id)), device(std::move(backend)) {}

DeviceState::~DeviceState() = default;

Result<LoadedModule *>
DeviceState::moduleOf(const std::shared_ptr<const image::Image> &image) {
  {
    std::shared_lock lock(modulesMutex);
    if (auto found = modules.find(image.get()); found != modules.end())
      return found->second.get();
  }
  std::unique_lock lock(modulesMutex);
  if (auto found = modules.find(image.get()); found != modules.end())
    return found->second.get();
  auto module = LoadedModule::load(*this, image);
  if (!module)
    return std::unexpected(std::move(module).error());
  return modules.emplace(image.get(), *std::move(module)).first->second.get();
}

Failure DeviceState::explain(Failure failure) {
  const bool mayBeTrap = failure.kind == error_kind::trap ||
                         failure.kind == error_kind::device_fault;
  std::lock_guard lock(mutex);
  if (failure.deviceLost && loss) {
    failure.message = "device " + id +
                      " can no longer be used in this process since an earlier "
                      "error: " +
                      *loss;
    return failure;
  }
  if (mayBeTrap)
    if (auto trap = findTrap()) {
      failure.kind = error_kind::trap;
      failure.message = *std::move(trap);
    }
  if (failure.deviceLost)
    loss = failure.message;
  return failure;
}

std::optional<std::string> DeviceState::findTrap() {
  for (LoadedModule *module : loaded)
    if (auto message = module->takeTrap())
      return message;
  return std::nullopt;
}

bool DeviceState::isLost() const {
  std::lock_guard lock(mutex);
  return loss.has_value();
}

void DeviceState::enlist(LoadedModule &module) {
  std::lock_guard lock(mutex);
  loaded.insert(&module);
}

void DeviceState::dismiss(LoadedModule &module) {
  std::lock_guard lock(mutex);
  loaded.erase(&module);
}

} // namespace tessera::runtime
