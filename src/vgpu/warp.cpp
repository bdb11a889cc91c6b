// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/warp.h"
#include "vgpu/block.h"
#include "vgpu/describe.h"
#include "vgpu/fault.h"
#include "vgpu/launch.h"

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
  const Dim3 &grid = launch.config.grid;
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
  const std::array blockExtent = {blockSize.x, blockSize.y, blockSize.z};
  const std::array gridExtent = {grid.x, grid.y, grid.z};
  for (unsigned i = 0; i < 3; ++i) {
    specials.ntid[i].fill(blockExtent[i]);
    specials.nctaid[i].fill(gridExtent[i]);
  }
  for (auto *vector :
       {specials.tid, specials.ntid, specials.ctaid, specials.nctaid})
    vector[3].fill(0);
  specials.warpid.fill(index);
  specials.nwarpid.fill(launch.warpsPerBlock);
  specials.nsmid.fill(launch.options.multiprocessors);
  specials.dynamicSharedSize.fill(launch.config.dynamicShared);
  specials.totalSharedSize.fill(launch.sharedEnd - sharedStart);
  specials.zero.fill(0);
  specials.one.fill(1);
  specials.warpSizes.fill(warpSize);
  specials.reservedEnd.fill(sharedStart);
  specials.gridid.fill(0);
  specials.wideZero.fill(0);
  specials.dynamicShared.fill(launch.dynamicShared);
  specials.dynamicShared32.fill(launch.dynamicShared);
}

void Warp::start(unsigned threads) {
  Launch &launch = block.launch;
  if (!localBase) {
    launch.fail({.kind = FaultKind::outOfMemory,
                 .what = "the host has no memory for the stacks of a block"});
    return;
  }
  const std::array blockIndex = {block.index.x, block.index.y, block.index.z};
  for (unsigned i = 0; i < 3; ++i)
    specials.ctaid[i].fill(blockIndex[i]);
  specials.smid.fill(std::uint32_t(
      block.linear % std::max(1u, launch.options.multiprocessors)));

  executed = 0;
  live = threads == warpSize ? allLanes : (LaneMask(1) << threads) - 1;
  groups.fill({});
  groupCount = 1;
  groups[0].mask = live;
  groups[0].fuel = turnFuel;
  current = &groups[0];

  const Function &function = *launch.kernel.function;
  Frame *frame = newFrame(function);
  frame->live = live;
  frame->stackTop = function.stackBytes;
  current->frame = frame;
  current->pc = function.code.data();
}

void Warp::run() {
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
    pc = pc->handler(*this, *pc);
  }
}

const Instr *Warp::fault(const Instr &instr, FaultKind kind, std::string what,
                         unsigned lane, std::optional<std::uint64_t> address) {
  Launch &launch = block.launch;
  Fault fault{.kind = kind, .what = std::move(what)};
  describeInstruction(launch.program, *current->frame->function, instr, fault);
  fault.kernel = launch.kernel.info.name;
  fault.block = block.index;
  fault.thread = threadIndex(lane);
  fault.address = address;
  launch.fail(std::move(fault));
  return nullptr;
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
      return g.mask && g.wait == Wait::barrier;
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

const Instr *Warp::endTurn(const Instr *at) {
  current->pc = at;
  current->fuel = turnFuel;
  ++current->turn;
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
      group.fuel = turnFuel;
      ++group.turn;
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

const Instr *Warp::suspendGroup(const Instr &instr, Wait reason) {
  current->pc = &instr;
  current->wait = reason;
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
      other.wait = Wait::none;
      other.converged = true;
      other.arrivals = unsigned(std::popcount(other.mask)) + absent;
      absent = 0;
    }
    return;
  }
}

void Warp::wakeGroups() {
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

const Instr *Warp::exitLanes(const Instr &instr) {
  const LaneMask ended = exec;
  removeFromFrames(current->frame, ended);
  live &= ~ended;
  current->mask &= ~ended;
  const bool someRemain = current->mask != 0;
  if (someRemain)
    setMasks();
  else
    --groupCount;
  block.threadsEnded(unsigned(std::popcount(ended)));
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
