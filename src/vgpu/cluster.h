// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cluster of blocks while it runs: its warps take turns, its barrier, its
// asynchronous operations. A block outside of any cluster is a cluster of one.
//
// Thread safety: a cluster belongs to the worker that runs it.

#ifndef TESSERA_VGPU_CLUSTER_H
#define TESSERA_VGPU_CLUSTER_H

#include "vgpu/async/engine.h"
#include "vgpu/block.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::vgpu {

class Worker;

class Cluster {
public:
  explicit Cluster(Worker &worker);
  Cluster(const Cluster &) = delete;
  Cluster &operator=(const Cluster &) = delete;
  ~Cluster();

  /// Begins the `linear`-th cluster of the grid. Fails the launch when the host
  /// has no memory for stacks.
  void start(std::uint64_t linear);

  enum class Progress : std::uint8_t { finished, running };
  /// Gives every warp that can run one turn. A deadlock fails the launch.
  Progress step();
  /// Steps since the cluster began; tells one that spins.
  [[nodiscard]] std::uint64_t steps() const { return stepCount; }

  /// The block of a rank, or null when there is none.
  [[nodiscard]] Block *block(std::uint64_t rank) {
    return rank < blocks.size() ? blocks[rank].get() : nullptr;
  }

  //===-- Waiting ---------------------------------------------------------===//

  /// What a group waits for, by a number of its own: the host address of an
  /// mbarrier, say.
  using Key = std::uintptr_t;
  /// Remembers that the current group of `warp` is about to wait for `key`.
  void enlist(Warp &warp, Key key);
  /// Lets the groups that wait for `key` look again at what they wait for.
  void wake(Key key);

  /// "phase 0 of the mbarrier at 0x440 (pending arrivals 1)".
  [[nodiscard]] std::string describeMbarrier(const std::byte *at) const;

  //===-- The barrier of the cluster --------------------------------------===//

  /// Threads arrive; returns the phase that they arrive in.
  std::uint32_t arrive(unsigned threads);
  [[nodiscard]] std::uint32_t phase() const { return barrierPhase; }
  /// Threads have ended, `arrived` of which had arrived in this phase.
  void threadsEnded(unsigned count, unsigned arrived);
  [[nodiscard]] Key barrierKey() const { return Key(this); }

  Worker &worker;
  AsyncEngine async;

private:
  struct Waiter {
    Warp *warp;
    Group *group;
    Key key;
  };
  /// What a round over all warps came to.
  struct Round {
    bool ran = false;        ///< a warp had a turn
    bool progressed = false; ///< and did more in it than spin
  };

  Round runRound();
  void runTurn(Block &block, unsigned warp, Round &round);
  void completeBarrier();
  void failDeadlocked();

  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<std::uint32_t> order; ///< of the warps' turns; with a seed
  std::vector<Waiter> waiters;
  std::uint64_t stepCount = 0;
  unsigned idleRounds = 0; ///< without progress, one after another
  std::uint32_t barrierPhase = 0;
  unsigned barrierArrived = 0; ///< threads
  unsigned liveThreads = 0;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_CLUSTER_H
