// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the handlers that issue asynchronous operations share; private to this
// folder.

#ifndef TESSERA_VGPU_ASYNC_ISSUE_H
#define TESSERA_VGPU_ASYNC_ISSUE_H

#include "vgpu/access.h"
#include "vgpu/async/handlers.h"
#include "vgpu/block.h"
#include "vgpu/cluster.h"

#include <bit>
#include <memory>
#include <string>
#include <vector>

namespace tessera::vgpu {

inline const AsyncCall &asyncCall(Warp &warp, const Instr &instr) {
  return warp.current->frame->function->asyncCalls[instr.detail];
}

inline IssuePoint issuePoint(Warp &warp, const Instr &instr, unsigned lane) {
  return {&warp, warp.current->frame->function, &instr, lane};
}

/// An operation of a lane in its open group.
inline AsyncIssue issueOf(Warp &warp, AsyncKind kind, unsigned lane) {
  AsyncIssue issue{.warp = &warp, .kind = kind, .lanes = LaneMask(1) << lane};
  if (kind != AsyncKind::signal)
    issue.group = warp.asyncGroups[std::size_t(kind)][lane];
  return issue;
}

inline AsyncEngine &engine(Warp &warp) { return warp.block.cluster.async; }

inline std::unique_ptr<Transfer> newTransfer(Warp &warp, const Instr &instr,
                                             unsigned lane) {
  return std::make_unique<Transfer>(warp.block.cluster,
                                    issuePoint(warp, instr, lane));
}

inline std::uint64_t addressOf(Warp &warp, const AddressOperand &place,
                               unsigned lane) {
  std::uint64_t addresses[warpSize];
  computeAddresses(warp, place, addresses);
  return addresses[lane];
}

/// `address` in each block that receives a copy: as it is without a multicast.
inline std::vector<std::uint64_t> targetsOf(Warp &warp, const AsyncCall &call,
                                            unsigned lane,
                                            std::uint64_t address) {
  if (!call.blocks)
    return {address};
  constexpr std::uint64_t rankMask = std::uint64_t(0xff) << cluster::rankShift;
  std::vector<std::uint64_t> targets;
  std::uint32_t ranks = warp.lanes<std::uint16_t>(call.blocks)[lane];
  for (; ranks != 0; ranks &= ranks - 1)
    targets.push_back((address & ~rankMask) |
                      cluster::base(std::uint32_t(std::countr_zero(ranks))));
  return targets;
}

/// Tells the mbarriers of a copy of `bytes` bytes to each of its targets. False
/// after a fault.
[[nodiscard]] inline bool addSignals(Transfer &transfer, Warp &warp,
                                     const Instr &instr, const AsyncCall &call,
                                     unsigned lane, std::uint32_t bytes) {
  const std::uint64_t address = addressOf(warp, call.mbarrier, lane);
  for (const std::uint64_t target : targetsOf(warp, call, lane, address)) {
    std::byte *mbarrier = resolveLane(
        warp, instr, call.mbarrier, lane, target,
        AccessForm::natural(sizeof(std::uint64_t), AccessKind::atomic).later());
    if (!mbarrier)
      return false;
    transfer.signals.push_back(
        {mbarrier, {.kind = MbarrierChange::Kind::complete, .number = bytes}});
  }
  return true;
}

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_ASYNC_ISSUE_H
