// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cuda/cuda-device.h"

#include "runtime/cuda/context.h"

#include <bit>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tessera::runtime::cuda {
namespace {

class Module final : public ModuleBackend {
public:
  Module(std::shared_ptr<Context> context, CUmodule module)
      : context(std::move(context)), module(module) {}
  ~Module() override {
    // Fails when the device was lost or the process ends: nothing to be done.
    (void)context->call("cuModuleUnload", [&](const Driver &driver) {
      return driver.cuModuleUnload(module);
    });
  }

  Result<std::optional<Region>> global(const std::string &name) override {
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    auto result = context->call("cuModuleGetGlobal", [&](const Driver &driver) {
      return driver.cuModuleGetGlobal(&address, &bytes, module, name.c_str());
    });
    if (!result && result.error().code == errorNotFound)
      return std::nullopt;
    return after(result, [&] { return std::optional(Region{address, bytes}); });
  }

  /// The function of the kernel, ready for launches of that shape.
  Result<CUfunction> function(const image::Kernel &kernel,
                              const LaunchShape &shape) {
    const std::string &symbol = kernel.symbol;
    std::lock_guard lock(mutex);
    auto [place, isNew] = functions.try_emplace(symbol);
    if (isNew)
      if (auto found = find(symbol, place->second); !found) {
        functions.erase(place);
        return std::unexpected(std::move(found).error());
      }
    Function &function = place->second;
    if (shape.dynamicShared > function.sharedLimit) {
      if (auto raised = setAttribute(function, functionMaxDynamicShared,
                                     static_cast<int>(shape.dynamicShared));
          !raised)
        return std::unexpected(std::move(raised).error());
      function.sharedLimit = shape.dynamicShared;
    }
    if (clusterBlocks(kernel, shape) > portableCluster &&
        !function.allowsLargeClusters) {
      if (auto allowed =
              setAttribute(function, functionNonPortableClusterAllowed, 1);
          !allowed)
        return std::unexpected(std::move(allowed).error());
      function.allowsLargeClusters = true;
    }
    return function.handle;
  }

private:
  struct Function {
    CUfunction handle = nullptr;
    std::uint32_t sharedLimit = 0; ///< bytes that need no further asking
    bool allowsLargeClusters = false;
  };

  static constexpr std::uint64_t portableCluster = 8; ///< blocks

  static std::uint64_t clusterBlocks(const image::Kernel &kernel,
                                     const LaunchShape &shape) {
    if (const auto &[x, y, z] = shape.cluster; x != 0)
      return std::uint64_t(x) * y * z;
    const auto &[x, y, z] = kernel.cluster;
    return std::uint64_t(x) * y * z;
  }

  Result<void> setAttribute(const Function &function, int attribute,
                            int value) {
    return context->call("cuFuncSetAttribute", [&](const Driver &driver) {
      return driver.cuFuncSetAttribute(function.handle, attribute, value);
    });
  }

  Result<void> find(const std::string &symbol, Function &function) {
    return context->call("cuModuleGetFunction", [&](const Driver &driver) {
      return driver.cuModuleGetFunction(&function.handle, module,
                                        symbol.c_str());
    });
  }

  std::shared_ptr<Context> context;
  CUmodule module;
  std::mutex mutex;
  std::unordered_map<std::string, Function> functions;
};

class Stream final : public StreamBackend {
public:
  Stream(std::shared_ptr<Context> context, CUstream stream)
      : context(std::move(context)), stream(stream) {}
  ~Stream() override {
    (void)context->call("cuStreamDestroy", [&](const Driver &driver) {
      return driver.cuStreamDestroy(stream);
    });
  }

  Result<void> synchronize() override {
    return context->call("cuStreamSynchronize", [&](const Driver &driver) {
      return driver.cuStreamSynchronize(stream);
    });
  }

  Result<void> copyToDevice(std::uint64_t to,
                            std::span<const std::byte> from) override {
    auto queued = context->call("cuMemcpyHtoDAsync", [&](const Driver &driver) {
      return driver.cuMemcpyHtoDAsync(to, from.data(), from.size(), stream);
    });
    // The driver has copied pageable memory aside by now, but reads memory
    // that it knows (pinned or mapped) only when the copy's turn comes.
    if (!queued || !isKnownToDriver(from.data()))
      return queued;
    return synchronize();
  }

  Result<void> copyToHost(std::span<std::byte> to,
                          std::uint64_t from) override {
    auto queued = context->call("cuMemcpyDtoHAsync", [&](const Driver &driver) {
      return driver.cuMemcpyDtoHAsync(to.data(), from, to.size(), stream);
    });
    return queued ? synchronize() : queued;
  }

  Result<void> copy(std::uint64_t to, std::uint64_t from,
                    std::uint64_t bytes) override {
    return context->call("cuMemcpyDtoDAsync", [&](const Driver &driver) {
      return driver.cuMemcpyDtoDAsync(to, from, bytes, stream);
    });
  }

  Result<void> fill(std::uint64_t to, std::byte value,
                    std::uint64_t bytes) override {
    return context->call("cuMemsetD8Async", [&](const Driver &driver) {
      return driver.cuMemsetD8Async(to, std::to_integer<unsigned char>(value),
                                    bytes, stream);
    });
  }

  Result<void> launch(ModuleBackend &module, const image::Kernel &kernel,
                      const LaunchShape &shape,
                      std::span<std::byte> params) override {
    auto function = static_cast<Module &>(module).function(kernel, shape);
    if (!function)
      return std::unexpected(std::move(function).error());
    std::vector<void *> addresses;
    addresses.reserve(kernel.params.size());
    for (const image::Param &param : kernel.params)
      addresses.push_back(params.data() + param.offset);
    auto result = shape.cluster[0] == 0
                      ? launchPlain(*function, shape, addresses.data())
                      : launchInClusters(*function, shape, addresses.data());
    if (!result && result.error().kind == error_kind::invalid_argument)
      result.error().kind = error_kind::invalid_launch;
    return result;
  }

  void *nativeHandle() const override { return stream; }

private:
  Result<void> launchPlain(CUfunction function, const LaunchShape &shape,
                           void **params) {
    return context->call("cuLaunchKernel", [&](const Driver &driver) {
      const auto &[grid, block, dynamicShared, cluster] = shape;
      return driver.cuLaunchKernel(function, grid[0], grid[1], grid[2],
                                   block[0], block[1], block[2], dynamicShared,
                                   stream, params, nullptr);
    });
  }

  Result<void> launchInClusters(CUfunction function, const LaunchShape &shape,
                                void **params) {
    if (!context->driver->cuLaunchKernelEx)
      return fail(error_kind::invalid_launch, "cuLaunchKernelEx",
                  "the NVIDIA driver is too old for launches with clusters, "
                  "which came with CUDA 11.8");
    const auto &[grid, block, dynamicShared, cluster] = shape;
    CUlaunchAttribute attribute{
        .id = launchAttributeClusterDimension,
        .unused = {},
        .value = {.clusterDim = {cluster[0], cluster[1], cluster[2]}}};
    const CUlaunchConfig config{.gridDimX = grid[0],
                                .gridDimY = grid[1],
                                .gridDimZ = grid[2],
                                .blockDimX = block[0],
                                .blockDimY = block[1],
                                .blockDimZ = block[2],
                                .sharedMemBytes = dynamicShared,
                                .hStream = stream,
                                .attrs = &attribute,
                                .numAttrs = 1};
    return context->call("cuLaunchKernelEx", [&](const Driver &driver) {
      return driver.cuLaunchKernelEx(&config, function, params, nullptr);
    });
  }

  bool isKnownToDriver(const void *host) const {
    unsigned type = 0;
    return context
        ->call("cuPointerGetAttribute",
               [&](const Driver &driver) {
                 return driver.cuPointerGetAttribute(
                     &type, pointerMemoryType,
                     reinterpret_cast<std::uintptr_t>(host));
               })
        .has_value();
  }

  std::shared_ptr<Context> context;
  CUstream stream;
};

/// The driver numbers them in another order than we do.
int dataType(tensor_element element) {
  switch (element) {
  case tensor_element::u8:
    return tensorUint8;
  case tensor_element::u16:
    return tensorUint16;
  case tensor_element::u32:
    return tensorUint32;
  case tensor_element::s32:
    return tensorInt32;
  case tensor_element::u64:
    return tensorUint64;
  case tensor_element::s64:
    return tensorInt64;
  case tensor_element::f16:
    return tensorFloat16;
  case tensor_element::bf16:
    return tensorBfloat16;
  case tensor_element::f32:
    return tensorFloat32;
  case tensor_element::f64:
    return tensorFloat64;
  }
  std::unreachable();
}
// The other enumerations have the driver's numbers.
static_assert(static_cast<int>(tensor_swizzle::bytes128) == 3);
static_assert(static_cast<int>(tensor_l2_promotion::bytes256) == 3);
static_assert(static_cast<int>(tensor_fill::nan) == 1);

/// GPUs with clusters allow 8 blocks to every kernel and 16 to those that opt
/// in, which launches do where they need it.
constexpr unsigned largestCluster = 16;

class Device final : public DeviceBackend {
public:
  Device(std::shared_ptr<Context> context, device_properties properties)
      : context(std::move(context)), facts(std::move(properties)) {}

  device_kind kind() const override { return device_kind::cuda; }
  const device_properties &properties() const override { return facts; }
  image::Arch arch() const override {
    // Architecture-specific code exists from Hopper on.
    return {facts.compute_major * 10 + facts.compute_minor,
            facts.compute_major >= 9 ? 'a' : '\0'};
  }
  const image::Variant *
  selectVariant(const image::Image &image) const override {
    return image.selectVariant(arch());
  }

  bool runsWithinCalls() const override { return false; }

  Result<std::uint64_t> allocate(std::uint64_t bytes) override {
    CUdeviceptr address = 0;
    auto result = context->call("cuMemAlloc", [&](const Driver &driver) {
      return driver.cuMemAlloc(&address, bytes);
    });
    return after(result, [&] { return address; });
  }

  Result<void> free(std::uint64_t address) override {
    return context->call("cuMemFree", [&](const Driver &driver) {
      return driver.cuMemFree(address);
    });
  }

  Result<HostMemory> allocateHost(std::uint64_t bytes) override {
    HostMemory memory;
    auto result = context->call("cuMemHostAlloc", [&](const Driver &driver) {
      return driver.cuMemHostAlloc(&memory.host, bytes,
                                   hostAllocPortable | hostAllocDeviceMap);
    });
    if (!result)
      return std::unexpected(std::move(result).error());
    result =
        context->call("cuMemHostGetDevicePointer", [&](const Driver &driver) {
          return driver.cuMemHostGetDevicePointer(&memory.device, memory.host,
                                                  0);
        });
    if (!result)
      (void)freeHost(memory);
    return after(result, [&] { return memory; });
  }

  Result<void> freeHost(const HostMemory &memory) override {
    return context->call("cuMemFreeHost", [&](const Driver &driver) {
      return driver.cuMemFreeHost(memory.host);
    });
  }

  Result<void> write(std::uint64_t to,
                     std::span<const std::byte> from) override {
    return context->call("cuMemcpyHtoD", [&](const Driver &driver) {
      return driver.cuMemcpyHtoD(to, from.data(), from.size());
    });
  }

  Result<std::unique_ptr<StreamBackend>> createStream() override {
    CUstream stream = nullptr;
    auto result = context->call("cuStreamCreate", [&](const Driver &driver) {
      return driver.cuStreamCreate(&stream, streamNonBlocking);
    });
    return after(result, [&]() -> std::unique_ptr<StreamBackend> {
      return std::make_unique<Stream>(context, stream);
    });
  }

  Result<TensorMapBytes> encodeTensorMap(const tensor_layout &layout) override {
    if (!context->driver->cuTensorMapEncodeTiled)
      return fail(error_kind::driver, "cuTensorMapEncodeTiled",
                  "the NVIDIA driver is too old for tensor maps, which came "
                  "with CUDA 12.0");
    CUtensorMap map{};
    auto result =
        context->call("cuTensorMapEncodeTiled", [&](const Driver &driver) {
          return driver.cuTensorMapEncodeTiled(
              &map, dataType(layout.element), layout.rank,
              const_cast<void *>(layout.address), layout.sizes.data(),
              layout.strides.data(), layout.box.data(),
              layout.element_strides.data(), tensorInterleaveNone,
              static_cast<int>(layout.swizzle),
              static_cast<int>(layout.l2_promotion),
              static_cast<int>(layout.fill));
        });
    return after(result, [&] { return std::bit_cast<TensorMapBytes>(map); });
  }

  Result<std::unique_ptr<ModuleBackend>> load(const std::string &ptx) override {
    std::string log(16384, '\0');
    // Options are passed as void *, sizes among them by value.
    int options[] = {jitErrorLogBuffer, jitErrorLogBufferSize};
    void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
    CUmodule module = nullptr;
    auto result =
        context->call("cuModuleLoadDataEx", [&](const Driver &driver) {
          return driver.cuModuleLoadDataEx(&module, ptx.c_str(), 2, options,
                                           values);
        });
    if (!result) {
      log.resize(std::string_view(log.c_str()).find_last_not_of(" \n\t") + 1);
      result.error().message =
          "the driver does not compile the PTX: " + result.error().message;
      if (!log.empty())
        result.error().message += "\n" + log + "\n";
    }
    return after(result, [&]() -> std::unique_ptr<ModuleBackend> {
      return std::make_unique<Module>(context, module);
    });
  }

private:
  std::shared_ptr<Context> context;
  device_properties facts;
};

/// Asks for the properties of one device; remembers the first failure.
class PropertyReader {
public:
  PropertyReader(const Driver &driver, CUdevice device)
      : driver(driver), device(device) {}

  Result<device_properties> read() {
    device_properties facts;
    char name[256] = {};
    note("cuDeviceGetName",
         driver.cuDeviceGetName(name, sizeof(name) - 1, device));
    facts.name = name;
    std::size_t memory = 0;
    note("cuDeviceTotalMem", driver.cuDeviceTotalMem(&memory, device));
    facts.total_memory = memory;
    int version = 0;
    note("cuDriverGetVersion", driver.cuDriverGetVersion(&version));
    facts.driver_version = static_cast<unsigned>(version);
    facts.compute_major = attribute(attributeComputeCapabilityMajor);
    facts.compute_minor = attribute(attributeComputeCapabilityMinor);
    facts.multiprocessors = attribute(attributeMultiprocessorCount);
    facts.warp_size = attribute(attributeWarpSize);
    facts.max_threads_per_block = attribute(attributeMaxThreadsPerBlock);
    for (int i = 0; i != 3; ++i) {
      facts.max_block[i] = attribute(attributeMaxBlockDimX + i);
      facts.max_grid[i] = attribute(attributeMaxGridDimX + i);
    }
    facts.shared_memory_per_block =
        attribute(attributeMaxSharedMemoryPerBlockOptin);
    // Drivers older than Hopper do not know the question.
    int hasClusters = 0;
    if (facts.compute_major >= 9)
      hasClusters = static_cast<int>(attribute(attributeClusterLaunch));
    facts.max_cluster_blocks = hasClusters ? largestCluster : 0;
    return after(result, [&] { return facts; });
  }

private:
  unsigned attribute(int which) {
    int value = 0;
    note("cuDeviceGetAttribute",
         driver.cuDeviceGetAttribute(&value, which, device));
    return static_cast<unsigned>(value);
  }
  void note(const char *api, CUresult status) {
    if (result)
      result = driver.check(api, status);
  }

  const Driver &driver;
  CUdevice device;
  Result<void> result;
};

} // namespace

Result<std::vector<std::unique_ptr<DeviceBackend>>>
findDevices(const std::shared_ptr<const Driver> &driver) {
  int count = 0;
  if (auto counted =
          driver->check("cuDeviceGetCount", driver->cuDeviceGetCount(&count));
      !counted)
    return std::unexpected(std::move(counted).error());
  if (count == 0)
    return fail(error_kind::no_device, "cuDeviceGetCount",
                "the NVIDIA driver is there, but no GPU");
  std::vector<std::unique_ptr<DeviceBackend>> devices;
  for (int i = 0; i != count; ++i) {
    CUdevice device = 0;
    if (auto found =
            driver->check("cuDeviceGet", driver->cuDeviceGet(&device, i));
        !found)
      return std::unexpected(std::move(found).error());
    auto facts = PropertyReader(*driver, device).read();
    if (!facts)
      return std::unexpected(std::move(facts).error());
    devices.push_back(std::make_unique<Device>(
        std::make_shared<Context>(driver, device), *std::move(facts)));
  }
  return devices;
}

} // namespace tessera::runtime::cuda
