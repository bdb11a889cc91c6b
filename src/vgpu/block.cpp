// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/block.h"
#include "vgpu/cluster.h"
#include "vgpu/fault.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"
#include "vgpu/worker.h"

#include <algorithm>
#include <cstring>
#include <functional>

using namespace tessera::vgpu;

namespace {
/// Executing an instruction takes little; formatting messages takes the most.
constexpr std::size_t fiberStackBytes = 128 << 10;
} // namespace

Block::Block(Cluster &cluster, std::uint32_t rank)
    : cluster(cluster), launch(cluster.worker.launch), rank(rank),
      sharedBase(cluster::base(rank)), warps(launch.warpsPerBlock) {
  shared.resize((launch.sharedEnd + sizeof(Program::Line) - 1) /
                sizeof(Program::Line));
  for (unsigned i = 0; i < warps.size(); ++i)
    warps[i].warp = std::make_unique<Warp>(*this, i);
}

Block::~Block() = default;

void Block::runWarp(void *slot) { static_cast<WarpSlot *>(slot)->warp->run(); }

void Block::start(Dim3 newClusterIndex, Dim3 newIndex) {
  clusterIndex = newClusterIndex;
  index = newIndex;
  liveThreads = launch.threadsPerBlock;
  unfinished = unsigned(warps.size());
  if (!shared.empty())
    std::memset(shared.data(), 0, shared.size() * sizeof(Program::Line));
  for (Barrier &barrier : barriers)
    barrier = {};

  if (launch.monitor)
    launch.monitor->blockBegins(*this);
  for (unsigned i = 0; i < warps.size(); ++i) {
    WarpSlot &slot = warps[i];
    if (!slot.stack)
      slot.stack = FiberStack::create(fiberStackBytes);
    if (!slot.stack) {
      launch.fail({.kind = FaultKind::outOfMemory,
                   .what = "the host has no memory for the stacks of a block"});
      return;
    }
    slot.fiber.emplace(*slot.stack, &Block::runWarp, &slot);
    slot.warp->start(std::min(warpSize, launch.threadsPerBlock - i * warpSize));
  }
}

std::optional<std::uint64_t> Block::sharedAddress(const std::byte *at) const {
  const auto *first = reinterpret_cast<const std::byte *>(shared.data());
  if (std::less<>{}(at, first) ||
      at - first >= std::ptrdiff_t(launch.sharedEnd))
    return std::nullopt;
  return sharedBase + std::uint64_t(at - first);
}

bool Block::canRun(unsigned i) const {
  return !warps[i].warp->finished() && warps[i].warp->hasReadyGroup();
}

Block::Turn Block::runTurn(unsigned i) {
  WarpSlot &slot = warps[i];
  slot.warp->spun = false;
  slot.fiber->resume();
  if (!launch.failed() && slot.warp->finished())
    --unfinished;
  return slot.warp->spun ? Turn::spun : Turn::progressed;
}

void Block::yield(Warp &warp) { warps[warp.index].fiber->suspend(); }

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

bool Block::complete(const Barrier &barrier) const {
  if (barrier.expected)
    return barrier.arrivedUnits >= barrier.expected;
  return barrier.arrivedThreads > 0 && barrier.arrivedThreads >= liveThreads;
}

void Block::release(Barrier &barrier) {
  if (launch.monitor)
    launch.monitor->barrierCompleted(*this,
                                     unsigned(&barrier - barriers.data()));
  for (const Waiter &waiter : barrier.waiters) {
    Group &group = *waiter.group;
    auto *registers =
        reinterpret_cast<std::byte *>(group.frame->registers.data());
    const Slot dst = waiter.instr->dst;
    if (waiter.reduction == BarrierReduction::popc) {
      auto *values =
          reinterpret_cast<std::uint32_t *>(registers + dst.offset());
      for (unsigned lane : LanesOf(group.mask))
        values[lane] = barrier.popc;
    } else if (waiter.reduction != BarrierReduction::none) {
      const bool value =
          waiter.reduction == BarrierReduction::all ? barrier.all : barrier.any;
      auto &reg = *reinterpret_cast<LaneMask *>(registers + dst.offset());
      reg = value ? reg | group.mask : reg & ~group.mask;
    }
    group.wait = Wait::none;
    group.pc = waiter.instr + 1;
  }
  barrier = {};
}

Block::Outcome Block::arrive(Warp &warp, const Instr &instr,
                             const Arrival &arrival) {
  Barrier &barrier = barriers[arrival.id];
  Group &group = *warp.current;
  const bool isFirst = barrier.arrivedUnits == 0;
  if (!isFirst && barrier.expected != arrival.threads)
    return Outcome::countMismatch;

  barrier.expected = arrival.threads;
  barrier.arrivedThreads += unsigned(std::popcount(group.mask));
  barrier.arrivedUnits += group.arrivals;
  const LaneMask holds = arrival.predicate & group.mask;
  barrier.popc += unsigned(std::popcount(holds));
  barrier.all = barrier.all && holds == group.mask;
  barrier.any = barrier.any || holds != 0;
  if (arrival.waits)
    barrier.waiters.push_back({&warp, &group, &instr, arrival.reduction});
  if (launch.monitor)
    launch.monitor->barrierArrived(warp, instr, group.mask, arrival.id,
                                   arrival.waits);
  if (!complete(barrier))
    return arrival.waits ? Outcome::mustWait : Outcome::passed;
  release(barrier);
  return Outcome::passed;
}

void Block::threadsEnded(unsigned count, unsigned atCluster) {
  liveThreads -= count;
  for (Barrier &barrier : barriers)
    if (barrier.expected == 0 && complete(barrier))
      release(barrier);
  cluster.threadsEnded(count, atCluster);
}
