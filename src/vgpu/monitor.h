// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one hook of whoever watches launches: what the checkers in `check/` are
// policies on. A watched launch is interpreted, on one host thread; a device
// without a monitor pays for none of this.
//
// All functions do nothing unless overridden. Device memory events come from
// the threads that use the device, the others from the thread that launches;
// `check::Checks` takes care of both.

#ifndef TESSERA_VGPU_MONITOR_H
#define TESSERA_VGPU_MONITOR_H

#include "vgpu/access.h"
#include "vgpu/async/engine.h"
#include "vgpu/memory.h"
#include "vgpu/program.h"
#include "vgpu/vgpu.h"

#include <cstddef>
#include <cstdint>

namespace tessera::vgpu {

class Block;
class Cluster;
class Launch;
class Warp;

/// An access by lanes of a warp to one space; it has been found to be in
/// bounds.
struct AccessEvent {
  Warp &warp;
  const Instr &instr;
  LaneMask lanes = 0;
  MemorySpace space = MemorySpace::global; ///< global, shared, local or param
  AccessKind kind = AccessKind::read;
  std::uint32_t bytes = 0; ///< of each lane
  Block *target = nullptr; ///< shared: whose memory
  /// By lane: global addresses, or offsets in the space (in the target).
  const std::uint64_t *addresses = nullptr;
  std::byte *const *at = nullptr; ///< by lane: in the host's memory
};

/// What an asynchronous operation reads and writes, and which mbarrier hears
/// of the bytes (null: none).
class AsyncVisitor {
public:
  virtual ~AsyncVisitor() = default;
  virtual void reads(const std::byte *from, std::uint32_t bytes) = 0;
  virtual void writes(std::byte *to, std::uint32_t bytes,
                      const std::byte *mbarrier) = 0;
};

class Monitor {
public:
  Monitor() = default;
  Monitor(const Monitor &) = delete;
  Monitor &operator=(const Monitor &) = delete;
  virtual ~Monitor();

  /// How memory is laid out so that wrong accesses show.
  [[nodiscard]] virtual MemoryGuard memoryGuard() const { return {}; }
  /// Whether `step` is wanted.
  [[nodiscard]] virtual bool wantsSteps() const { return false; }

  //===-- The host --------------------------------------------------------===//

  virtual void moduleLoaded(const Program &) {}
  virtual void allocated(const Allocation &) {}
  virtual void freed(const Allocation &) {}
  virtual void hostWrote(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void hostRead(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void hostCopied(std::uint64_t /*to*/, std::uint64_t /*from*/,
                          std::uint64_t /*bytes*/) {}
  /// A call of the host's was refused, or a launch ended this way.
  virtual void failed(const Fault &) {}

  //===-- Launches --------------------------------------------------------===//

  virtual void launchBegins(const Launch &) {}
  virtual void launchEnds(const Launch &) {}
  virtual void blockBegins(Block &) {}
  /// Lanes begin to execute a function: its frame has been made.
  virtual void frameEntered(Warp &, const Frame &, LaneMask) {}
  /// Bytes of local memory are written that no instruction stores: arguments
  /// and results.
  virtual void argumentWritten(Warp &, LaneMask, std::uint64_t /*address*/,
                               std::uint64_t /*bytes*/) {}
  virtual void lanesEnded(Warp &, const Instr &, LaneMask) {}
  /// An instruction is about to be executed; only when `wantsSteps`.
  virtual void step(Warp &, const Instr &) {}

  //===-- Memory ----------------------------------------------------------===//

  virtual void access(const AccessEvent &) {}

  //===-- Synchronisation -------------------------------------------------===//

  /// `membar`, `fence`, `fence.proxy` and `wgmma.fence`: the instruction says
  /// which.
  virtual void fence(Warp &, const Instr &, LaneMask) {}
  /// Threads arrive at a barrier of their block. When they wait, `completed`
  /// lets them go on.
  virtual void barrierArrived(Warp &, const Instr &, LaneMask, unsigned /*id*/,
                              bool /*waits*/) {}
  virtual void barrierCompleted(Block &, unsigned /*id*/) {}
  virtual void clusterArrived(Warp &, const Instr &, LaneMask) {}
  virtual void clusterCompleted(Cluster &) {}
  /// Threads go on after the cluster's barrier.
  virtual void clusterPassed(Warp &, const Instr &, LaneMask) {}
  /// Lanes have met at `bar.warp.sync`, `shfl.sync`, `vote.sync`, …
  virtual void lanesMet(Warp &, const Instr &, LaneMask) {}
  /// Lanes have shuffled values out of lanes that did not take part.
  virtual void shuffledFromAbsent(Warp &, const Instr &, LaneMask) {}
  /// An aligned instruction was executed by `LaneMask` alone, because the
  /// other lanes have ended meanwhile instead of coming to it.
  virtual void convergedByExit(Warp &, const Instr &, LaneMask,
                               LaneMask /*ended*/) {}

  //===-- mbarriers, by lane ----------------------------------------------===//

  /// `old`: the bits that are there.
  virtual void mbarrierInit(Warp &, const Instr &, unsigned /*lane*/,
                            const std::byte * /*at*/, std::uint64_t /*old*/) {}
  virtual void mbarrierInvalidated(Warp &, const Instr &, unsigned /*lane*/,
                                   const std::byte * /*at*/) {}
  virtual void mbarrierArrived(Warp &, const Instr &, unsigned /*lane*/,
                               const std::byte * /*at*/) {}
  /// The arrival that earlier `cp.async` of the lane will cause.
  virtual void mbarrierArrivesLater(Warp &, const Instr &, unsigned /*lane*/,
                                    const std::byte * /*at*/) {}
  virtual void mbarrierCompleted(const std::byte * /*at*/) {}
  /// A lane has seen that the phase it asked for is complete.
  virtual void mbarrierPassed(Warp &, const Instr &, unsigned /*lane*/,
                              const std::byte * /*at*/) {}

  //===-- Asynchronous operations -----------------------------------------===//

  virtual void asyncIssued(const AsyncIssue &, const Instr &,
                           AsyncOperation &) {}
  virtual void groupCommitted(Warp &, const Instr &, LaneMask, AsyncKind) {}
  /// Lanes know that their groups below number `ends[lane]` are complete;
  /// `readOnly`: that these have read.
  virtual void groupWaited(Warp &, const Instr &, LaneMask, AsyncKind,
                           bool /*readOnly*/, const std::uint32_t * /*ends*/) {}
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MONITOR_H
