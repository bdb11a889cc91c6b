// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/launch.h"
#include "vgpu/fault.h"
#include "vgpu/monitor.h"
#include "vgpu/worker.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>

using namespace tessera::vgpu;

namespace {

std::uint32_t dynamicSharedStart(const Program &program, const Kernel &kernel) {
  const std::uint32_t align = kernel.dynamicAlign;
  std::uint32_t end = kernel.sharedEnd;
  if (!kernel.sharedVariables.empty())
    end += program.memory->sharedGap();
  return (end + align - 1) / align * align;
}

Dim3 shapeOfCluster(const Kernel &kernel, const LaunchConfig &config) {
  if (config.cluster.x)
    return config.cluster;
  return kernel.info.requiredCluster.x ? kernel.info.requiredCluster : Dim3{};
}

Dim3 multiply(const Dim3 &a, const Dim3 &b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

Dim3 divide(const Dim3 &a, const Dim3 &b) {
  return {a.x / b.x, a.y / b.y, a.z / b.z};
}

} // namespace

Launch::Launch(const Options &options, const Program &program,
               const Kernel &kernel, const LaunchConfig &config,
               std::span<const std::byte> paramBytes)
    : options(options), monitor(options.monitor.get()), program(program),
      kernel(kernel), config(config),
      clusterShape(shapeOfCluster(kernel, config)),
      grid(kernel.blocksAreClusters ? multiply(config.grid, clusterShape)
                                    : config.grid),
      clusterGrid(divide(grid, clusterShape)),
      threadsPerBlock(unsigned(config.block.count())),
      warpsPerBlock((threadsPerBlock + warpSize - 1) / warpSize),
      dynamicShared(dynamicSharedStart(program, kernel)),
      sharedEnd(config.dynamicShared ? dynamicShared + config.dynamicShared
                                     : kernel.sharedEnd),
      params((paramBytes.size() + sizeof(Program::Line) - 1) /
             sizeof(Program::Line)) {
  if (!paramBytes.empty())
    std::memcpy(params.data(), paramBytes.data(), paramBytes.size());
}

void Launch::fail(Fault reason) {
  std::lock_guard lock(mutex);
  if (!fault)
    fault = std::move(reason);
  hasFailed = true;
}

std::optional<std::uint64_t> Launch::takeCluster() {
  const std::uint64_t next = nextCluster.fetch_add(1);
  return next < clusterGrid.count() ? std::optional(next) : std::nullopt;
}

void Launch::print(std::string_view text) {
  std::lock_guard lock(mutex);
  if (options.print)
    return options.print(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

unsigned Launch::workerCount() const {
  if (monitor || options.seed || options.asyncMoments == AsyncMoments::seeded)
    return 1;
  const unsigned wanted =
      options.hostThreads ? options.hostThreads
                          : std::max(1u, std::thread::hardware_concurrency());
  return unsigned(std::min<std::uint64_t>(wanted, clusterGrid.count()));
}

Result<void> Launch::run() {
  const unsigned count = workerCount();
  const std::size_t blocks =
      std::size_t(std::max(1u, options.multiprocessors)) *
      std::clamp(2048u / threadsPerBlock, 1u, 32u);
  const std::size_t mostResident =
      std::max<std::size_t>(1, blocks / clusterShape.count() / count);
  if (monitor)
    monitor->launchBegins(*this);
  const auto work = [&] { Worker(*this, mostResident).run(); };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < count; ++i)
      threads.emplace_back(work);
    work();
  }
  if (monitor) {
    if (fault)
      monitor->failed(*fault);
    monitor->launchEnds(*this);
  }
  if (fault)
    return std::unexpected(std::move(*fault));
  return {};
}
