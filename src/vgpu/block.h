// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of threads while it runs: its shared memory, its barriers and the
// fibers of its warps.
//
// Thread safety: a block belongs to the thread that runs it.

#ifndef TESSERA_VGPU_BLOCK_H
#define TESSERA_VGPU_BLOCK_H

#include "vgpu/fiber.h"
#include "vgpu/warp.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::vgpu {

class Cluster;
class Launch;

/// What a barrier reduction computes over the threads that arrived.
enum class BarrierReduction : std::uint16_t { none, popc, all, any };

class Block {
public:
  static constexpr unsigned barrierCount = 16;

  Block(Cluster &cluster, std::uint32_t rank);
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;
  ~Block();

  /// Begins the block at `index` of the grid. Fails the launch when the host
  /// has no memory for stacks.
  void start(Dim3 clusterIndex, Dim3 index);

  [[nodiscard]] bool finished() const { return unfinished == 0; }
  [[nodiscard]] bool canRun(unsigned warp) const;
  /// How a warp used its turn.
  enum class Turn : std::uint8_t { progressed, spun };
  /// Gives a warp that can run its turn.
  Turn runTurn(unsigned warp);
  [[nodiscard]] const Warp &warp(unsigned i) const { return *warps[i].warp; }

  /// The current group of `warp` arrives at barrier `id`. `threads`: how many
  /// have to arrive, 0 for all of the block. When it `waits`, its result is
  /// written once the barrier is complete. Returns what is wrong, if anything.
  struct Arrival {
    unsigned id = 0;
    std::uint32_t threads = 0;
    bool waits = true;
    BarrierReduction reduction = BarrierReduction::none;
    LaneMask predicate = 0;
  };
  enum class Outcome : std::uint8_t { passed, mustWait, countMismatch };
  Outcome arrive(Warp &warp, const Instr &instr, const Arrival &arrival);

  /// Threads have ended: barriers for all threads may be complete now.
  /// `atCluster` of them had arrived at the barrier of the cluster.
  void threadsEnded(unsigned count, unsigned atCluster);
  /// Ends the turn of a warp: control returns when it is its turn again.
  void yield(Warp &warp);

  /// The host address of an address without the block's rank.
  [[nodiscard]] std::byte *sharedMemory(std::uint64_t address) {
    return reinterpret_cast<std::byte *>(shared.data()) + address;
  }

  /// The address of a host address in the block's shared memory.
  [[nodiscard]] std::optional<std::uint64_t>
  sharedAddress(const std::byte *at) const;

  Cluster &cluster;
  Launch &launch;
  const std::uint32_t rank;       ///< in the cluster
  const std::uint64_t sharedBase; ///< of addresses of its shared memory
  Dim3 clusterIndex, index;

private:
  struct Waiter {
    Warp *warp;
    Group *group;
    const Instr *instr;
    BarrierReduction reduction;
  };
  struct Barrier {
    std::uint32_t expected = 0; ///< threads; 0: all that live
    std::uint32_t arrivedThreads = 0;
    std::uint32_t arrivedUnits = 0; ///< absent threads of a warp count, too
    std::uint32_t popc = 0;
    bool all = true, any = false;
    std::vector<Waiter> waiters;
  };
  struct WarpSlot {
    std::optional<FiberStack> stack;
    std::optional<Fiber> fiber;
    std::unique_ptr<Warp> warp;
  };

  bool complete(const Barrier &barrier) const;
  void release(Barrier &barrier);
  static void runWarp(void *slot);

  std::vector<Program::Line> shared;
  std::array<Barrier, barrierCount> barriers;
  std::vector<WarpSlot> warps;
  unsigned liveThreads = 0;
  unsigned unfinished = 0; ///< warps
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_BLOCK_H
