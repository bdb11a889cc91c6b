// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What racecheck keeps of blocks, warps and lanes while they run.

#ifndef TESSERA_VGPU_CHECK_RACE_STATE_H
#define TESSERA_VGPU_CHECK_RACE_STATE_H

#include "vgpu/check/knowledge.h"
#include "vgpu/check/race-memory.h"
#include "vgpu/check/sites.h"
#include "vgpu/vgpu.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tessera::vgpu::check {

/// What works for a warp. Agents of mbarriers, which stand for the copies that
/// signal them, have numbers of their own: a phase of the mbarrier is a tick.
enum class AgentKind : std::uint8_t {
  threads,
  copy,      ///< `cp.async`
  bulkRead,  ///< what bulk copies of a group read,
  bulkWrite, ///< and what they write
  matrix,    ///< wgmma
};
inline constexpr Agent mbarrierAgents = Agent(1) << 31;
inline constexpr unsigned agentKindBits = 3;

/// What a thread knows: of everything, and which writes of the generic proxy
/// have been made visible to the async proxy, in shared and global memory.
struct View {
  KnowledgeRef all, shared, global;
  friend bool operator==(const View &, const View &) = default;
  [[nodiscard]] bool empty() const { return !all; }
};

class ViewCollector {
public:
  void join(const View &view) {
    all.join(view.all);
    shared.join(view.shared);
    global.join(view.global);
  }
  void add(Agent agent, LaneMask lanes, Time time) {
    all.add(agent, lanes, time);
  }
  [[nodiscard]] View copy() {
    return {all.copy(), shared.copy(), global.copy()};
  }

private:
  Collector all, shared, global;
};

/// A lane's view at a release, with what the lane itself had done by then.
struct Published {
  View view;
  Agent agent = 0;
  unsigned lane = 0;
  Time time = 0; ///< 0: nothing is published
  [[nodiscard]] View complete() const;
};

/// What a lane has released with fences, and observed without an acquire, by
/// scope.
struct LaneOrder {
  std::array<Published, scopeCount> released;
  std::array<View, scopeCount> observed;
};

struct LaneState {
  View view;
  std::unique_ptr<LaneOrder> order; ///< made when it is needed
  LaneOrder &orders() {
    if (!order)
      order = std::make_unique<LaneOrder>();
    return *order;
  }
};

/// The asynchronous operations of a warp that belong to groups of one kind.
struct GroupClock {
  std::array<Time, warpSize> now;
  /// When each closed group ended.
  std::array<std::vector<Time>, warpSize> ends;
  GroupClock() { now.fill(1); }
};

struct BlockState;

struct WarpState {
  BlockState *block = nullptr;
  unsigned index = 0;
  Agent agent = 0; ///< of its threads
  Time time = 1;
  LaneMask absent = 0; ///< lanes that the warp never had
  std::array<LaneState, warpSize> lanes;
  std::array<GroupClock, asyncGroupKinds> groups;

  [[nodiscard]] Agent agentOf(AgentKind kind) const {
    return agent + Agent(kind);
  }
};

/// What is released through an address, by the scope it was released with at
/// least.
struct SyncVariable {
  std::uint32_t block = 0; ///< of the last writer
  Scope scope = Scope::device;
  std::array<View, scopeCount> views;
};
using SyncVariables = std::unordered_map<const std::byte *, SyncVariable>;

struct MbarrierState {
  ViewCollector arrived;
  View complete;
  Agent agent = 0;
  Time phase = 1;
};

struct BarrierState {
  ViewCollector arrived;
  std::vector<std::pair<WarpState *, LaneMask>> waiters;
};

struct BlockState {
  std::uint32_t serial = 0; ///< into `RaceOwners`
  std::vector<WarpState> warps;
  std::vector<Cell> shared; ///< by word
  std::array<BarrierState, 16> barriers;
  std::unordered_map<const std::byte *, MbarrierState> mbarriers;
  SyncVariables variables;
};

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_RACE_STATE_H
