// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Racecheck: how threads learn of each other.

#include "vgpu/check/racecheck.h"
#include "vgpu/cluster.h"
#include "vgpu/launch.h"

#include <algorithm>

using namespace tessera::vgpu;
using namespace tessera::vgpu::check;

View Published::complete() const {
  if (time == 0)
    return view;
  ViewCollector collector;
  collector.join(view);
  collector.add(agent, LaneMask(1) << lane, time);
  return collector.copy();
}

/// `view` and what `other` has.
void Racecheck::join(View &view, const View &other) {
  if (other.empty() || view == other)
    return;
  if (lastJoin.a == view && lastJoin.b == other) {
    view = lastJoin.sum;
    return;
  }
  ViewCollector collector;
  collector.join(view);
  collector.join(other);
  lastJoin = {view, other, collector.copy()};
  view = lastJoin.sum;
}

/// Adds what `lanes` know and have done; time goes on.
void Racecheck::publishTo(ViewCollector &collector, WarpState &warp,
                          LaneMask lanes) {
  for (unsigned lane : LanesOf(lanes))
    collector.join(warp.lanes[lane].view);
  collector.add(warp.agent, lanes | warp.absent, warp.time);
  ++warp.time;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Racecheck::barrierArrived(Warp &warp, const Instr &, LaneMask lanes,
                               unsigned id, bool waits) {
  WarpState &state = stateOf(warp);
  BarrierState &barrier = state.block->barriers[id];
  publishTo(barrier.arrived, state, lanes);
  if (waits)
    barrier.waiters.emplace_back(&state, lanes);
}

void Racecheck::barrierCompleted(Block &block, unsigned id) {
  BarrierState &barrier = stateOf(block).barriers[id];
  const View view = barrier.arrived.copy();
  for (const auto &[warp, lanes] : barrier.waiters)
    for (unsigned lane : LanesOf(lanes))
      warp->lanes[lane].view = view;
  barrier.waiters.clear();
  barrier.arrived = {};
}

void Racecheck::clusterArrived(Warp &warp, const Instr &instr, LaneMask lanes) {
  if (context.sites[context.siteOf(warp, instr)].releases)
    publishTo(clusters[&warp.block.cluster].arrived, stateOf(warp), lanes);
}

void Racecheck::clusterCompleted(Cluster &cluster) {
  clusterViews[&cluster] = clusters[&cluster].arrived.copy();
}

void Racecheck::clusterPassed(Warp &warp, const Instr &, LaneMask lanes) {
  const View &view = clusterViews[&warp.block.cluster];
  WarpState &state = stateOf(warp);
  for (unsigned lane : LanesOf(lanes))
    join(state.lanes[lane].view, view);
}

void Racecheck::lanesMet(Warp &warp, const Instr &instr, LaneMask lanes) {
  if (!context.sites[context.siteOf(warp, instr)].syncsWarp)
    return;
  WarpState &state = stateOf(warp);
  ViewCollector collector;
  publishTo(collector, state, lanes);
  const View view = collector.copy();
  for (unsigned lane : LanesOf(lanes))
    state.lanes[lane].view = view;
}

//===----------------------------------------------------------------------===//
// Fences, releases and acquires
//===----------------------------------------------------------------------===//

void Racecheck::fence(Warp &warp, const Instr &instr, LaneMask lanes) {
  const Site &site = context.sites[context.siteOf(warp, instr)];
  WarpState &state = stateOf(warp);
  if (site.isProxyFence) {
    for (unsigned lane : LanesOf(lanes)) {
      View &view = state.lanes[lane].view;
      Collector own;
      own.join(view.all);
      own.add(state.agent, LaneMask(1) << lane, state.time);
      const KnowledgeRef visible = own.take();
      if (site.fencesShared)
        view.shared = visible;
      if (site.fencesGlobal)
        view.global = visible;
    }
    ++state.time;
    return;
  }
  for (unsigned lane : LanesOf(lanes)) {
    LaneState &own = state.lanes[lane];
    if (site.acquires && own.order)
      for (unsigned i = 0; i <= unsigned(site.scope); ++i)
        join(own.view, own.order->observed[i]);
    if (site.releases)
      for (unsigned i = 0; i <= unsigned(site.scope); ++i)
        own.orders().released[i] = {own.view, state.agent, lane, state.time};
  }
  if (site.releases)
    ++state.time;
}

void Racecheck::observe(LaneState &lane, const Site &site, std::uint32_t block,
                        const SyncVariable &variable) {
  const Scope needed = distance(variable.block, block);
  if (variable.scope < needed || site.scope < needed)
    return;
  const View &seen = variable.views[unsigned(needed)];
  if (seen.empty())
    return;
  if (site.acquires)
    join(lane.view, seen);
  else
    join(lane.orders().observed[unsigned(needed)], seen);
}

void Racecheck::publish(WarpState &warp, unsigned lane, const Site &site,
                        bool isUpdate, SyncVariables &all,
                        const std::byte *at) {
  LaneState &own = warp.lanes[lane];
  if (!site.releases && !own.order) {
    // A store that releases nothing ends what was released here before.
    if (!isUpdate && !all.empty())
      all.erase(at);
    return;
  }
  SyncVariable &variable = all[at];
  variable.block = warp.block->serial;
  variable.scope = site.scope;
  const Published now{own.view, warp.agent, lane, warp.time};
  for (unsigned i = 0; i <= unsigned(site.scope); ++i) {
    const View view =
        site.releases ? now.complete() : own.order->released[i].complete();
    if (isUpdate)
      join(variable.views[i], view);
    else
      variable.views[i] = view;
  }
}

void Racecheck::orderAccess(const AccessEvent &event, WarpState &warp,
                            const Site &site) {
  SyncVariables &all =
      event.target ? stateOf(*event.target).variables : variables;
  for (unsigned lane : LanesOf(event.lanes)) {
    const std::byte *at = event.at[lane];
    if (event.kind != AccessKind::write && !all.empty())
      if (const auto found = all.find(at); found != all.end())
        observe(warp.lanes[lane], site, warp.block->serial, found->second);
    if (event.kind != AccessKind::read)
      publish(warp, lane, site, event.kind == AccessKind::atomic, all, at);
  }
  if (site.releases)
    ++warp.time;
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

MbarrierState &Racecheck::mbarrierAt(const std::byte *at) {
  return mbarrierBlocks.at(at)->mbarriers[at];
}

void Racecheck::mbarrierInit(Warp &warp, const Instr &, unsigned,
                             const std::byte *at, std::uint64_t) {
  Target target;
  BlockState *block = blockAt(at, warp, target);
  if (!block) // in no memory of the cluster
    block = stateOf(warp).block;
  MbarrierState &object = block->mbarriers[at];
  object = {};
  object.agent = mbarrierAgents | Agent(mbarrierOwners.size());
  mbarrierOwners.push_back({stateOf(warp).block->serial, warp.index});
  mbarrierBlocks[at] = block;
}

void Racecheck::mbarrierArrived(Warp &warp, const Instr &instr, unsigned lane,
                                const std::byte *at) {
  if (!mbarrierBlocks.contains(at))
    return;
  if (context.sites[context.siteOf(warp, instr)].releases)
    publishTo(mbarrierAt(at).arrived, stateOf(warp), LaneMask(1) << lane);
}

void Racecheck::mbarrierArrivesLater(Warp &warp, const Instr &, unsigned lane,
                                     const std::byte *at) {
  if (!mbarrierBlocks.contains(at))
    return;
  WarpState &state = stateOf(warp);
  // Operations that are issued later do not belong to it.
  Time &now = state.groups[std::size_t(AsyncKind::copy)].now[lane];
  mbarrierAt(at).arrived.add(state.agentOf(AgentKind::copy),
                             LaneMask(1) << lane, now);
  ++now;
}

void Racecheck::mbarrierCompleted(const std::byte *at) {
  if (!mbarrierBlocks.contains(at))
    return;
  MbarrierState &object = mbarrierAt(at);
  object.arrived.add(object.agent, allLanes, object.phase);
  object.complete = object.arrived.copy();
  ++object.phase;
}

void Racecheck::mbarrierPassed(Warp &warp, const Instr &instr, unsigned lane,
                               const std::byte *at) {
  if (!mbarrierBlocks.contains(at) ||
      !context.sites[context.siteOf(warp, instr)].acquires)
    return;
  join(stateOf(warp).lanes[lane].view, mbarrierAt(at).complete);
}

//===----------------------------------------------------------------------===//
// Groups of asynchronous operations
//===----------------------------------------------------------------------===//

void Racecheck::groupCommitted(Warp &warp, const Instr &, LaneMask lanes,
                               AsyncKind kind) {
  GroupClock &clock = stateOf(warp).groups[std::size_t(kind)];
  for (unsigned lane : LanesOf(lanes))
    clock.ends[lane].push_back(clock.now[lane]++);
}

void Racecheck::groupWaited(Warp &warp, const Instr &, LaneMask lanes,
                            AsyncKind kind, bool readOnly,
                            const std::uint32_t *ends) {
  WarpState &state = stateOf(warp);
  GroupClock &clock = state.groups[std::size_t(kind)];
  const bool isMatrix = kind == AsyncKind::matrix;
  for (unsigned lane : LanesOf(lanes)) {
    const unsigned owner = isMatrix ? 0 : lane;
    const std::vector<Time> &closed = clock.ends[owner];
    if (ends[lane] == 0)
      continue;
    const bool isAll = ends[lane] > closed.size();
    const Time time = isAll ? clock.now[owner] : closed[ends[lane] - 1];
    ViewCollector known;
    const LaneMask bit = isMatrix ? allLanes : LaneMask(1) << lane;
    if (kind == AsyncKind::bulk) {
      known.add(state.agentOf(AgentKind::bulkRead), bit, time);
      if (!readOnly)
        known.add(state.agentOf(AgentKind::bulkWrite), bit, time);
    } else {
      known.add(state.agentOf(isMatrix ? AgentKind::matrix : AgentKind::copy),
                bit, time);
    }
    if (isAll && !isMatrix)
      ++clock.now[lane];
    join(state.lanes[lane].view, known.copy());
  }
  if (isMatrix && ends[firstLane(lanes)] > clock.ends[0].size())
    ++clock.now[0];
}
