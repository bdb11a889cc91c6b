// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/loaded-module.h"

#include "runtime/trap-message.h"

#include <atomic>
#include <cstring>
#include <new>
#include <utility>

namespace tessera::runtime {
namespace {

Failure noVariant(const image::Image &image, const DeviceState &device) {
  std::string has;
  for (const image::Variant &variant : image.variants)
    has += (has.empty() ? "" : ", ") + variant.arch.str();
  return {.kind = error_kind::invalid_module,
          .api = "tessera::launch",
          .message = "device " + device.id + " needs code for " +
                     device.backend().arch().str() +
                     " or an earlier architecture, and the image of '" +
                     image.source + "' has " +
                     (has.empty() ? "none" : "only " + has)};
}

} // namespace

Result<std::shared_ptr<LoadedModule>>
LoadedModule::load(DeviceState &device,
                   std::shared_ptr<const image::Image> image) {
  const image::Variant *variant = device.backend().selectVariant(*image);
  if (!variant)
    return std::unexpected(noVariant(*image, device));
  auto backend = device.backend().load(variant->ptx);
  if (!backend)
    return std::unexpected(std::move(backend).error());
  auto module = std::make_shared<LoadedModule>(Key{}, device, std::move(image),
                                               *std::move(backend));
  if (auto ready = module->prepareTraps(); !ready)
    return std::unexpected(std::move(ready).error());
  device.enlist(*module);
  return module;
}

LoadedModule::LoadedModule(Key, DeviceState &device,
                           std::shared_ptr<const image::Image> image,
                           std::unique_ptr<ModuleBackend> module)
    : device(device), image(std::move(image)), module(std::move(module)) {}

LoadedModule::~LoadedModule() {
  device.dismiss(*this);
  module.reset();
  if (record.host)
    (void)device.backend().freeHost(record);
}

Result<void> LoadedModule::prepareTraps() {
  auto variable = module->global(std::string(image::trapStateSymbol));
  if (!variable)
    return std::unexpected(std::move(variable).error());
  if (!*variable)
    return {};
  if ((*variable)->bytes != sizeof(image::TrapState))
    return fail(error_kind::invalid_module, "tessera::launch",
                "the variable " + std::string(image::trapStateSymbol) +
                    " has not the size that this runtime knows");
  auto memory = device.backend().allocateHost(sizeof(image::TrapRecord));
  if (!memory)
    return std::unexpected(std::move(memory).error());
  record = *memory;
  new (record.host) image::TrapRecord;
  stateVariable = *variable;
  return writeTrapState();
}

Result<void> LoadedModule::writeTrapState() {
  const image::TrapState state{.record = record.device};
  return device.backend().write(stateVariable->address,
                                std::as_bytes(std::span(&state, 1)));
}

std::optional<std::string> LoadedModule::takeTrap(const image::Kernel *kernel) {
  if (!record.host)
    return std::nullopt;
  // The device writes `valid` last; this reads it first.
  auto *shared = static_cast<image::TrapRecord *>(record.host);
  if (std::atomic_ref(shared->valid).load(std::memory_order_acquire) != 1)
    return std::nullopt;
  const image::TrapRecord taken = *shared;
  *shared = {};
  // Where the trap cost the device, there is no next launch to prepare for.
  (void)writeTrapState();
  return describeTrap(*image, taken, kernel);
}

} // namespace tessera::runtime
