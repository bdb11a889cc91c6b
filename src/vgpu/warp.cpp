// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/warp.h"
#include "vgpu/async/transfer.h"
#include "vgpu/block.h"
#include "vgpu/cluster.h"
#include "vgpu/describe.h"
#include "vgpu/fault.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"
#include "vgpu/worker.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <tuple>

using namespace tessera::vgpu;

namespace {

/// What a turn may cost; a back edge costs 1, one of a loop that may be
/// waiting costs `Instr::cost`.
constexpr std::int32_t turnFuel = 2048;

/// What a call takes of the stack beside the callee's variables: so endless
/// recursion ends, whatever it keeps.
constexpr std::uint32_t callOverhead = 48;

/// The most host memory for the registers of a warp's frames.
constexpr std::size_t maxFrameBytes = 256 << 20;

constexpr std::uint32_t alignTo(std::uint32_t value, std::uint32_t align) {
  return (value + align - 1) / align * align;
}

std::byte *registersOf(Frame &frame) {
  return reinterpret_cast<std::byte *>(frame.registers.data());
}

} // namespace

Warp::Warp(Block &block, unsigned index) : block(block), index(index) {
  const Launch &launch = block.launch;
  instructionLimit = launch.options.maxInstructions
                         ? launch.options.maxInstructions
                         : std::numeric_limits<std::uint64_t>::max();
  freeFrames.resize(launch.program.functions.size());
  bases[std::size_t(Slot::Base::constants)] = reinterpret_cast<std::byte *>(
      const_cast<Program::Line *>(launch.program.constants.data()));
  bases[std::size_t(Slot::Base::specials)] =
      reinterpret_cast<std::byte *>(&specials);

  // One more line than the stack needs: equal addresses of different lanes
  // must not fall into the same cache set.
  localStride = (launch.options.stackBytes + 63) / 64 * 64 + 64;
  void *mapping = mmap(nullptr, localStride * warpSize, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  localBase =
      mapping == MAP_FAILED ? nullptr : static_cast<std::byte *>(mapping);
  fillSpecials();
}

Warp::~Warp() {
  if (localBase)
    munmap(localBase, localStride * warpSize);
}

Dim3 Warp::threadIndex(unsigned lane) const {
  const Dim3 &size = block.launch.config.block;
  const unsigned linear = index * warpSize + lane;
  return {linear % size.x, linear / size.x % size.y, linear / size.x / size.y};
}

void Warp::fillSpecials() {
  const Launch &launch = block.launch;
  const Dim3 &blockSize = launch.config.block;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    const Dim3 thread = threadIndex(lane);
    specials.tid[0].lane[lane] = thread.x;
    specials.tid[1].lane[lane] = thread.y;
    specials.tid[2].lane[lane] = thread.z;
    specials.laneid.lane[lane] = lane;
    const LaneMask self = LaneMask(1) << lane;
    specials.lanemaskEq.lane[lane] = self;
    specials.lanemaskLt.lane[lane] = self - 1;
    specials.lanemaskLe.lane[lane] = self | (self - 1);
    specials.lanemaskGe.lane[lane] = ~(self - 1);
    specials.lanemaskGt.lane[lane] = ~(self | (self - 1));
  }
  const auto fillVector = [](SpecialValues::Lanes<std::uint32_t>(&to)[4],
                             const Dim3 &value) {
    to[0].fill(value.x);
    to[1].fill(value.y);
    to[2].fill(value.z);
    to[3].fill(0);
  };
  fillVector(specials.ntid, blockSize);
  fillVector(specials.nctaid, launch.grid);
  fillVector(specials.nclusterid, launch.clusterGrid);
  fillVector(specials.clusterNctaid, launch.clusterShape);
  specials.tid[3].fill(0);
  specials.clusterRank.fill(block.rank);
  specials.clusterSize.fill(std::uint32_t(launch.clusterShape.count()));
  specials.isExplicitCluster =
      launch.config.cluster.x || launch.kernel.info.requiredCluster.x ? allLanes
                                                                      : 0;
  specials.warpid.fill(index);
  specials.nwarpid.fill(launch.warpsPerBlock);
  specials.nsmid.fill(launch.options.multiprocessors);
  specials.dynamicSharedSize.fill(launch.config.dynamicShared);
  specials.totalSharedSize.fill(launch.sharedEnd - sharedStart);
  specials.zero.fill(0);
  specials.warpSizes.fill(warpSize);
  specials.reservedEnd.fill(sharedStart);
  specials.gridid.fill(0);
  specials.wideZero.fill(0);
  const std::uint64_t dynamicShared = block.sharedBase + launch.dynamicShared;
  specials.dynamicShared.fill(dynamicShared);
  specials.dynamicShared32.fill(std::uint32_t(dynamicShared));
  fillSharedAddresses();
}

void Warp::fillSharedAddresses() {
  const Program &program = block.launch.program;
  sharedAddresses.resize(program.sharedAddresses.size() *
                         Program::addressLines);
  bases[std::size_t(Slot::Base::addresses)] =
      reinterpret_cast<std::byte *>(sharedAddresses.data());
  std::byte *to = bases[std::size_t(Slot::Base::addresses)];
  for (const Program::SharedAddress &entry : program.sharedAddresses) {
    const std::uint64_t value = entry.address + block.sharedBase;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(to + lane * entry.bytes, &value, entry.bytes);
    to += Program::addressLines * sizeof(Program::Line);
  }
}

void Warp::fillIndices() {
  const Launch &launch = block.launch;
  const Dim3 &index = block.index, &cluster = block.clusterIndex;
  const Dim3 &shape = launch.clusterShape, &grid = launch.grid;
  const std::array own = {index.x, index.y, index.z};
  const std::array outer = {cluster.x, cluster.y, cluster.z};
  const std::array inner = {index.x % shape.x, index.y % shape.y,
                            index.z % shape.z};
  for (unsigned i = 0; i < 3; ++i) {
    specials.ctaid[i].fill(own[i]);
    specials.clusterid[i].fill(outer[i]);
    specials.clusterCtaid[i].fill(inner[i]);
  }
  const std::uint64_t linear =
      index.x +
      std::uint64_t(grid.x) * (index.y + std::uint64_t(grid.y) * index.z);
  specials.smid.fill(
      std::uint32_t(linear % std::max(1u, launch.options.multiprocessors)));
}

std::int32_t Warp::newFuel() const {
  const Launch &launch = block.launch;
  return launch.options.seed
             ? std::int32_t(1 + block.cluster.worker.random(turnFuel / 8))
             : turnFuel;
}

void Warp::start(unsigned threads) {
  Launch &launch = block.launch;
  if (!localBase) {
    launch.fail({.kind = FaultKind::outOfMemory,
                 .what = "the host has no memory for the stacks of a block"});
    return;
  }
  fillIndices();

  executed = 0;
  asyncGroups = {};
  atCluster = 0;
  live = threads == warpSize ? allLanes : (LaneMask(1) << threads) - 1;
  groups[0] = {}; // the others ended with the last block
  groupCount = 1;
  groups[0].mask = live;
  groups[0].fuel = newFuel();
  current = &groups[0];

  const Function &function = *launch.kernel.function;
  Frame *frame = newFrame(function);
  frame->live = live;
  frame->stackTop = function.stackBytes;
  current->frame = frame;
  current->pc = function.code.data();
  if (launch.monitor)
    launch.monitor->frameEntered(*this, *frame, live);
}

void Warp::run() {
  Monitor *monitor = block.launch.monitor;
  if (monitor && monitor->wantsSteps())
    execute<true>();
  else
    execute<false>();
}

template <bool isStepped> void Warp::execute() {
  const Instr *pc = reschedule();
  while (pc) {
    if (++executed > instructionLimit) {
      fault(*pc, FaultKind::stepLimit,
            concat("the limit of ", plural(instructionLimit, "instruction"),
                   " per warp was reached"),
            firstLane(current->mask));
      return;
    }
    exec = groupExec;
    write = groupWrite;
    if (pc->guard) {
      LaneMask chosen = predicate(pc->guard);
      if (pc->guardNegated)
        chosen = ~chosen;
      exec &= chosen;
      if (!exec) {
        ++pc;
        continue;
      }
      write &= chosen;
    }
    if constexpr (isStepped)
      block.launch.monitor->step(*this, *pc);
    pc = pc->currentHandler()(*this, *pc);
  }
}

const Instr *Warp::fault(const Instr &instr, FaultKind kind, std::string what,
                         unsigned lane, std::optional<std::uint64_t> address) {
  record(*current->frame->function, instr, lane,
         {.kind = kind, .what = std::move(what), .address = address});
  return nullptr;
}

void Warp::failLater(const IssuePoint &issued, FaultKind kind,
                     std::string what) {
  record(*issued.function, *issued.instr, issued.lane,
         {.kind = kind, .what = std::move(what)});
}

void Warp::record(const Function &function, const Instr &instr, unsigned lane,
                  Fault fault) {
  Launch &launch = block.launch;
  describeInstruction(launch.program, function, instr, fault);
  fault.kernel = launch.kernel.info.name;
  fault.block = block.index;
  fault.thread = threadIndex(lane);
  launch.fail(std::move(fault));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void Warp::setMasks() {
  groupExec = current->mask;
  groupWrite = current->mask | ~current->frame->live;
  bases[std::size_t(Slot::Base::registers)] = registersOf(*current->frame);
}

bool Warp::hasReadyGroup() const {
  return std::ranges::any_of(groups, [](const Group &group) {
    return group.mask && group.wait == Wait::none;
  });
}

Group *Warp::pickReady() {
  const auto rank = [](const Group &group) {
    return std::tuple(group.turn, ~group.frame->depth, group.pc);
  };
  Group *best = nullptr;
  for (Group &group : groups)
    if (group.mask && group.wait == Wait::none &&
        (!best || rank(group) < rank(*best)))
      best = &group;
  return best;
}

void Warp::mergeInto(Group &group) {
  if (groupCount == 1)
    return;
  for (Group &other : groups) {
    if (&other == &group || !other.mask || other.wait != Wait::none ||
        other.frame != group.frame || other.pc != group.pc ||
        other.converged != group.converged)
      continue;
    group.mask |= other.mask;
    group.arrivals += other.arrivals;
    group.turn = std::max(group.turn, other.turn);
    group.fuel = std::min(group.fuel, other.fuel);
    other.mask = 0;
    --groupCount;
  }
}

const Instr *Warp::switchTo(Group &group) {
  mergeInto(group);
  current = &group;
  setMasks();
  return group.pc;
}

const Instr *Warp::reschedule() {
  for (;;) {
    if (block.launch.failed() || live == 0)
      return nullptr;
    if (Group *group = pickReady())
      return switchTo(*group);
    const bool waitsForBlock = std::ranges::any_of(groups, [](const Group &g) {
      return g.mask && g.wait >= Wait::barrier;
    });
    if (!waitsForBlock) {
      failWithoutProgress();
      return nullptr;
    }
    block.yield(*this);
  }
}

Group &Warp::freeGroup() {
  // There is one: groups are disjoint and not empty.
  return *std::ranges::find(groups, LaneMask(0), &Group::mask);
}

Group &Warp::split(LaneMask lanes, const Instr *pc) {
  Group &group = freeGroup();
  group = *current;
  group.mask = lanes;
  group.pc = pc;
  current->mask &= ~lanes;
  ++groupCount;
  setMasks();
  return group;
}

void Warp::isolate(const Instr &instr) {
  if (exec != current->mask)
    split(current->mask & ~exec, &instr + 1);
}

bool Warp::arriveTogether(const Instr &instr, bool isAligned) {
  isolate(instr);
  Group &group = *current;
  if (group.converged) {
    group.converged = false;
  } else if (group.mask == live) {
    group.arrivals = warpSize;
  } else if (isAligned) {
    return false;
  } else {
    group.arrivals = unsigned(std::popcount(group.mask));
  }
  return true;
}

const Instr *Warp::endTurn(const Instr *at) {
  current->pc = at;
  current->fuel = newFuel();
  ++current->turn;
  spun = true;
  block.yield(*this);
  return reschedule();
}

const Instr *Warp::jump(const Instr &from, const Instr *target) {
  if (target > &from)
    return target;
  current->fuel -= from.cost;
  return current->fuel > 0 ? target : endTurn(target);
}

const Instr *Warp::branch(const Instr &from, LaneMask taken,
                          const Instr *target) {
  taken &= exec;
  if (taken == exec)
    return jump(from, target);
  if (!taken)
    return &from + 1;
  Group &group = split(taken, target);
  current->pc = &from + 1;
  if (target <= &from) {
    group.fuel -= from.cost;
    if (group.fuel <= 0) {
      group.fuel = newFuel();
      ++group.turn;
      spun = true;
      block.yield(*this);
    }
  }
  return reschedule();
}

const Instr *Warp::join(const Instr &at) {
  if (groupCount == 1)
    return &at + 1;
  current->pc = &at;
  Group *best = pickReady();
  if (best != current && best->pc != &at)
    return switchTo(*best);
  mergeInto(*current);
  setMasks();
  return &at + 1;
}

bool Warp::joinActs(const Instr &at) {
  if (groupCount == 1)
    return false;
  current->pc = &at;
  if (pickReady() != current)
    return true;
  return std::ranges::any_of(groups, [&](const Group &other) {
    return &other != current && other.mask && other.wait == Wait::none &&
           other.frame == current->frame && other.pc == &at;
  });
}

const Instr *Warp::suspendGroup(const Instr &instr, Wait reason) {
  current->pc = &instr;
  current->wait = reason;
  current->awaited = live;
  wakeGroups();
  return reschedule();
}

bool Warp::takesPart(const Group &other, const Instr &instr, LaneMask members) {
  return other.mask && other.wait == Wait::collective &&
         other.members == members && other.pc->handler == instr.handler &&
         other.pc->width == instr.width;
}

void Warp::wakeConverged() {
  for (const Group &group : groups) {
    if (!group.mask || group.wait != Wait::converge)
      continue;
    LaneMask arrived = 0;
    for (const Group &other : groups)
      if (other.mask && other.wait == Wait::converge && other.pc == group.pc)
        arrived |= other.mask;
    if (arrived != live)
      continue;
    // The whole warp is here. Threads that it lacks count as arrived.
    std::uint32_t absent = warpSize - unsigned(std::popcount(live));
    for (Group &other : groups) {
      if (!other.mask)
        continue;
      if (Monitor *monitor = block.launch.monitor;
          monitor && (other.awaited & ~live) != 0)
        monitor->convergedByExit(*this, *other.pc, other.mask,
                                 other.awaited & ~live);
      other.wait = Wait::none;
      other.converged = true;
      other.arrivals = unsigned(std::popcount(other.mask)) + absent;
      absent = 0;
    }
    return;
  }
}

void Warp::wakeGroups() {
  if (groupCount == 0)
    return;
  wakeConverged();
  for (Group &group : groups) {
    if (!group.mask || group.wait != Wait::collective)
      continue;
    LaneMask arrived = 0;
    for (const Group &other : groups)
      if (takesPart(other, *group.pc, group.members))
        arrived |= other.mask;
    if ((group.members & live & ~arrived) == 0)
      group.wait = Wait::none;
  }
}

void Warp::failWithoutProgress() {
  const Group *waiting = nullptr;
  for (const Group &group : groups)
    if (group.mask && (!waiting || group.wait == Wait::converge))
      waiting = &group;
  current = &groups[std::size_t(waiting - groups.data())];
  const bool atBarrier = waiting->wait == Wait::converge;
  fault(*waiting->pc,
        atBarrier ? FaultKind::divergentBarrier : FaultKind::deadlock,
        concat(atBarrier
                   ? "an aligned instruction is not reached by the whole warp: "
                   : "deadlock within a warp: ",
               describeWaits()),
        firstLane(waiting->mask));
}

std::string Warp::describeWaits() const {
  std::string text = concat("warp ", index, ": ");
  bool first = true;
  for (const Group &group : groups) {
    if (!group.mask)
      continue;
    Fault place{};
    describeInstruction(block.launch.program, *group.frame->function, *group.pc,
                        place);
    text += concat(first ? "" : ", ", "lanes ", hex(group.mask), " wait at '",
                   place.instruction, "' (PTX line ", place.ptx.line, ")");
    if (group.wait == Wait::collective)
      text += concat(" for lanes ", hex(group.members & live));
    if (group.wait == Wait::mbarrier)
      text += concat(" for ", block.cluster.describeMbarrier(group.mbarrier));
    first = false;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

Frame *Warp::newFrame(const Function &function) {
  std::vector<Frame *> &free = freeFrames[function.id];
  Frame *frame = nullptr;
  if (free.empty()) {
    frames.push_back(std::make_unique<Frame>());
    frame = frames.back().get();
    frame->function = &function;
    frame->registers.resize((function.registerBytes + 63) / 64);
    frameBytes += function.registerBytes;
  } else {
    frame = free.back();
    free.pop_back();
  }
  std::memset(static_cast<void *>(frame->registers.data()), 0,
              frame->registers.size() * sizeof(Program::Line));
  frame->parent = nullptr;
  frame->callInstr = nullptr;
  frame->depth = 0;
  frame->stackBase = 0;
  return frame;
}

void Warp::removeFromFrames(Frame *frame, LaneMask lanes) {
  while (frame) {
    Frame *parent = frame->parent;
    frame->live &= ~lanes;
    if (!frame->live)
      freeFrames[frame->function->id].push_back(frame);
    frame = parent;
  }
}

LaneMask Warp::endedAtCluster(LaneMask ended) {
  LaneMask arrived = 0;
  for (unsigned lane : LanesOf(ended & atCluster))
    if (clusterPhase[lane] == block.cluster.phase())
      arrived |= LaneMask(1) << lane;
  atCluster &= ~ended;
  return arrived;
}

const Instr *Warp::exitLanes(const Instr &instr) {
  const LaneMask ended = exec;
  if (Monitor *monitor = block.launch.monitor)
    monitor->lanesEnded(*this, instr, ended);
  removeFromFrames(current->frame, ended);
  live &= ~ended;
  current->mask &= ~ended;
  const bool someRemain = current->mask != 0;
  if (someRemain)
    setMasks();
  else
    --groupCount;
  const LaneMask arrived = endedAtCluster(ended);
  block.threadsEnded(unsigned(std::popcount(ended)),
                     unsigned(std::popcount(arrived)));
  wakeGroups();
  return someRemain ? &instr + 1 : reschedule();
}

void Warp::copyPlaces(const std::vector<CallPlace> &from, Frame &source,
                      const std::vector<CallPlace> &to, Frame &target) {
  const auto address = [&](const CallPlace &place, Frame &frame,
                           unsigned lane) -> std::byte * {
    if (place.inMemory)
      return localMemory(lane, frame.stackBase + place.offset);
    return lanesIn<std::byte>(frame, place.slot) + lane * place.size;
  };
  for (std::size_t i = 0; i < from.size() && i < to.size(); ++i) {
    const std::size_t size = std::min(from[i].size, to[i].size);
    for (unsigned lane : LanesOf(exec))
      std::memcpy(address(to[i], target, lane), address(from[i], source, lane),
                  size);
    if (Monitor *monitor = block.launch.monitor; monitor && to[i].inMemory)
      monitor->argumentWritten(*this, exec, target.stackBase + to[i].offset,
                               to[i].size);
  }
}

const Instr *Warp::call(const Instr &instr, const CallSite &site,
                        const Function &callee) {
  isolate(instr);
  Frame &caller = *current->frame;
  const std::uint32_t base =
      alignTo(caller.stackTop + callOverhead, callee.stackAlign);
  const std::uint64_t top = std::uint64_t(base) + callee.stackBytes;
  if (top > block.launch.options.stackBytes)
    return fault(instr, FaultKind::stackOverflow,
                 concat("stack overflow: call of '", callee.name, "' at depth ",
                        caller.depth + 1, " needs ", top, " bytes of ",
                        block.launch.options.stackBytes),
                 firstLane(exec));
  if (freeFrames[callee.id].empty() &&
      callee.registerBytes > maxFrameBytes - frameBytes)
    return fault(instr, FaultKind::stackOverflow,
                 concat("stack overflow: the registers of the calls up to '",
                        callee.name, "' take ", frameBytes, " bytes"),
                 firstLane(exec));

  Frame *frame = newFrame(callee);
  frame->parent = &caller;
  frame->callInstr = &instr;
  frame->live = exec;
  frame->depth = caller.depth + 1;
  frame->stackBase = base;
  frame->stackTop = std::uint32_t(top);
  if (Monitor *monitor = block.launch.monitor)
    monitor->frameEntered(*this, *frame, exec);
  copyPlaces(site.arguments, caller, callee.params, *frame);
  current->frame = frame;
  current->pc = callee.code.data();
  setMasks();
  return current->pc;
}

const Instr *Warp::returnLanes(const Instr &instr) {
  Frame *frame = current->frame;
  if (!frame->parent)
    return exitLanes(instr);
  isolate(instr);
  Frame *parent = frame->parent;
  const Instr *callInstr = frame->callInstr;
  const CallSite &site = parent->function->calls[callInstr->detail];
  copyPlaces(frame->function->results, *frame, site.results, *parent);
  frame->live &= ~exec;
  if (!frame->live)
    freeFrames[frame->function->id].push_back(frame);
  current->frame = parent;
  current->pc = callInstr + 1;
  setMasks();
  return current->pc;
}
