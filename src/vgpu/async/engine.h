// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The asynchronous operations of a cluster: issued by a warp, they take effect
// later. What an operation reads and what it writes have moments of their own
// (see `AsyncMoments`), and a program learns of them only through what it waits
// for: groups of operations, or an mbarrier.
//
// Thread safety: an engine belongs to the worker that runs its cluster.

#ifndef TESSERA_VGPU_ASYNC_ENGINE_H
#define TESSERA_VGPU_ASYNC_ENGINE_H

#include "vgpu/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

namespace tessera::vgpu {

class AsyncVisitor;
class Cluster;
class Warp;

/// What an operation is waited for by.
enum class AsyncKind : std::uint8_t {
  copy,   ///< `cp.async`: groups of a thread
  bulk,   ///< `cp.async.bulk` and relatives with groups of a thread
  matrix, ///< `wgmma`: groups of a warp
  signal, ///< signals an mbarrier; no groups
};
inline constexpr std::size_t asyncGroupKinds = 3;

/// The groups of asynchronous operations that the threads of a warp have
/// closed, by kind and lane: the number of the open one. Warps use lane 0.
using AsyncGroups =
    std::array<std::array<std::uint32_t, warpSize>, asyncGroupKinds>;

/// Something that happens later. Addresses have been checked when it is issued.
class AsyncOperation {
public:
  virtual ~AsyncOperation() = default;
  /// Takes what the operation reads.
  virtual void read() = 0;
  /// Writes, and signals that it has. Called once, after `read`.
  virtual void write() = 0;
  /// Says what it reads and writes, for a monitor.
  virtual void visit(AsyncVisitor &visitor) = 0;
};

/// Whose operation it is.
struct AsyncIssue {
  Warp *warp = nullptr;
  AsyncKind kind = AsyncKind::signal;
  LaneMask lanes = 0;      ///< that issued it
  std::uint32_t group = 0; ///< the open group of these lanes
  /// It comes after all earlier operations of its warp and kind.
  bool isOrdered = false;
};

class AsyncEngine {
public:
  explicit AsyncEngine(Cluster &cluster) : cluster(cluster) {}

  /// `instr` is what issues the operation.
  void issue(std::unique_ptr<AsyncOperation> operation, const AsyncIssue &issue,
             const Instr &instr);
  /// Whether the groups of `lanes` up to and without number `end` are complete;
  /// `readOnly`: whether they have taken all that they read.
  [[nodiscard]] bool isDone(const Warp &warp, AsyncKind kind, unsigned lane,
                            std::uint32_t end, bool readOnly) const;

  /// Completes the oldest operation. False when there is none.
  bool advance();
  /// Moves some operation on, by chance.
  void advanceAny();
  /// All blocks have ended: completes what is left.
  void finish();
  void reset() { pending.clear(); }

private:
  struct Pending {
    std::unique_ptr<AsyncOperation> operation;
    AsyncIssue issue;
    bool hasRead = false;
  };

  /// The first operation that has to come before the one at `place`, which may
  /// be itself.
  [[nodiscard]] std::size_t firstBefore(std::size_t place) const;
  void read(Pending &entry);
  void complete(std::size_t place);

  Cluster &cluster;
  std::deque<Pending> pending; ///< oldest first
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_ASYNC_ENGINE_H
