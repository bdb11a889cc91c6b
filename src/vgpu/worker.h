// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host thread's part of a launch: the clusters that it runs, and what need
// not be shared with other host threads.
//
// Clusters run in order, one at a time, until one spins: then later ones join
// in, as many as the device says it holds, so that blocks may wait for each
// other as far as they may on a real device.
//
// Thread safety: a worker belongs to one host thread.

#ifndef TESSERA_VGPU_WORKER_H
#define TESSERA_VGPU_WORKER_H

#include "vgpu/cluster.h"
#include "vgpu/memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace tessera::vgpu {

class Launch;

class Worker {
public:
  /// `mostResident`: the clusters that may run at a time.
  Worker(Launch &launch, std::size_t mostResident);
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// Runs clusters until none is left or the launch has failed.
  void run();

  /// The allocation that holds a global address, or null.
  [[nodiscard]] const Allocation *findAllocation(std::uint64_t address);
  [[nodiscard]] const MemoryView &memoryView() const { return *views.back(); }

  /// Below `bound`, which is not 0; only for launches with a seed.
  [[nodiscard]] std::uint32_t random(std::uint32_t bound) {
    return std::uint32_t(generator() % bound);
  }

  Launch &launch;

  /// The last range that a memory instruction found its addresses in.
  struct CachedRange {
    std::uint64_t base = 1, size = 0;
    bool isConstant = false;
  };
  std::vector<CachedRange> memoryCache; ///< by `Instr::cache`

private:
  void admit(std::uint64_t linear);

  const std::size_t mostResident;
  std::vector<std::shared_ptr<const MemoryView>> views; ///< newest last
  std::vector<std::unique_ptr<Cluster>> resident, idle;
  std::mt19937_64 generator;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_WORKER_H
