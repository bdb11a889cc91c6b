// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of a block, and exchanges between the lanes of a warp.
//
// An exchange takes place when all live lanes of its member mask have come to
// it. They may come in several groups, and from different places of the code,
// if only the instruction is of the same kind.

#include "vgpu/cluster.h"
#include "vgpu/fault.h"
#include "vgpu/handlers.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"

#include <algorithm>
#include <type_traits>

using namespace tessera::vgpu;
using tessera::ptx::Modifier;
using tessera::ptx::Opcode;
using tessera::ptx::Type;

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

namespace {

/// A barrier operand, when all executing lanes agree on it.
std::optional<std::uint32_t> uniformValue(Warp &warp, Slot slot) {
  const auto *values = warp.lanes<std::uint32_t>(slot);
  const std::uint32_t value = values[firstLane(warp.exec)];
  for (unsigned lane : LanesOf(warp.exec))
    if (values[lane] != value)
      return std::nullopt;
  return value;
}

const Instr *badSync(Warp &warp, const Instr &instr, std::string what) {
  return warp.fault(instr, FaultKind::invalidSync, std::move(what),
                    firstLane(warp.exec));
}

} // namespace

const Instr *tessera::vgpu::executeBarrier(Warp &warp, const Instr &instr) {
  const BarrierForm form = BarrierForm::unpack(instr.width);
  if (!warp.arriveTogether(instr, form.isAligned))
    return warp.suspendGroup(instr, Wait::converge);

  const auto id = uniformValue(warp, instr.a);
  std::optional<std::uint32_t> threads = 0;
  if (instr.b)
    threads = uniformValue(warp, instr.b);
  if (!id || !threads)
    return badSync(warp, instr, "threads of a warp name different barriers");
  if (*id >= Block::barrierCount)
    return badSync(warp, instr,
                   concat("barrier ", *id, " does not exist: a block has ",
                          Block::barrierCount));
  if (instr.b && (*threads == 0 || *threads % warpSize != 0))
    return badSync(warp, instr,
                   concat("a barrier for ", *threads,
                          " threads: the number must be a multiple of ",
                          warpSize));

  Block::Arrival arrival{.id = *id,
                         .threads = *threads,
                         .waits = form.waits,
                         .reduction = form.reduction};
  if (form.reduction != BarrierReduction::none) {
    arrival.predicate = warp.predicate(instr.c);
    if (instr.aNegated)
      arrival.predicate = ~arrival.predicate;
  }
  switch (warp.block.arrive(warp, instr, arrival)) {
  case Block::Outcome::passed:
    return &instr + 1;
  case Block::Outcome::mustWait:
    return warp.suspendGroup(instr, Wait::barrier);
  case Block::Outcome::countMismatch:
    break;
  }
  return badSync(warp, instr,
                 concat("barrier ", *id, " is used with ", *threads,
                        " threads while others wait there for another number"));
}

//===----------------------------------------------------------------------===//
// The barrier of the cluster
//===----------------------------------------------------------------------===//

const Instr *tessera::vgpu::executeClusterArrive(Warp &warp,
                                                 const Instr &instr) {
  if (!warp.arriveTogether(instr, instr.width != 0))
    return warp.suspendGroup(instr, Wait::converge);
  const LaneMask lanes = warp.current->mask;
  if (const LaneMask again = warp.atCluster & lanes)
    return warp.fault(instr, FaultKind::invalidSync,
                      "a thread arrives at the cluster's barrier once more "
                      "without having waited there",
                      firstLane(again));
  Cluster &cluster = warp.block.cluster;
  warp.atCluster |= lanes;
  for (unsigned lane : LanesOf(lanes))
    warp.clusterPhase[lane] = cluster.phase();
  if (Monitor *monitor = warp.block.launch.monitor)
    monitor->clusterArrived(warp, instr, lanes);
  cluster.arrive(unsigned(std::popcount(lanes)));
  return &instr + 1;
}

const Instr *tessera::vgpu::executeClusterWait(Warp &warp, const Instr &instr) {
  if (!warp.arriveTogether(instr, instr.width != 0))
    return warp.suspendGroup(instr, Wait::converge);
  const LaneMask lanes = warp.current->mask;
  if (const LaneMask absent = lanes & ~warp.atCluster)
    return warp.fault(instr, FaultKind::invalidSync,
                      "a thread waits at the cluster's barrier without having "
                      "arrived there",
                      firstLane(absent));
  Cluster &cluster = warp.block.cluster;
  for (unsigned lane : LanesOf(lanes))
    if (warp.clusterPhase[lane] == cluster.phase()) {
      warp.current->converged = instr.width != 0;
      cluster.enlist(warp, cluster.barrierKey());
      return warp.suspendGroup(instr, Wait::cluster);
    }
  warp.atCluster &= ~lanes;
  if (Monitor *monitor = warp.block.launch.monitor)
    monitor->clusterPassed(warp, instr, lanes);
  return &instr + 1;
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

namespace {

/// The groups that take part in an exchange, as one set of lanes.
class Exchange {
public:
  Exchange(Warp &warp, const Instr &instr, LaneMask members)
      : warp(warp), members(members) {
    add(*warp.current, instr);
    if (present == (members & warp.live))
      return;
    for (Group &group : warp.allGroups())
      if (Warp::takesPart(group, instr, members))
        add(group, *group.pc);
  }

  [[nodiscard]] bool isComplete() const {
    return (members & warp.live & ~present) == 0;
  }
  /// The lanes that take part.
  [[nodiscard]] LaneMask lanes() const { return present; }
  [[nodiscard]] LaneMask memberMask() const { return members; }

  template <class T> void gather(Slot Instr::*operand, T (&values)[warpSize]) {
    std::fill(std::begin(values), std::end(values), T{});
    for (const Part &part : parts()) {
      const T *from = warp.lanesIn<T>(*part.group->frame, part.instr->*operand);
      for (unsigned lane : LanesOf(part.group->mask))
        values[lane] = from[lane];
    }
  }
  [[nodiscard]] LaneMask gatherPredicate(Slot Instr::*operand) {
    LaneMask values = 0;
    for (const Part &part : parts()) {
      const LaneMask value =
          *warp.lanesIn<LaneMask>(*part.group->frame, part.instr->*operand);
      values |= (part.instr->aNegated ? ~value : value) & part.group->mask;
    }
    return values;
  }

  template <class T>
  void scatter(Slot Instr::*operand, const T (&values)[warpSize]) {
    for (const Part &part : parts()) {
      if (!(part.instr->*operand))
        continue;
      T *to = warp.lanesIn<T>(*part.group->frame, part.instr->*operand);
      for (unsigned lane : LanesOf(part.group->mask))
        to[lane] = values[lane];
    }
  }
  void scatterPredicate(Slot Instr::*operand, LaneMask values) {
    for (const Part &part : parts()) {
      if (!(part.instr->*operand))
        continue;
      LaneMask &to =
          *warp.lanesIn<LaneMask>(*part.group->frame, part.instr->*operand);
      to = (to & ~part.group->mask) | (values & part.group->mask);
    }
  }
  template <class T> void scatterUniform(Slot Instr::*operand, T value) {
    T values[warpSize];
    std::fill(std::begin(values), std::end(values), value);
    scatter(operand, values);
  }

  /// `readers` shuffle from lanes that do not take part.
  void tellAbsent(const Instr &instr, LaneMask readers) const {
    if (Monitor *monitor = warp.block.launch.monitor)
      monitor->shuffledFromAbsent(warp, instr, readers);
  }

  /// Lets the groups that have waited go on.
  void release() {
    for (const Part &part : parts().subspan(1)) {
      part.group->wait = Wait::none;
      part.group->pc = part.instr + 1;
    }
  }

private:
  struct Part {
    Group *group;
    const Instr *instr;
  };
  void add(Group &group, const Instr &instr) {
    storage[count++] = {&group, &instr};
    present |= group.mask;
  }
  [[nodiscard]] std::span<Part> parts() {
    return std::span(storage).first(count);
  }

  Warp &warp;
  LaneMask members;
  LaneMask present = 0;
  std::array<Part, warpSize> storage;
  std::size_t count = 0;
};

using Apply = void (*)(Exchange &, const Instr &);

/// Collects the lanes of an exchange and applies it once they are all there.
template <Apply apply>
const Instr *executeCollective(Warp &warp, const Instr &instr) {
  warp.isolate(instr);
  LaneMask members = warp.exec;
  if (instr.d) {
    // Lanes with other member masks are exchanges of their own.
    const auto *masks = warp.lanes<LaneMask>(instr.d);
    members = masks[firstLane(warp.exec)];
    LaneMask others = 0;
    for (unsigned lane : LanesOf(warp.exec))
      if (masks[lane] != members)
        others |= LaneMask(1) << lane;
    if (others) {
      warp.split(others, &instr);
      warp.exec &= ~others;
    }
    if (const LaneMask foreign = warp.exec & ~members)
      return warp.fault(instr, FaultKind::invalidSync,
                        concat("lane ", firstLane(foreign),
                               " is not in its member mask ", hex(members)),
                        firstLane(foreign));
  }

  Exchange exchange(warp, instr, members);
  if (!exchange.isComplete()) {
    warp.current->members = members;
    return warp.suspendGroup(instr, Wait::collective);
  }
  apply(exchange, instr);
  if (Monitor *monitor = warp.block.launch.monitor)
    monitor->lanesMet(warp, instr, exchange.lanes());
  exchange.release();
  return &instr + 1;
}

void applyNothing(Exchange &, const Instr &) {}

/// PTX ISA 9.0, section 9.7.9.6.
template <Modifier mode>
void applyShuffle(Exchange &exchange, const Instr &instr) {
  std::uint32_t values[warpSize], selectors[warpSize], clamps[warpSize];
  std::uint32_t results[warpSize] = {};
  exchange.gather(&Instr::a, values);
  exchange.gather(&Instr::b, selectors);
  exchange.gather(&Instr::c, clamps);
  LaneMask inRange = 0, fromAbsent = 0;
  for (unsigned lane : LanesOf(exchange.lanes())) {
    const int segment = int(clamps[lane] >> 8 & 31);
    const int clamp = int(clamps[lane] & 31);
    const int selector = int(selectors[lane] & 31);
    const int self = int(lane);
    const int lowest = self & segment;
    const int highest = lowest | (clamp & ~segment & 31);
    int source = self;
    bool valid = false;
    if constexpr (mode == Modifier::up) {
      source = self - selector;
      valid = source >= highest;
    } else {
      if constexpr (mode == Modifier::down)
        source = self + selector;
      else if constexpr (mode == Modifier::bfly)
        source = self ^ selector;
      else
        source = lowest | (selector & ~segment);
      valid = source <= highest;
    }
    if (valid)
      inRange |= LaneMask(1) << lane;
    if (valid && (exchange.lanes() >> source & 1) == 0)
      fromAbsent |= LaneMask(1) << lane;
    results[lane] = values[valid ? source : self];
  }
  exchange.scatter(&Instr::dst, results);
  exchange.scatterPredicate(&Instr::dst2, inRange);
  if (fromAbsent != 0)
    exchange.tellAbsent(instr, fromAbsent);
}

template <Modifier operation>
void applyVote(Exchange &exchange, const Instr &) {
  const LaneMask lanes = exchange.lanes();
  const LaneMask holds = exchange.gatherPredicate(&Instr::a);
  if constexpr (operation == Modifier::ballot) {
    exchange.scatterUniform<std::uint32_t>(&Instr::dst, holds);
    return;
  }
  bool result = false;
  if constexpr (operation == Modifier::all)
    result = holds == lanes;
  else if constexpr (operation == Modifier::any)
    result = holds != 0;
  else
    result = holds == lanes || holds == 0;
  exchange.scatterPredicate(&Instr::dst, result ? allLanes : 0);
}

template <class T> void applyMatchAny(Exchange &exchange, const Instr &) {
  T values[warpSize];
  std::uint32_t results[warpSize] = {};
  exchange.gather(&Instr::a, values);
  for (unsigned lane : LanesOf(exchange.lanes()))
    for (unsigned other : LanesOf(exchange.lanes()))
      if (values[lane] == values[other])
        results[lane] |= LaneMask(1) << other;
  exchange.scatter(&Instr::dst, results);
}

template <class T> void applyMatchAll(Exchange &exchange, const Instr &) {
  T values[warpSize];
  exchange.gather(&Instr::a, values);
  const T first = values[firstLane(exchange.lanes())];
  bool same = true;
  for (unsigned lane : LanesOf(exchange.lanes()))
    same = same && values[lane] == first;
  exchange.scatterUniform<std::uint32_t>(&Instr::dst,
                                         same ? exchange.lanes() : 0);
  exchange.scatterPredicate(&Instr::dst2, same ? allLanes : 0);
}

template <class T, Modifier operation>
void applyRedux(Exchange &exchange, const Instr &) {
  T values[warpSize];
  exchange.gather(&Instr::a, values);
  T result = values[firstLane(exchange.lanes())];
  const LaneMask rest = exchange.lanes() & (exchange.lanes() - 1);
  for (unsigned lane : LanesOf(rest)) {
    const T value = values[lane];
    if constexpr (operation == Modifier::add)
      result = T(std::uint32_t(result) + std::uint32_t(value));
    else if constexpr (operation == Modifier::min)
      result = std::min(result, value);
    else if constexpr (operation == Modifier::max)
      result = std::max(result, value);
    else if constexpr (operation == Modifier::and_)
      result &= value;
    else if constexpr (operation == Modifier::or_)
      result |= value;
    else
      result ^= value;
  }
  exchange.scatterUniform(&Instr::dst, result);
}

void applyElect(Exchange &exchange, const Instr &) {
  const unsigned leader = firstLane(exchange.lanes());
  exchange.scatterUniform<std::uint32_t>(&Instr::dst, leader);
  exchange.scatterPredicate(&Instr::dst2, LaneMask(1) << leader);
}

Handler shuffleHandler(const tessera::ptx::Instruction &instruction) {
  if (instruction.has(Modifier::up))
    return &executeCollective<applyShuffle<Modifier::up>>;
  if (instruction.has(Modifier::down))
    return &executeCollective<applyShuffle<Modifier::down>>;
  if (instruction.has(Modifier::bfly))
    return &executeCollective<applyShuffle<Modifier::bfly>>;
  return &executeCollective<applyShuffle<Modifier::idx>>;
}

Handler voteHandler(const tessera::ptx::Instruction &instruction) {
  if (instruction.has(Modifier::ballot))
    return &executeCollective<applyVote<Modifier::ballot>>;
  if (instruction.has(Modifier::all))
    return &executeCollective<applyVote<Modifier::all>>;
  if (instruction.has(Modifier::any))
    return &executeCollective<applyVote<Modifier::any>>;
  return &executeCollective<applyVote<Modifier::uni>>;
}

template <class T>
Handler arithmeticReduxHandler(const tessera::ptx::Instruction &instruction) {
  if (instruction.has(Modifier::add))
    return &executeCollective<applyRedux<T, Modifier::add>>;
  if (instruction.has(Modifier::min))
    return &executeCollective<applyRedux<T, Modifier::min>>;
  return &executeCollective<applyRedux<T, Modifier::max>>;
}

Handler reduxHandler(const tessera::ptx::Instruction &instruction) {
  switch (instruction.type()) {
  case Type::s32:
    return arithmeticReduxHandler<std::int32_t>(instruction);
  case Type::u32:
    return arithmeticReduxHandler<std::uint32_t>(instruction);
  case Type::b32:
    break;
  default:
    return nullptr;
  }
  if (instruction.has(Modifier::and_))
    return &executeCollective<applyRedux<std::uint32_t, Modifier::and_>>;
  if (instruction.has(Modifier::or_))
    return &executeCollective<applyRedux<std::uint32_t, Modifier::or_>>;
  return &executeCollective<applyRedux<std::uint32_t, Modifier::xor_>>;
}

} // namespace

Handler tessera::vgpu::collectiveHandler(const ptx::Instruction &instruction) {
  const bool isWide = ptx::bitWidth(instruction.type()) == 64;
  switch (instruction.opcode()) {
  case Opcode::bar_warp_sync:
    return &executeCollective<applyNothing>;
  case Opcode::shfl:
  case Opcode::shfl_sync:
    return shuffleHandler(instruction);
  case Opcode::vote:
  case Opcode::vote_sync:
    return voteHandler(instruction);
  case Opcode::match_any_sync:
    return isWide ? &executeCollective<applyMatchAny<std::uint64_t>>
                  : &executeCollective<applyMatchAny<std::uint32_t>>;
  case Opcode::match_all_sync:
    return isWide ? &executeCollective<applyMatchAll<std::uint64_t>>
                  : &executeCollective<applyMatchAll<std::uint32_t>>;
  case Opcode::redux_sync:
    return reduxHandler(instruction);
  case Opcode::elect_sync:
    return &executeCollective<applyElect>;
  default:
    return nullptr;
  }
}

const Instr *tessera::vgpu::executeActiveMask(Warp &warp, const Instr &instr) {
  auto *to = warp.lanes<std::uint32_t>(instr.dst);
  for (unsigned lane : LanesOf(warp.exec))
    to[lane] = warp.exec;
  return &instr + 1;
}
