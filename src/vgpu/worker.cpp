// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/worker.h"
#include "vgpu/launch.h"

#include <algorithm>

using namespace tessera::vgpu;

namespace {

/// A cluster that has run this many turns without ending may be waiting for a
/// later one.
constexpr std::uint64_t patience = 128;

} // namespace

Worker::Worker(Launch &launch, std::size_t mostResident)
    : launch(launch), memoryCache(launch.program.memoryInstructions),
      mostResident(mostResident), generator(launch.options.seed.value_or(0)) {
  views.push_back(launch.program.memory->view());
}

const Allocation *Worker::findAllocation(std::uint64_t address) {
  if (const Allocation *found = views.back()->find(address))
    return found;
  // Perhaps it was allocated after the launch had begun.
  auto newest = launch.program.memory->view();
  if (newest == views.back())
    return nullptr;
  views.push_back(std::move(newest));
  return views.back()->find(address);
}

void Worker::admit(std::uint64_t linear) {
  std::unique_ptr<Cluster> cluster;
  if (idle.empty()) {
    cluster = std::make_unique<Cluster>(*this);
  } else {
    cluster = std::move(idle.back());
    idle.pop_back();
  }
  cluster->start(linear);
  resident.push_back(std::move(cluster));
}

void Worker::run() {
  while (!launch.failed()) {
    const bool allSpin = std::ranges::all_of(resident, [](const auto &cluster) {
      return cluster->steps() > patience;
    });
    if (allSpin && resident.size() < mostResident)
      if (const auto next = launch.takeCluster())
        admit(*next);
    if (resident.empty())
      return;
    for (std::size_t i = 0; i < resident.size() && !launch.failed();) {
      if (resident[i]->step() == Cluster::Progress::running) {
        ++i;
        continue;
      }
      idle.push_back(std::move(resident[i]));
      resident.erase(resident.begin() + std::ptrdiff_t(i));
    }
  }
}
