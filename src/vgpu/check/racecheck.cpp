// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: what is checked against what. The threads' knowledge is in
// race-order.cpp.

#include "vgpu/check/racecheck.h"
#include "vgpu/cluster.h"
#include "vgpu/launch.h"
#include "vgpu/text.h"
#include "vgpu/worker.h"

#include <algorithm>

using namespace tessera::vgpu;
using namespace tessera::vgpu::check;

namespace {

/// Readers of a word of global memory that are remembered; those of a word of
/// shared memory are no more than the warps of a block.
constexpr std::size_t mostReads = 4;

std::string_view nameOf(const void *block) {
  return block ? "shared" : "global";
}

} // namespace

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void Racecheck::launchBegins(const Launch &) {
  blockRecords.clear();
  clusterCount = 0;
  mbarrierOwners.clear();
}

void Racecheck::launchEnds(const Launch &) {
  blocks.clear();
  clusters.clear();
  clusterViews.clear();
  mbarrierBlocks.clear();
  memory.clear();
  variables.clear();
  lastBlock = nullptr;
  lastJoin = {};
}

void Racecheck::blockBegins(Block &block) {
  if (block.rank == 0) {
    ++clusterCount;
    clusters.erase(&block.cluster);
    clusterViews.erase(&block.cluster);
  }
  auto &state = blocks[&block];
  state = std::make_unique<BlockState>();
  lastBlock = nullptr;
  state->serial = std::uint32_t(blockRecords.size());
  blockRecords.push_back({block.index, clusterCount});
  state->shared.resize((block.launch.sharedEnd + cellBytes - 1) / cellBytes);
  const unsigned warps = block.launch.warpsPerBlock;
  state->warps = std::vector<WarpState>(warps);
  for (unsigned i = 0; i < warps; ++i) {
    WarpState &warp = state->warps[i];
    warp.block = state.get();
    warp.index = i;
    warp.agent = (state->serial * warps + i) << agentKindBits;
    const unsigned threads =
        std::min(warpSize, block.launch.threadsPerBlock - i * warpSize);
    warp.absent = threads == warpSize ? 0 : ~((LaneMask(1) << threads) - 1);
  }
}

BlockState &Racecheck::stateOf(const Block &block) {
  if (lastBlock != &block) {
    lastBlock = &block;
    lastState = blocks.at(&block).get();
  }
  return *lastState;
}

WarpState &Racecheck::stateOf(const Warp &warp) {
  return stateOf(warp.block).warps[warp.index];
}

Racecheck::Owner Racecheck::ownerOf(Agent agent) const {
  if ((agent & mbarrierAgents) != 0)
    return mbarrierOwners[agent & ~mbarrierAgents];
  const std::uint32_t warp = agent >> agentKindBits;
  const unsigned warps = context.launch->warpsPerBlock;
  return {warp / warps, warp % warps};
}

Scope Racecheck::distance(std::uint32_t a, std::uint32_t b) const {
  if (a == b)
    return Scope::block;
  return blockRecords[a].cluster == blockRecords[b].cluster ? Scope::cluster
                                                            : Scope::device;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

Time Racecheck::known(const KnowledgeRef &knowledge, Agent agent,
                      unsigned lane) {
  if (!knowledge)
    return 0;
  if (lookup.knowledge != knowledge.get() || lookup.agent != agent)
    lookup = {knowledge.get(), agent, knowledge->find(agent)};
  return lookup.entry ? lookup.entry->at(lane) : 0;
}

/// Whether an access by `lane` of `agent` comes before the actor's.
bool Racecheck::isOrdered(Agent agent, unsigned lane, Time time,
                          AccessInfo info, bool isWrite, const Actor &actor,
                          const Target &target) {
  const bool isOwn = agent == actor.issuer->agent && lane == actor.info.lane;
  const bool crosses = actor.info.isProxy && !info.isProxy && isWrite;
  if (!crosses)
    return isOwn || known(actor.view->all, agent, lane) >= time;
  return known(target.block ? actor.view->shared : actor.view->global, agent,
               lane) >= time;
}

bool Racecheck::isMorallyStrong(Agent agent, AccessInfo info,
                                const Actor &actor) const {
  if (!info.isStrong || !actor.info.isStrong)
    return false;
  const auto needed =
      unsigned(distance(ownerOf(agent).block, actor.issuer->block->serial));
  return info.scope >= needed && actor.info.scope >= needed;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

template <class Visit>
void Racecheck::forEachCell(BlockState *block, std::uint64_t address,
                            std::uint32_t bytes, Visit visit) {
  const std::uint64_t end = address + bytes;
  while (address < end) {
    const std::uint64_t word = address / cellBytes * cellBytes;
    Cell &cell = block ? block->shared[word / cellBytes] : memory.global(word);
    const std::uint64_t next = std::min(end, word + cellBytes);
    if (next - address == cellBytes && cell.bytes == 0) {
      visit(cell, word);
    } else {
      auto &parts = memory.split(cell);
      for (std::uint64_t at = address; at < next; ++at)
        visit(parts[at - word], at);
    }
    address = next;
  }
}

void Racecheck::checkAgainstWrite(const Cell &cell, const Actor &actor,
                                  const Target &target) {
  const WriteMark &mark = cell.write;
  if (mark.time == 0 || isOrdered(mark.agent, mark.info.lane, mark.time,
                                  mark.info, true, actor, target))
    return;
  if (!isMorallyStrong(mark.agent, mark.info, actor))
    report(mark.agent, mark.info, mark.info.lane, true, mark.time, actor,
           target);
}

void Racecheck::checkAgainstRead(const ReadMark &mark, const Actor &actor,
                                 const Target &target) {
  if (mark.time == 0)
    return;
  for (unsigned lane : LanesOf(mark.lanes)) {
    if (isOrdered(mark.agent, lane, mark.time, mark.info, false, actor, target))
      continue;
    if (!isMorallyStrong(mark.agent, mark.info, actor))
      report(mark.agent, mark.info, lane, false, mark.time, actor, target);
    return;
  }
}

void Racecheck::check(Cell &cell, const Actor &actor, const Target &target) {
  checkAgainstWrite(cell, actor, target);
  if (actor.kind == AccessKind::read)
    return;
  checkAgainstRead(cell.read, actor, target);
  if (cell.moreReads != 0)
    for (const ReadMark &mark : memory.reads(cell))
      checkAgainstRead(mark, actor, target);
}

void Racecheck::record(Cell &cell, const Actor &actor, const Target &target) {
  if (actor.kind == AccessKind::read)
    return recordRead(cell, actor, target);
  cell.write = {actor.agent, actor.time, actor.info};
  cell.read.time = 0;
  if (cell.moreReads != 0)
    memory.reads(cell).clear();
}

void Racecheck::recordRead(Cell &cell, const Actor &actor,
                           const Target &target) {
  const unsigned lane = actor.info.lane;
  const LaneMask bit = LaneMask(1) << lane;
  AccessInfo info = actor.info;
  info.lane = 0;
  const ReadMark fresh{actor.agent, actor.time, info, bit};
  const auto merges = [&](ReadMark &mark) {
    if (mark.agent != fresh.agent || mark.time != fresh.time ||
        mark.info.isStrong != info.isStrong || mark.info.scope != info.scope)
      return false;
    mark.lanes |= bit;
    return true;
  };
  ReadMark &first = cell.read;
  if (first.time != 0 && merges(first))
    return;
  const auto isPast = [&](const ReadMark &mark) {
    if (mark.time == 0)
      return true;
    if (mark.info.isStrong != info.isStrong)
      return false;
    for (unsigned other : LanesOf(mark.lanes))
      if (!isOrdered(mark.agent, other, mark.time, mark.info, false, actor,
                     target))
        return false;
    return true;
  };
  if (isPast(first)) {
    first = fresh;
    return;
  }
  std::vector<ReadMark> &more = memory.reads(cell);
  for (ReadMark &mark : more)
    if (merges(mark))
      return;
  for (ReadMark &mark : more)
    if (isPast(mark)) {
      mark = fresh;
      return;
    }
  if (!target.block && more.size() >= mostReads) {
    more[fresh.agent / 8 % mostReads] = fresh;
    return;
  }
  more.push_back(fresh);
}

//===----------------------------------------------------------------------===//
// Accesses by instructions
//===----------------------------------------------------------------------===//

void Racecheck::access(const AccessEvent &event) {
  if (event.space != MemorySpace::global && event.space != MemorySpace::shared)
    return;
  lookup = {};
  WarpState &warp = stateOf(event.warp);
  const std::uint32_t number = context.siteOf(event.warp, event.instr);
  const Site &site = context.sites[number];
  BlockState *const block = event.target ? &stateOf(*event.target) : nullptr;
  Actor actor{.agent = warp.agent,
              .time = warp.time,
              .info = {.site = number,
                       .isStrong = site.isStrong,
                       .scope = unsigned(site.scope)},
              .issuer = &warp,
              .kind = event.kind,
              .bytes = event.bytes};
  Target target{.block = event.target};
  const bool isRead = event.kind == AccessKind::read;
  // What lanes do in one instruction is no race among them: the writes are
  // recorded after all have been checked.
  for (unsigned lane : LanesOf(event.lanes)) {
    actor.info.lane = lane;
    actor.view = &warp.lanes[lane].view;
    forEachCell(block, event.addresses[lane], event.bytes,
                [&](Cell &cell, std::uint64_t at) {
                  target.address = at;
                  check(cell, actor, target);
                  if (isRead)
                    record(cell, actor, target);
                });
  }
  if (!isRead)
    for (unsigned lane : LanesOf(event.lanes)) {
      actor.info.lane = lane;
      actor.view = &warp.lanes[lane].view;
      forEachCell(
          block, event.addresses[lane], event.bytes,
          [&](Cell &cell, std::uint64_t) { record(cell, actor, target); });
    }
  if (site.isStrong && site.isVariable)
    orderAccess(event, warp, site);
}

//===----------------------------------------------------------------------===//
// Asynchronous operations
//===----------------------------------------------------------------------===//

/// Enters what an operation will access as accesses of its agent.
class Racecheck::AsyncRecorder final : public AsyncVisitor {
public:
  AsyncRecorder(Racecheck &checker, const AsyncIssue &issue, const Instr &instr)
      : checker(checker), warp(*issue.warp), state(checker.stateOf(warp)),
        lane(firstLane(issue.lanes)), kind(issue.kind) {
    const std::uint32_t number = checker.context.siteOf(warp, instr);
    actor = {.info = {.site = number,
                      .lane = lane,
                      .isProxy = checker.context.sites[number].usesAsyncProxy},
             .view = &state.lanes[lane].view,
             .issuer = &state,
             .isThread = false};
  }

  void reads(const std::byte *from, std::uint32_t bytes) override {
    if (kind == AsyncKind::matrix)
      return enter(from, bytes, AccessKind::read, nullptr);
    // With what comes next: the write says which mbarrier hears of it.
    pendingRead = from;
  }
  void writes(std::byte *to, std::uint32_t bytes,
              const std::byte *mbarrier) override {
    if (pendingRead)
      enter(pendingRead, bytes, AccessKind::read, mbarrier);
    pendingRead = nullptr;
    enter(to, bytes, AccessKind::write, mbarrier);
  }

private:
  void setAgent(AccessKind access, const std::byte *mbarrier) {
    if (kind == AsyncKind::signal) {
      if (!mbarrier)
        return;
      MbarrierState &object = checker.mbarrierAt(mbarrier);
      checker.mbarrierOwners[object.agent & ~mbarrierAgents] = {
          state.block->serial, state.index};
      actor.agent = object.agent;
      actor.time = object.phase;
      return;
    }
    AgentKind agent = AgentKind::matrix;
    if (kind == AsyncKind::copy)
      agent = AgentKind::copy;
    else if (kind == AsyncKind::bulk)
      agent = access == AccessKind::read ? AgentKind::bulkRead
                                         : AgentKind::bulkWrite;
    actor.agent = state.agentOf(agent);
    actor.time = state.groups[std::size_t(kind)].now[lane];
  }

  void enter(const std::byte *at, std::uint32_t bytes, AccessKind access,
             const std::byte *mbarrier) {
    setAgent(access, mbarrier);
    actor.kind = access;
    actor.bytes = bytes;
    Target target;
    BlockState *block = checker.blockAt(at, warp, target);
    checker.forEachCell(block, target.address, bytes,
                        [&](Cell &cell, std::uint64_t place) {
                          Target here = target;
                          here.address = place;
                          checker.check(cell, actor, here);
                          checker.record(cell, actor, here);
                        });
  }

  Racecheck &checker;
  Warp &warp;
  WarpState &state;
  const unsigned lane;
  const AsyncKind kind;
  Actor actor;
  const std::byte *pendingRead = nullptr;
};

BlockState *Racecheck::blockAt(const std::byte *at, const Warp &warp,
                               Target &target) {
  Cluster &cluster = warp.block.cluster;
  const std::size_t count = context.launch->clusterShape.count();
  for (std::size_t rank = 0; rank < count; ++rank) {
    const Block &block = *cluster.block(rank);
    if (const auto address = block.sharedAddress(at)) {
      target = {&block, *address & cluster::offsetMask};
      return &stateOf(block);
    }
  }
  target = {nullptr, std::uint64_t(reinterpret_cast<std::uintptr_t>(at))};
  return nullptr;
}

void Racecheck::asyncIssued(const AsyncIssue &issue, const Instr &instr,
                            AsyncOperation &operation) {
  lookup = {};
  AsyncRecorder recorder(*this, issue, instr);
  operation.visit(recorder);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

Place Racecheck::priorPlace(Agent agent, AccessInfo info, unsigned lane,
                            bool wasWrite) const {
  const Owner owner = ownerOf(agent);
  const bool isAsync =
      (agent & mbarrierAgents) != 0 ||
      (agent & ((1u << agentKindBits) - 1)) != Agent(AgentKind::threads);
  return context.place(
      blockRecords[owner.block].index, owner.warp * warpSize + lane, info.site,
      concat(isAsync ? "asynchronous " : "", wasWrite ? "write" : "read"));
}

void Racecheck::report(Agent agent, AccessInfo info, unsigned lane,
                       bool wasWrite, Time time, const Actor &actor,
                       const Target &target) {
  const bool isWrite = actor.kind != AccessKind::read;
  const int kind = int(wasWrite) << 1 | int(isWrite);
  context.findings.add(
      {Tool::racecheck, kind, context.sites.identity(info.site),
       context.sites.identity(actor.info.site)},
      [&] {
        const bool lacksProxyFence =
            actor.info.isProxy && !info.isProxy && wasWrite &&
            ((agent == actor.issuer->agent && lane == actor.info.lane) ||
             known(actor.view->all, agent, lane) >= time);
        Finding finding{.tool = Tool::racecheck};
        finding.message =
            concat("race in ", nameOf(target.block), " memory: ",
                   wasWrite ? (isWrite ? "two writes" : "a read after a write")
                            : "a write after a read",
                   lacksProxyFence ? " without fence.proxy.async between them"
                                   : " that nothing orders");
        if (info.isStrong && actor.info.isStrong)
          finding.message += " (their scopes do not hold both threads)";
        finding.memory = target.block ? context.describeShared(target.address)
                                      : context.describeGlobal(target.address);
        finding.places.push_back(priorPlace(agent, info, lane, wasWrite));
        finding.places.push_back(context.place(
            blockRecords[actor.issuer->block->serial].index,
            actor.issuer->index * warpSize + actor.info.lane, actor.info.site,
            concat(actor.isThread ? "" : "asynchronous ",
                   isWrite ? "write" : "read")));
        return finding;
      });
}
