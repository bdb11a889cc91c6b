// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/launch.h"
#include "vgpu/fault.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tessera::vgpu;

namespace {

/// A block that has run this many turns without ending may be waiting for a
/// later one.
constexpr std::uint64_t patience = 128;

std::uint32_t dynamicSharedStart(const Kernel &kernel) {
  const std::uint32_t align = kernel.dynamicAlign;
  return (kernel.sharedEnd + align - 1) / align * align;
}

} // namespace

Launch::Launch(const Options &options, const Program &program,
               const Kernel &kernel, const LaunchConfig &config,
               std::span<const std::byte> paramBytes)
    : options(options), program(program), kernel(kernel), config(config),
      threadsPerBlock(unsigned(config.block.count())),
      warpsPerBlock((threadsPerBlock + warpSize - 1) / warpSize),
      dynamicShared(dynamicSharedStart(kernel)),
      sharedEnd(config.dynamicShared ? dynamicShared + config.dynamicShared
                                     : kernel.sharedEnd),
      memoryCache(program.memoryInstructions),
      params((paramBytes.size() + sizeof(Program::Line) - 1) /
             sizeof(Program::Line)) {
  if (!paramBytes.empty())
    std::memcpy(params.data(), paramBytes.data(), paramBytes.size());
  views.push_back(program.memory->view());
}

void Launch::fail(Fault reason) {
  if (!fault)
    fault = std::move(reason);
}

const Allocation *Launch::findAllocation(std::uint64_t address) {
  if (const Allocation *found = views.back()->find(address))
    return found;
  // Perhaps it was allocated after the launch had begun.
  auto newest = program.memory->view();
  if (newest == views.back())
    return nullptr;
  views.push_back(std::move(newest));
  return views.back()->find(address);
}

void Launch::print(std::string_view text) const {
  if (options.print)
    return options.print(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::unique_ptr<Block> Launch::admit() {
  std::unique_ptr<Block> block;
  if (idle.empty()) {
    block = std::make_unique<Block>(*this);
  } else {
    block = std::move(idle.back());
    idle.pop_back();
  }
  const Dim3 &grid = config.grid;
  const std::uint64_t linear = nextBlock++;
  block->start({std::uint32_t(linear % grid.x),
                std::uint32_t(linear / grid.x % grid.y),
                std::uint32_t(linear / grid.x / grid.y)},
               linear);
  return block;
}

Result<void> Launch::run() {
  const std::uint64_t blockCount = config.grid.count();
  const std::size_t mostResident =
      std::size_t(std::max(1u, options.multiprocessors)) *
      std::clamp(2048u / threadsPerBlock, 1u, 32u);

  std::vector<std::unique_ptr<Block>> resident;
  while (!fault && (nextBlock < blockCount || !resident.empty())) {
    const bool allSpin = std::ranges::all_of(
        resident, [](const auto &block) { return block->steps > patience; });
    if (allSpin && nextBlock < blockCount && resident.size() < mostResident)
      resident.push_back(admit());
    for (std::size_t i = 0; i < resident.size() && !fault;) {
      if (resident[i]->step() == Block::Progress::running) {
        ++i;
        continue;
      }
      idle.push_back(std::move(resident[i]));
      resident.erase(resident.begin() + std::ptrdiff_t(i));
    }
  }
  if (fault)
    return std::unexpected(std::move(*fault));
  return {};
}
