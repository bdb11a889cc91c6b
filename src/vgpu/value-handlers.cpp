// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What computes values without memory: the instructions whose meaning is in
// ptx/semantics.h, and addresses, spaces and clocks, which depend on the
// machine.

#include "vgpu/access.h"
#include "vgpu/block.h"
#include "vgpu/cluster.h"
#include "vgpu/handlers.h"
#include "vgpu/launch.h"
#include "vgpu/text.h"
#include "vgpu/worker.h"

#include <array>
#include <chrono>
#include <cstring>

using namespace tessera::vgpu;
using tessera::ptx::SpecialRegister;

namespace {

template <class T> const Instr *addOffset(Warp &warp, const Instr &instr) {
  T *to = warp.lanes<T>(instr.dst);
  const T *from = warp.lanes<T>(instr.a);
  const T offset = T(instr.offset);
  if (warp.write == allLanes) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      to[lane] = from[lane] + offset;
    return &instr + 1;
  }
  for (unsigned lane : LanesOf(warp.exec))
    to[lane] = from[lane] + offset;
  return &instr + 1;
}

template <class T> void setLanes(Warp &warp, Slot slot, T value) {
  T *to = warp.lanes<T>(slot);
  for (unsigned lane : LanesOf(warp.exec))
    to[lane] = value;
}

template <class T> const Instr *mapRank(Warp &warp, const Instr &instr) {
  constexpr T rankMask = T(0xff) << cluster::rankShift;
  const T *from = warp.lanes<T>(instr.a);
  const auto *ranks = warp.lanes<std::uint32_t>(instr.b);
  T *to = warp.lanes<T>(instr.dst);
  for (unsigned lane : LanesOf(warp.exec))
    to[lane] = (from[lane] & ~rankMask) |
               (T(ranks[lane]) << cluster::rankShift & rankMask);
  return &instr + 1;
}

template <class T> const Instr *rankOf(Warp &warp, const Instr &instr) {
  const T *from = warp.lanes<T>(instr.a);
  auto *to = warp.lanes<std::uint32_t>(instr.dst);
  for (unsigned lane : LanesOf(warp.exec))
    to[lane] = from[lane] >> cluster::rankShift & 0xff;
  return &instr + 1;
}

std::uint64_t wallNanoseconds() {
  return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                           std::chrono::system_clock::now().time_since_epoch())
                           .count());
}

bool isInSpace(Warp &warp, MemorySpace space, bool wantsConstant,
               std::uint64_t address) {
  const bool isShared = window::contains(window::shared, address);
  const bool isLocal = window::contains(window::local, address);
  const bool isParam = window::contains(window::param, address);
  switch (space) {
  case MemorySpace::shared:
    return isShared &&
           cluster::rankOf(address - window::shared) == warp.block.rank;
  case MemorySpace::sharedCluster:
    return isShared;
  case MemorySpace::local:
    return isLocal;
  case MemorySpace::param:
    return isParam;
  case MemorySpace::global:
  case MemorySpace::generic:
    break;
  }
  if (isShared || isLocal || isParam)
    return false;
  const Allocation *allocation =
      warp.block.cluster.worker.findAllocation(address);
  const bool isConstant =
      allocation && allocation->kind == Allocation::Kind::constant;
  return isConstant == wantsConstant;
}

} // namespace

const Instr *tessera::vgpu::executeCompute(Warp &warp, const Instr &instr) {
  const ComputeCall &call =
      warp.current->frame->function->computes[instr.detail];
  std::array<ptx::Lanes, 16> operands;
  std::size_t count = 0;
  for (const ComputeOperand &operand : call.operands)
    operands[count++] = {operand.slot ? warp.lanes<std::byte>(operand.slot)
                                      : nullptr,
                         operand.stride, operand.negated};
  call.run(operands.data(), warp.write, warp.predicate(instr.dst));
  return &instr + 1;
}

const Instr *tessera::vgpu::executeMove128(Warp &warp, const Instr &instr) {
  const bool toHalves = instr.width & 1, fromHalves = instr.width & 2;
  for (unsigned lane : LanesOf(warp.exec)) {
    std::uint64_t halves[2];
    if (fromHalves) {
      halves[0] = warp.lanes<std::uint64_t>(instr.a)[lane];
      halves[1] = warp.lanes<std::uint64_t>(instr.b)[lane];
    } else {
      std::memcpy(halves, warp.lanes<std::uint64_t>(instr.a) + 2 * lane, 16);
    }
    if (!toHalves) {
      std::memcpy(warp.lanes<std::uint64_t>(instr.dst) + 2 * lane, halves, 16);
      continue;
    }
    if (instr.dst)
      warp.lanes<std::uint64_t>(instr.dst)[lane] = halves[0];
    if (instr.dst2)
      warp.lanes<std::uint64_t>(instr.dst2)[lane] = halves[1];
  }
  return &instr + 1;
}

const Instr *tessera::vgpu::executeAddOffset64(Warp &warp, const Instr &instr) {
  return addOffset<std::uint64_t>(warp, instr);
}

const Instr *tessera::vgpu::executeAddOffset32(Warp &warp, const Instr &instr) {
  return addOffset<std::uint32_t>(warp, instr);
}

const Instr *tessera::vgpu::executeFrameAddress64(Warp &warp,
                                                  const Instr &instr) {
  setLanes<std::uint64_t>(warp, instr.dst,
                          warp.current->frame->stackBase +
                              std::uint64_t(instr.offset));
  return &instr + 1;
}

const Instr *tessera::vgpu::executeFrameAddress32(Warp &warp,
                                                  const Instr &instr) {
  setLanes<std::uint32_t>(warp, instr.dst,
                          warp.current->frame->stackBase +
                              std::uint32_t(instr.offset));
  return &instr + 1;
}

const Instr *tessera::vgpu::executeIsSpace(Warp &warp, const Instr &instr) {
  std::uint64_t addresses[warpSize];
  computeAddresses(warp, instr, addresses);
  LaneMask result = 0;
  for (unsigned lane : LanesOf(warp.exec))
    if (isInSpace(warp, instr.space, instr.width == 1, addresses[lane]))
      result |= LaneMask(1) << lane;
  LaneMask &reg = warp.predicate(instr.dst);
  reg = (reg & ~warp.exec) | result;
  return &instr + 1;
}

const Instr *tessera::vgpu::executeReadSpecial(Warp &warp, const Instr &instr) {
  const std::uint64_t cycles = warp.instructionsExecuted();
  switch (SpecialRegister(instr.width)) {
  case SpecialRegister::clock:
    setLanes<std::uint32_t>(warp, instr.dst, std::uint32_t(cycles));
    break;
  case SpecialRegister::clock_hi:
    setLanes<std::uint32_t>(warp, instr.dst, std::uint32_t(cycles >> 32));
    break;
  case SpecialRegister::clock64:
    setLanes<std::uint64_t>(warp, instr.dst, cycles);
    break;
  case SpecialRegister::globaltimer:
    setLanes<std::uint64_t>(warp, instr.dst, wallNanoseconds());
    break;
  case SpecialRegister::globaltimer_lo:
    setLanes<std::uint32_t>(warp, instr.dst, std::uint32_t(wallNanoseconds()));
    break;
  case SpecialRegister::globaltimer_hi:
    setLanes<std::uint32_t>(warp, instr.dst,
                            std::uint32_t(wallNanoseconds() >> 32));
    break;
  default:
    return executeUnsupported(warp, instr);
  }
  return &instr + 1;
}

const Instr *tessera::vgpu::executeMapRank64(Warp &warp, const Instr &instr) {
  return mapRank<std::uint64_t>(warp, instr);
}

const Instr *tessera::vgpu::executeMapRank32(Warp &warp, const Instr &instr) {
  return mapRank<std::uint32_t>(warp, instr);
}

const Instr *tessera::vgpu::executeRank64(Warp &warp, const Instr &instr) {
  return rankOf<std::uint64_t>(warp, instr);
}

const Instr *tessera::vgpu::executeRank32(Warp &warp, const Instr &instr) {
  return rankOf<std::uint32_t>(warp, instr);
}

const Instr *tessera::vgpu::executeZero(Warp &warp, const Instr &instr) {
  auto *to = warp.lanes<std::byte>(instr.dst);
  for (unsigned lane : LanesOf(warp.exec))
    std::memset(to + lane * instr.width, 0, instr.width);
  return &instr + 1;
}
