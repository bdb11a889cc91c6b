// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarrier instructions (PTX ISA 9.0, 9.7.13.15).

#include "vgpu/access.h"
#include "vgpu/async/handlers.h"
#include "vgpu/block.h"
#include "vgpu/cluster.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"
#include "vgpu/text.h"
#include "vgpu/worker.h"

#include <cstring>

using namespace tessera::vgpu;

namespace {

constexpr std::uint32_t objectBytes = sizeof(std::uint64_t);

bool resolveObjects(Warp &warp, const Instr &instr, Access &access,
                    AccessKind kind = AccessKind::atomic) {
  return resolveAccess(warp, instr, objectBytes, kind, access);
}

Monitor *monitorOf(const Warp &warp) { return warp.block.launch.monitor; }

const Instr *badObject(Warp &warp, const Instr &instr, unsigned lane,
                       std::string what) {
  return warp.fault(instr, FaultKind::invalidSync, std::move(what), lane);
}

std::uint64_t bitsAt(const std::byte *at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  return bits;
}

} // namespace

const Instr *tessera::vgpu::executeMbarrierInit(Warp &warp,
                                                const Instr &instr) {
  Access access;
  if (!resolveObjects(warp, instr, access, AccessKind::write))
    return nullptr;
  const auto *counts = warp.lanes<std::uint32_t>(instr.b);
  for (unsigned lane : LanesOf(warp.exec)) {
    const std::uint32_t count = counts[lane];
    if (count == 0 || count > Mbarrier::mostArrivals)
      return badObject(warp, instr, lane,
                       concat("an mbarrier for ", count, " arrivals: 1 to ",
                              Mbarrier::mostArrivals, " are possible"));
    Mbarrier object;
    object.expected = object.pending = count;
    const std::uint64_t bits = object.encode();
    if (Monitor *monitor = monitorOf(warp))
      monitor->mbarrierInit(warp, instr, lane, access.at[lane],
                            bitsAt(access.at[lane]));
    std::memcpy(access.at[lane], &bits, sizeof(bits));
  }
  return &instr + 1;
}

const Instr *tessera::vgpu::executeMbarrierInvalidate(Warp &warp,
                                                      const Instr &instr) {
  Access access;
  if (!resolveObjects(warp, instr, access, AccessKind::write))
    return nullptr;
  for (unsigned lane : LanesOf(warp.exec)) {
    if (!Mbarrier::decode(bitsAt(access.at[lane])))
      return badObject(warp, instr, lane, "there is no initialised mbarrier");
    if (Monitor *monitor = monitorOf(warp))
      monitor->mbarrierInvalidated(warp, instr, lane, access.at[lane]);
    std::memset(access.at[lane], 0, objectBytes);
  }
  return &instr + 1;
}

const Instr *tessera::vgpu::executeMbarrierChange(Warp &warp,
                                                  const Instr &instr) {
  const ChangeForm form = ChangeForm::unpack(instr.width);
  Access access;
  if (!resolveObjects(warp, instr, access))
    return nullptr;
  const auto *numbers = instr.b ? warp.lanes<std::uint32_t>(instr.b) : nullptr;
  auto *states = instr.dst ? warp.lanes<std::uint64_t>(instr.dst) : nullptr;
  for (unsigned lane : LanesOf(warp.exec)) {
    if (Monitor *monitor = monitorOf(warp))
      monitor->mbarrierArrived(warp, instr, lane, access.at[lane]);
    const auto old = changeMbarrier(warp.block.cluster, access.at[lane],
                                    {.kind = form.kind,
                                     .number = numbers ? numbers[lane] : 1,
                                     .drops = form.drops,
                                     .mayNotComplete = form.mayNotComplete});
    if (!old)
      return badObject(warp, instr, lane, old.error());
    if (states)
      states[lane] = *old;
  }
  return &instr + 1;
}

const Instr *tessera::vgpu::executeMbarrierTest(Warp &warp,
                                                const Instr &instr) {
  const PhaseForm form = PhaseForm::unpack(instr.width);
  warp.isolate(instr);
  Access access;
  if (!resolveObjects(warp, instr, access))
    return nullptr;

  LaneMask complete = 0;
  for (unsigned lane : LanesOf(warp.exec)) {
    const auto object = Mbarrier::decode(bitsAt(access.at[lane]));
    if (!object)
      return badObject(warp, instr, lane, "there is no initialised mbarrier");
    bool awaited = false;
    if (form.byParity) {
      const std::uint32_t parity = warp.lanes<std::uint32_t>(instr.b)[lane];
      if (parity > 1)
        return badObject(warp, instr, lane,
                         concat(parity, " is no parity of a phase"));
      awaited = parity != 0;
    } else {
      const auto state =
          Mbarrier::decode(warp.lanes<std::uint64_t>(instr.b)[lane]);
      if (!state)
        return badObject(warp, instr, lane,
                         "the state is none that an mbarrier had");
      awaited = state->parity;
    }
    if (object->parity == awaited)
      continue;
    complete |= LaneMask(1) << lane;
    if (Monitor *monitor = monitorOf(warp))
      monitor->mbarrierPassed(warp, instr, lane, access.at[lane]);
  }

  // Waiting is worth it when nobody can go on; lanes that wait for different
  // objects look again by themselves.
  Cluster &cluster = warp.block.cluster;
  if (complete == 0 && form.mayWait) {
    std::byte *object = access.at[firstLane(warp.exec)];
    bool isOne = true;
    for (unsigned lane : LanesOf(warp.exec))
      isOne = isOne && access.at[lane] == object;
    const bool givesUp =
        warp.block.launch.options.seed && cluster.worker.random(2) == 0;
    if (isOne && !givesUp) {
      warp.current->mbarrier = object;
      cluster.enlist(warp, Cluster::Key(object));
      return warp.suspendGroup(instr, Wait::mbarrier);
    }
  }
  warp.setPredicate(instr.dst, complete);
  return complete == warp.exec ? &instr + 1 : warp.endTurn(&instr + 1);
}

const Instr *tessera::vgpu::executePendingCount(Warp &warp,
                                                const Instr &instr) {
  const auto *states = warp.lanes<std::uint64_t>(instr.a);
  auto *to = warp.lanes<std::uint32_t>(instr.dst);
  for (unsigned lane : LanesOf(warp.exec)) {
    const auto state = Mbarrier::decode(states[lane]);
    if (!state)
      return badObject(warp, instr, lane,
                       "the state is none that an mbarrier had");
    to[lane] = state->pending;
  }
  return &instr + 1;
}
