// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/vgpu/vgpu-device.h"

#include "runtime/vgpu/tensor-layout.h"

#include <new>
#include <string_view>
#include <utility>

namespace tessera::runtime {
namespace {

constexpr std::align_val_t hostAlignment{256};

/// How a fault of the virtual GPU is reported.
struct FaultClass {
  error_kind kind;
  std::string_view name;
  bool isDeferred; ///< found by running the kernel, not by looking at it
};

FaultClass classify(vgpu::FaultKind kind) {
  using enum vgpu::FaultKind;
  switch (kind) {
  case invalidPtx:
    return {error_kind::invalid_module, "INVALID_PTX", false};
  case invalidLaunch:
    return {error_kind::invalid_launch, "INVALID_LAUNCH", false};
  case outOfMemory:
    return {error_kind::out_of_memory, "OUT_OF_MEMORY", false};
  case invalidAddress:
    return {error_kind::device_fault, "INVALID_ADDRESS", true};
  case misaligned:
    return {error_kind::device_fault, "MISALIGNED_ADDRESS", true};
  case trap:
    return {error_kind::trap, "TRAP", true};
  case deadlock:
    return {error_kind::device_fault, "DEADLOCK", true};
  case divergentBarrier:
    return {error_kind::device_fault, "DIVERGENT_BARRIER", true};
  case unsupported:
    return {error_kind::device_fault, "UNSUPPORTED", true};
  case invalidSync:
    return {error_kind::device_fault, "INVALID_SYNC", true};
  case stackOverflow:
    return {error_kind::device_fault, "STACK_OVERFLOW", true};
  case stepLimit:
    return {error_kind::device_fault, "STEP_LIMIT", true};
  }
  std::unreachable();
}

/// `isLaunch`: the fault came out of a launch.
Failure failureOf(const vgpu::Fault &fault, std::string api,
                  bool isLaunch = false) {
  const FaultClass found = classify(fault.kind);
  return {.kind = found.kind == error_kind::device_fault && !isLaunch
                      ? error_kind::invalid_argument
                      : found.kind,
          .api = std::move(api),
          // 0 means "no code", so that the enumerators count from 1.
          .code = static_cast<int>(fault.kind) + 1,
          .codeName = "VGPU_" + std::string(found.name),
          .message = fault.message(),
          .isDeferred = isLaunch && found.isDeferred};
}

template <class T> Result<T> convert(vgpu::Result<T> result, const char *api) {
  if (!result)
    return std::unexpected(failureOf(result.error(), api));
  if constexpr (std::is_void_v<T>)
    return {};
  else
    return *std::move(result);
}

class Module final : public ModuleBackend {
public:
  explicit Module(vgpu::Module module) : module(std::move(module)) {}

  Result<std::optional<Region>> global(const std::string &name) override {
    return module.global(name).transform(
        [](const auto &info) { return Region{info.address, info.size}; });
  }

  const vgpu::Module module;
};

class Stream final : public StreamBackend {
public:
  explicit Stream(vgpu::Device &device) : device(device) {}

  Result<void> synchronize() override { return {}; }
  Result<void> copyToDevice(std::uint64_t to,
                            std::span<const std::byte> from) override {
    return convert(device.write(to, from), "vgpu::write");
  }
  Result<void> copyToHost(std::span<std::byte> to,
                          std::uint64_t from) override {
    return convert(device.read(to, from), "vgpu::read");
  }
  Result<void> copy(std::uint64_t to, std::uint64_t from,
                    std::uint64_t bytes) override {
    return convert(device.copy(to, from, bytes), "vgpu::copy");
  }
  Result<void> fill(std::uint64_t to, std::byte value,
                    std::uint64_t bytes) override {
    return convert(device.fill(to, value, bytes), "vgpu::fill");
  }
  Result<void> launch(ModuleBackend &module, const image::Kernel &kernel,
                      const LaunchShape &shape,
                      std::span<std::byte> params) override {
    const auto &[grid, block, dynamicShared, cluster] = shape;
    auto result =
        device.launch(static_cast<Module &>(module).module, kernel.symbol,
                      {.grid = {grid[0], grid[1], grid[2]},
                       .block = {block[0], block[1], block[2]},
                       .dynamicShared = dynamicShared,
                       .cluster = {cluster[0], cluster[1], cluster[2]}},
                      params);
    if (!result)
      return std::unexpected(failureOf(result.error(), "vgpu::launch", true));
    return {};
  }
  void *nativeHandle() const override { return nullptr; }

private:
  vgpu::Device &device;
};

class Device final : public DeviceBackend {
public:
  explicit Device(vgpu::Options options) : device(std::move(options)) {
    const vgpu::Options &chosen = device.options();
    facts = {.name = "Tessera virtual GPU",
             .compute_major = chosen.sm / 10,
             .compute_minor = chosen.sm % 10,
             .multiprocessors = chosen.multiprocessors,
             .max_threads_per_block = 1024,
             .max_block = {1024, 1024, 64},
             .max_grid = {0x7fffffff, 0xffff, 0xffff},
             .shared_memory_per_block = std::size_t(227) << 10,
             .max_cluster_blocks = 16,
             .total_memory = chosen.memoryLimit};
  }

  device_kind kind() const override { return device_kind::vgpu; }
  const device_properties &properties() const override { return facts; }
  image::Arch arch() const override { return {device.options().sm, '\0'}; }
  /// General code first; an instruction of architecture-specific code that the
  /// virtual GPU lacks is its own error.
  const image::Variant *
  selectVariant(const image::Image &image) const override {
    if (const image::Variant *general = image.selectVariant(arch()))
      return general;
    return image.selectVariant({arch().sm, 'a'});
  }

  bool runsWithinCalls() const override { return true; }

  Result<std::uint64_t> allocate(std::uint64_t bytes) override {
    return convert(device.allocate(bytes), "vgpu::allocate");
  }
  Result<void> free(std::uint64_t address) override {
    return convert(device.free(address), "vgpu::free");
  }
  Result<HostMemory> allocateHost(std::uint64_t bytes) override {
    void *host = ::operator new(bytes, hostAlignment, std::nothrow);
    if (!host)
      return fail(error_kind::out_of_memory, "vgpu::mapHost",
                  "the host has no " + std::to_string(bytes) +
                      " bytes to share with the device");
    if (auto mapped = device.mapHost(host, bytes); !mapped) {
      ::operator delete(host, hostAlignment);
      return std::unexpected(failureOf(mapped.error(), "vgpu::mapHost"));
    }
    return HostMemory{host, reinterpret_cast<std::uintptr_t>(host)};
  }
  Result<void> freeHost(const HostMemory &memory) override {
    auto result = convert(device.unmapHost(memory.host), "vgpu::unmapHost");
    ::operator delete(memory.host, hostAlignment);
    return result;
  }
  Result<void> write(std::uint64_t to,
                     std::span<const std::byte> from) override {
    return convert(device.write(to, from), "vgpu::write");
  }
  Result<std::unique_ptr<StreamBackend>> createStream() override {
    return std::make_unique<Stream>(device);
  }
  Result<TensorMapBytes> encodeTensorMap(const tensor_layout &layout) override {
    return convert(vgpu::encodeTensorMap(virtualLayout(layout)),
                   "vgpu::encodeTensorMap");
  }
  Result<std::unique_ptr<ModuleBackend>> load(const std::string &ptx) override {
    auto loaded = convert(device.load(ptx), "vgpu::load");
    if (!loaded)
      return std::unexpected(std::move(loaded).error());
    return std::make_unique<Module>(*std::move(loaded));
  }

private:
  vgpu::Device device;
  device_properties facts;
};

} // namespace

std::unique_ptr<DeviceBackend> makeVirtualDevice(vgpu::Options options) {
  return std::make_unique<Device>(std::move(options));
}

} // namespace tessera::runtime
