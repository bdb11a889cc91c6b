// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/fault.h"
#include "vgpu/launch.h"
#include "vgpu/layout.h"
#include "vgpu/loader.h"
#include "vgpu/memory.h"
#include "vgpu/monitor.h"
#include "vgpu/native-compiler.h"
#include "vgpu/program.h"

#include <algorithm>
#include <cstring>
#include <mutex>

using namespace tessera::vgpu;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

struct Module::Impl {
  std::shared_ptr<const Program> program;
};

std::vector<Module::KernelInfo> Module::kernels() const {
  std::vector<KernelInfo> infos;
  if (impl)
    for (const Kernel &kernel : impl->program->kernels)
      infos.push_back(kernel.info);
  return infos;
}

std::optional<Module::KernelInfo> Module::kernel(std::string_view name) const {
  const Kernel *found = impl ? impl->program->findKernel(name) : nullptr;
  return found ? std::optional(found->info) : std::nullopt;
}

std::optional<Module::GlobalInfo> Module::global(std::string_view name) const {
  if (impl)
    for (const GlobalVariable &variable : impl->program->globals)
      if (variable.name == name)
        return GlobalInfo{variable.address, variable.size};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// Local addresses have 32 bits; nobody needs more.
constexpr std::uint64_t maxStackBytes = 1 << 30;
} // namespace

struct Device::Impl {
  explicit Impl(Options given)
      : options(std::move(given)),
        memory(std::make_shared<GlobalMemory>(
            options.memoryLimit, options.heapBytes, options.monitor)),
        compiler(options.native) {
    options.stackBytes = std::min(options.stackBytes, maxStackBytes);
  }

  Options options;
  std::shared_ptr<GlobalMemory> memory;
  std::mutex launching;
  NativeCompiler compiler;

  /// Tells the monitor of a call that fails.
  std::unexpected<Fault> refused(std::unexpected<Fault> failure) const {
    if (options.monitor)
      options.monitor->failed(failure.error());
    return failure;
  }

  /// The host's view of device memory while a copy goes on; it keeps the
  /// memory alive.
  Result<std::byte *> range(const MemoryView &view, std::uint64_t address,
                            std::uint64_t bytes, std::string_view verb) const {
    const Allocation *allocation = view.find(address);
    if (!allocation || !allocation->contains(address, bytes))
      return refused(failAt(FaultKind::invalidAddress, address, verb, " of ",
                            plural(bytes, "byte"), " at ", hex(address), ": ",
                            view.explain(address, bytes)));
    return reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(address));
  }
};

Device::Device(Options options)
    : impl(std::make_unique<Impl>(std::move(options))) {}
Device::~Device() = default;

const Options &Device::options() const { return impl->options; }

Result<std::uint64_t> Device::allocate(std::uint64_t bytes) {
  return impl->memory->allocate(bytes, Allocation::Kind::device, "");
}

Result<void> Device::free(std::uint64_t address) {
  auto freed = impl->memory->free(address);
  if (!freed)
    return impl->refused(std::unexpected(std::move(freed.error())));
  return freed;
}

Result<void> Device::mapHost(void *base, std::uint64_t bytes) {
  return impl->memory->mapHost(base, bytes);
}

Result<void> Device::unmapHost(void *base) {
  return impl->memory->unmapHost(base);
}

Result<void> Device::write(std::uint64_t to, std::span<const std::byte> from) {
  if (from.empty())
    return {};
  const auto view = impl->memory->view();
  auto target = impl->range(*view, to, from.size(), "write");
  if (!target)
    return std::unexpected(std::move(target.error()));
  std::memmove(*target, from.data(), from.size());
  if (Monitor *monitor = impl->options.monitor.get())
    monitor->hostWrote(to, from.size());
  return {};
}

Result<void> Device::read(std::span<std::byte> to, std::uint64_t from) {
  if (to.empty())
    return {};
  const auto view = impl->memory->view();
  auto source = impl->range(*view, from, to.size(), "read");
  if (!source)
    return std::unexpected(std::move(source.error()));
  std::memmove(to.data(), *source, to.size());
  if (Monitor *monitor = impl->options.monitor.get())
    monitor->hostRead(from, to.size());
  return {};
}

Result<void> Device::copy(std::uint64_t to, std::uint64_t from,
                          std::uint64_t bytes) {
  if (bytes == 0)
    return {};
  const auto view = impl->memory->view();
  auto source = impl->range(*view, from, bytes, "copy");
  if (!source)
    return std::unexpected(std::move(source.error()));
  auto target = impl->range(*view, to, bytes, "copy");
  if (!target)
    return std::unexpected(std::move(target.error()));
  std::memmove(*target, *source, bytes);
  if (Monitor *monitor = impl->options.monitor.get())
    monitor->hostCopied(to, from, bytes);
  return {};
}

Result<void> Device::fill(std::uint64_t to, std::byte value,
                          std::uint64_t bytes) {
  if (bytes == 0)
    return {};
  const auto view = impl->memory->view();
  auto target = impl->range(*view, to, bytes, "fill");
  if (!target)
    return std::unexpected(std::move(target.error()));
  std::memset(*target, int(value), bytes);
  if (Monitor *monitor = impl->options.monitor.get())
    monitor->hostWrote(to, bytes);
  return {};
}

//===----------------------------------------------------------------------===//
// Loading and launching
//===----------------------------------------------------------------------===//

namespace {

/// The limits of compute capabilities 7.5 to 12.0 that are the same for all
/// (CUDA C++ Programming Guide, "Compute Capabilities").
constexpr std::uint64_t maxBlockThreads = 1024;
constexpr Dim3 maxBlock{1024, 1024, 64};
constexpr Dim3 maxGrid{0x7fffffff, 65535, 65535};

/// The most shared memory of a block in bytes.
std::uint32_t sharedLimit(std::uint32_t sm) {
  if (sm < 80)
    return 64 << 10;
  if (sm == 80 || sm == 87)
    return 163 << 10;
  return sm < 90 || sm >= 120 ? 99 << 10 : maxShared;
}

std::string text(const Dim3 &extent) {
  return concat(extent.x, 'x', extent.y, 'x', extent.z);
}

bool exceeds(const Dim3 &extent, const Dim3 &limit) {
  return extent.x > limit.x || extent.y > limit.y || extent.z > limit.z;
}

/// What is wrong with the clusters of a launch, if anything.
std::optional<std::string> findClusterProblem(const Kernel &kernel,
                                              const LaunchConfig &config) {
  const Dim3 &required = kernel.info.requiredCluster;
  const Dim3 &asked = config.cluster;
  if (asked.x == 0 && asked.y == 0 && asked.z == 0 && required.x == 0)
    return std::nullopt;
  if (asked.x && required.x && asked != required)
    return concat("the kernel requires clusters of ", text(required),
                  " blocks (.reqnctapercluster), not ", text(asked));
  const Dim3 &shape = asked.x ? asked : required;
  const std::uint64_t most = kernel.info.maxClusterBlocks
                                 ? kernel.info.maxClusterBlocks
                                 : cluster::mostBlocks;
  if (shape.count() == 0 || shape.count() > most)
    return concat("a cluster of ", text(shape), " blocks: 1 to ", most,
                  " blocks make a cluster");
  const Dim3 &grid = config.grid;
  if (!kernel.blocksAreClusters &&
      (grid.x % shape.x || grid.y % shape.y || grid.z % shape.z))
    return concat("a grid of ", text(grid),
                  " blocks cannot be divided into clusters of ", text(shape));
  return std::nullopt;
}

/// What is wrong with a launch, if anything.
std::optional<std::string> findProblem(const Kernel &kernel,
                                       const Options &options,
                                       const LaunchConfig &config,
                                       std::size_t paramBytes) {
  const Module::KernelInfo &info = kernel.info;
  const auto isEmpty = [](const Dim3 &extent) {
    return extent.x == 0 || extent.y == 0 || extent.z == 0;
  };
  if (isEmpty(config.grid))
    return concat("a grid of ", text(config.grid), " blocks is empty");
  if (isEmpty(config.block))
    return concat("a block of ", text(config.block), " threads is empty");
  if (exceeds(config.grid, maxGrid))
    return concat("a grid of ", text(config.grid),
                  " blocks is too large: ", text(maxGrid), " is the most");
  if (exceeds(config.block, maxBlock) || config.block.count() > maxBlockThreads)
    return concat("a block of ", text(config.block),
                  " threads is too large: ", maxBlockThreads, " threads and ",
                  text(maxBlock), " are the most");
  if (info.requiredBlock.x && config.block != info.requiredBlock)
    return concat("the kernel requires blocks of ", text(info.requiredBlock),
                  " threads (.reqntid), not ", text(config.block));
  if (info.maxThreads && config.block.count() > info.maxThreads)
    return concat("the kernel allows ", info.maxThreads,
                  " threads per block (.maxntid), not ", config.block.count());
  if (auto problem = findClusterProblem(kernel, config))
    return problem;
  const std::uint64_t shared =
      std::uint64_t(info.staticShared) + config.dynamicShared;
  if (shared > sharedLimit(options.sm))
    return concat(shared, " bytes of shared memory (", info.staticShared,
                  " static, ", config.dynamicShared,
                  " dynamic) are too much: ", sharedLimit(options.sm),
                  " are the most");
  if (paramBytes != info.paramBytes)
    return concat("the parameter block has ", plural(paramBytes, "byte"),
                  ", the kernel's ", plural(info.params.size(), "parameter"),
                  " take ", info.paramBytes);
  return std::nullopt;
}

std::string unknownKernel(const Program &program, std::string_view name) {
  std::vector<std::string> names;
  for (const Kernel &kernel : program.kernels)
    names.push_back(kernel.info.name);
  std::string what = concat("the module has no kernel '", name, "'");
  const std::vector<std::string> near = nearNames(name, names);
  if (near.empty())
    return what + (names.empty() ? "; it has no kernels" : "");
  what += "; did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i)
    what += concat(i == 0                 ? ""
                   : i + 1 == near.size() ? " or "
                                          : ", ",
                   "'", near[i], "'");
  return what + "?";
}

} // namespace

Result<Module> Device::load(std::string ptx) {
  auto program = loadProgram(ptx, impl->memory, impl->options.sm);
  if (!program)
    return std::unexpected(std::move(program.error()));
  if (Monitor *monitor = impl->options.monitor.get())
    monitor->moduleLoaded(**program);
  Module module;
  module.impl = std::make_shared<Module::Impl>(std::move(*program));
  return module;
}

Result<void> Device::launch(const Module &module, std::string_view kernelName,
                            const LaunchConfig &config,
                            std::span<const std::byte> params) {
  if (!module.impl)
    return fail(FaultKind::invalidLaunch, "no module is loaded");
  const Program &program = *module.impl->program;
  if (program.memory != impl->memory)
    return fail(FaultKind::invalidLaunch,
                "the module was loaded on another device");
  const Kernel *kernel = program.findKernel(kernelName);
  if (!kernel)
    return fail(FaultKind::invalidLaunch, unknownKernel(program, kernelName));
  Fault refused{.kind = FaultKind::invalidLaunch,
                .kernel = std::string(kernelName)};
  if (auto problem =
          findProblem(*kernel, impl->options, config, params.size())) {
    refused.what = std::move(*problem);
    return std::unexpected(std::move(refused));
  }
  if (kernel->function->stackBytes > impl->options.stackBytes) {
    refused.kind = FaultKind::stackOverflow;
    refused.what = concat("the kernel needs ", kernel->function->stackBytes,
                          " bytes of local memory, a thread has ",
                          impl->options.stackBytes);
    return std::unexpected(std::move(refused));
  }
  if (!impl->options.monitor)
    impl->compiler.prepare(module.impl->program, *kernel, config);
  std::lock_guard lock(impl->launching);
  return Launch(impl->options, program, *kernel, config, params).run();
}
