// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/registry.h"

#include "image/read.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <utility>

namespace tessera::runtime {
namespace {

constexpr unsigned knownAbiVersion = 1;

/// The name of the function at `address` where the program's symbols have it,
/// otherwise its type.
std::string nameOf(const void *address, std::string_view type) {
  const std::string fallback = "of type '" + std::string(type) + "'";
  Dl_info info{};
  if (!address || !dladdr(address, &info) || !info.dli_sname ||
      info.dli_saddr != address)
    return fallback;
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> name(
      abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status),
      std::free);
  return "'" + std::string(status == 0 ? name.get() : info.dli_sname) + "'";
}

Failure notRegistered(const void *address, std::string_view type) {
  return {.kind = error_kind::not_registered,
          .api = "tessera::launch",
          .message = "no device code is known for the kernel " +
                     nameOf(address, type) +
                     ": it is not marked [[tessera::kernel]], or its file was "
                     "compiled without the Tessera plugin; compile it with "
                     "'tessera build <file>.cpp', or give clang++ the option "
                     "-fplugin=<dir>/libtessera-plugin.so"};
}

} // namespace

Registry &Registry::process() {
  static auto *registry = new Registry;
  return *registry;
}

void Registry::add(unsigned abiVersion, std::span<const std::byte> image,
                   std::span<const __tessera_kernel_entry> kernels) {
  std::unique_lock lock(mutex);
  Unit *unit =
      units.emplace_back(std::make_unique<Unit>(Unit{abiVersion, image, {}}))
          .get();
  for (const __tessera_kernel_entry &kernel : kernels)
    entries.try_emplace(kernel.host_address, Entry{unit, kernel.symbol});
}

Result<Registry::Kernel> Registry::find(const void *address,
                                        std::string_view type) {
  {
    std::shared_lock lock(mutex);
    auto found = entries.find(address);
    if (found == entries.end())
      return std::unexpected(notRegistered(address, type));
    if (const Entry &entry = found->second; entry.info)
      return Kernel{**entry.unit->image, entry.info};
  }
  std::unique_lock lock(mutex);
  Entry &entry = entries.find(address)->second;
  if (!entry.unit->image)
    read(*entry.unit);
  const auto &image = *entry.unit->image;
  if (!image)
    return std::unexpected(image.error());
  entry.info = (*image)->findKernel(entry.symbol);
  if (!entry.info)
    return fail(error_kind::invalid_module, "tessera::launch",
                "the image of '" + (*image)->source + "' has no kernel '" +
                    entry.symbol + "'");
  return Kernel{*image, entry.info};
}

void Registry::read(Unit &unit) {
  if (unit.abiVersion != knownAbiVersion) {
    unit.image = fail(
        error_kind::invalid_module, "tessera::launch",
        "the kernel's file was compiled for version " +
            std::to_string(unit.abiVersion) +
            " of the interface between compiler and runtime, and this runtime "
            "has version " +
            std::to_string(knownAbiVersion) + "; compile it again");
    return;
  }
  auto result = image::read(unit.bytes);
  if (!result)
    unit.image =
        fail(error_kind::invalid_module, "tessera::launch",
             "the kernel's image cannot be read: " + result.error().message +
                 " (byte " + std::to_string(result.error().offset) + " of " +
                 std::to_string(unit.bytes.size()) + ")");
  else
    unit.image = std::make_shared<const image::Image>(*std::move(result));
}

} // namespace tessera::runtime
