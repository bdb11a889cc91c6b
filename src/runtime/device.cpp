// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tessera/device.h>

#include "runtime/device-table.h"

namespace tessera {

using runtime::DeviceTable;
using runtime::valueOrRaise;

device device::best(std::source_location where) {
  return device(*valueOrRaise(DeviceTable::process().best(), where));
}

device device::cuda(unsigned index, std::source_location where) {
  return from_name("cuda:" + std::to_string(index), where);
}

device device::vgpu(unsigned index, std::source_location where) {
  return from_name("vgpu:" + std::to_string(index), where);
}

device device::from_name(std::string_view id, std::source_location where) {
  return device(*valueOrRaise(DeviceTable::process().find(id), where));
}

std::vector<device> device::all() {
  std::vector<device> result;
  for (runtime::DeviceState *state : DeviceTable::process().all())
    result.emplace_back(*state);
  return result;
}

const std::string &device::id() const noexcept { return state_->id; }

const std::string &device::name() const noexcept { return properties().name; }

std::string device::arch() const {
  return image::Arch{state_->backend().arch().sm, '\0'}.str();
}

device_kind device::kind() const noexcept { return state_->backend().kind(); }

std::uint64_t device::total_memory() const noexcept {
  return properties().total_memory;
}

const device_properties &device::properties() const noexcept {
  return state_->backend().properties();
}

} // namespace tessera
