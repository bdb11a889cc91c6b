// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/cluster.h"
#include "vgpu/async/mbarrier.h"
#include "vgpu/fault.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"
#include "vgpu/worker.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace tessera::vgpu;

namespace {

/// Warps whose waits a deadlock's message tells.
constexpr unsigned mostTold = 8;

/// Rounds in which all warps only spun before an asynchronous operation is
/// taken to be what they wait for.
constexpr unsigned spinPatience = 16;

/// With a seed, one round in so many moves an asynchronous operation on.
constexpr std::uint32_t asyncOdds = 3;

Dim3 unfold(std::uint64_t linear, const Dim3 &extent) {
  return {std::uint32_t(linear % extent.x),
          std::uint32_t(linear / extent.x % extent.y),
          std::uint32_t(linear / extent.x / extent.y)};
}

} // namespace

Cluster::Cluster(Worker &worker) : worker(worker), async(*this) {
  const Launch &launch = worker.launch;
  for (std::uint32_t rank = 0; rank < launch.clusterShape.count(); ++rank)
    blocks.push_back(std::make_unique<Block>(*this, rank));
  order.resize(blocks.size() * launch.warpsPerBlock);
  std::iota(order.begin(), order.end(), 0u);
}

Cluster::~Cluster() = default;

void Cluster::start(std::uint64_t linear) {
  const Launch &launch = worker.launch;
  stepCount = 0;
  idleRounds = 0;
  barrierPhase = 0;
  barrierArrived = 0;
  liveThreads = unsigned(launch.threadsPerBlock * blocks.size());
  waiters.clear();
  async.reset();

  const Dim3 &shape = launch.clusterShape;
  const Dim3 first = unfold(linear, launch.clusterGrid);
  for (auto &block : blocks) {
    const Dim3 inside = unfold(block->rank, shape);
    block->start(first,
                 {first.x * shape.x + inside.x, first.y * shape.y + inside.y,
                  first.z * shape.z + inside.z});
  }
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

void Cluster::runTurn(Block &block, unsigned warp, Round &round) {
  round.ran = true;
  round.progressed |= block.runTurn(warp) == Block::Turn::progressed;
}

Cluster::Round Cluster::runRound() {
  const Launch &launch = worker.launch;
  Round round;
  if (!launch.options.seed) {
    for (auto &block : blocks)
      for (unsigned i = 0; i < launch.warpsPerBlock && !launch.failed(); ++i)
        if (block->canRun(i))
          runTurn(*block, i, round);
    return round;
  }
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[worker.random(std::uint32_t(i))]);
  for (const std::uint32_t place : order) {
    if (launch.failed())
      break;
    Block &block = *blocks[place / launch.warpsPerBlock];
    const unsigned warp = place % launch.warpsPerBlock;
    if (!block.canRun(warp))
      continue;
    // Some are passed over, so that one may get far ahead of the others.
    if (worker.random(4) == 0)
      round.ran = true;
    else
      runTurn(block, warp, round);
    if (launch.options.asyncMoments == AsyncMoments::seeded &&
        worker.random(asyncOdds) == 0)
      async.advanceAny();
  }
  return round;
}

Cluster::Progress Cluster::step() {
  Launch &launch = worker.launch;
  ++stepCount;
  const Round round = runRound();
  if (launch.failed())
    return Progress::finished;
  if (std::ranges::all_of(blocks, [](auto &b) { return b->finished(); })) {
    async.finish();
    return Progress::finished;
  }
  idleRounds = round.progressed ? 0 : idleRounds + 1;
  if (round.ran && idleRounds < spinPatience)
    return Progress::running;
  if (!async.advance() && !round.ran) {
    failDeadlocked();
    return Progress::finished;
  }
  return Progress::running;
}

void Cluster::failDeadlocked() {
  const Launch &launch = worker.launch;
  Fault fault{.kind = FaultKind::deadlock};
  fault.what = blocks.size() == 1
                   ? "deadlock: no warp of the block can go on"
                   : "deadlock: no warp of the cluster can go on";
  unsigned told = 0;
  for (const auto &block : blocks) {
    for (unsigned i = 0; i < launch.warpsPerBlock; ++i) {
      const Warp &warp = block->warp(i);
      if (warp.finished() || told++ >= mostTold)
        continue;
      fault.what += "; ";
      if (blocks.size() > 1)
        fault.what += concat("block ", block->rank, " of the cluster, ");
      fault.what += warp.describeWaits();
    }
  }
  if (told > mostTold)
    fault.what += concat("; and ", plural(told - mostTold, "more warp"));
  fault.kernel = launch.kernel.info.name;
  fault.block = blocks.front()->index;
  worker.launch.fail(std::move(fault));
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

void Cluster::enlist(Warp &warp, Key key) {
  waiters.push_back({&warp, warp.current, key});
}

void Cluster::wake(Key key) {
  std::erase_if(waiters, [key](const Waiter &waiter) {
    if (waiter.key != key)
      return false;
    waiter.group->wait = Wait::none;
    return true;
  });
}

std::string Cluster::describeMbarrier(const std::byte *at) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  const auto object = Mbarrier::decode(bits);
  if (!object)
    return "an mbarrier that has been overwritten";
  for (const auto &block : blocks)
    if (const auto address = block->sharedAddress(at))
      return concat("phase ", unsigned(object->parity), " of the mbarrier at ",
                    hex(*address), " (", object->describe(), ")");
  return concat("an mbarrier (", object->describe(), ")");
}

//===----------------------------------------------------------------------===//
// The barrier
//===----------------------------------------------------------------------===//

std::uint32_t Cluster::arrive(unsigned threads) {
  const std::uint32_t phase = barrierPhase;
  barrierArrived += threads;
  completeBarrier();
  return phase;
}

void Cluster::completeBarrier() {
  if (barrierArrived == 0 || barrierArrived < liveThreads)
    return;
  barrierArrived = 0;
  ++barrierPhase;
  if (Monitor *monitor = worker.launch.monitor)
    monitor->clusterCompleted(*this);
  wake(barrierKey());
}

void Cluster::threadsEnded(unsigned count, unsigned arrived) {
  liveThreads -= count;
  barrierArrived -= arrived;
  completeBarrier();
}
