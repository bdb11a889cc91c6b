// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device-table.h"

#include "runtime/cuda/cuda-device.h"
#include "runtime/vgpu/vgpu-device.h"

#include <charconv>
#include <cstdio>
#include <optional>
#include <utility>

namespace tessera::runtime {
namespace {

/// A device's name taken apart: "cuda:1"; the number may be left out.
struct DeviceId {
  std::string_view kind;
  unsigned index = 0;
};

std::optional<DeviceId> parseId(std::string_view text) {
  const std::size_t colon = text.find(':');
  DeviceId id{text.substr(0, colon)};
  if (id.kind != "cuda" && id.kind != "vgpu")
    return std::nullopt;
  if (colon == std::string_view::npos)
    return id;
  const std::string_view digits = text.substr(colon + 1);
  const char *end = digits.data() + digits.size();
  const auto [stop, status] = std::from_chars(digits.data(), end, id.index);
  if (digits.empty() || status != std::errc() || stop != end)
    return std::nullopt;
  return id;
}

} // namespace

DeviceTable::DeviceTable(Options options) : options(std::move(options)) {}

DeviceTable &DeviceTable::process() {
  static auto *table = new DeviceTable(Options::fromEnvironment());
  return *table;
}

Result<DeviceState *> DeviceTable::best() {
  if (!options.device.empty()) {
    auto chosen = find(options.device);
    if (!chosen)
      chosen.error().message = "TESSERA_DEVICE asks for '" + options.device +
                               "': " + chosen.error().message;
    return chosen;
  }
  findGpus();
  if (!gpus.empty())
    return gpus.front().get();
  std::call_once(remarkOnce, [&] {
    if (!options.quiet)
      std::fprintf(stderr,
                   "tessera: running on the virtual GPU (vgpu:0), because %s\n",
                   noGpu.message.c_str());
  });
  return &virtualGpu();
}

Result<DeviceState *> DeviceTable::find(std::string_view text) {
  const auto id = parseId(text);
  if (id && id->kind == "vgpu" && id->index == 0)
    return &virtualGpu();
  findGpus();
  if (id && id->kind == "cuda" && id->index < gpus.size())
    return gpus[id->index].get();
  std::string message = "there is no device '" + std::string(text) +
                        "'; the devices are: " + list();
  if (gpus.empty())
    message += "; " + noGpu.message;
  Failure failure{.kind = error_kind::no_device,
                  .api = "tessera::device",
                  .message = std::move(message)};
  if (id && id->kind == "cuda" && gpus.empty()) {
    failure.api = noGpu.api;
    failure.code = noGpu.code;
    failure.codeName = noGpu.codeName;
  }
  return std::unexpected(std::move(failure));
}

std::vector<DeviceState *> DeviceTable::all() {
  findGpus();
  std::vector<DeviceState *> result;
  for (const auto &gpu : gpus)
    result.push_back(gpu.get());
  result.push_back(&virtualGpu());
  return result;
}

void DeviceTable::findGpus() {
  std::call_once(gpusOnce, [&] {
    auto driver = cuda::Driver::open(options.cudaLibrary);
    if (!driver) {
      noGpu = std::move(driver).error();
      return;
    }
    auto found = cuda::findDevices(*driver);
    if (!found) {
      noGpu = std::move(found).error();
      return;
    }
    for (auto &backend : *found)
      gpus.push_back(std::make_unique<DeviceState>(
          "cuda:" + std::to_string(gpus.size()), std::move(backend)));
  });
}

DeviceState &DeviceTable::virtualGpu() {
  std::call_once(virtualOnce, [&] {
    virtualDevice = std::make_unique<DeviceState>(
        "vgpu:0", makeVirtualDevice({.native = options.native}));
  });
  return *virtualDevice;
}

std::string DeviceTable::list() {
  std::string text;
  for (DeviceState *device : all())
    text += (text.empty() ? "" : ", ") + device->id + " (" +
            device->backend().properties().name + ")";
  return text;
}

} // namespace tessera::runtime
