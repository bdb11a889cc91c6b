// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Issuing asynchronous copies and reductions, and waiting for groups of them
// (PTX ISA 9.0, 9.7.9.25).

#include "vgpu/async/issue.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"
#include "vgpu/text.h"

#include <map>
#include <memory>

using namespace tessera::vgpu;

namespace {

const Instr *badCopy(Warp &warp, const Instr &instr, unsigned lane,
                     std::string what) {
  return warp.fault(instr, FaultKind::invalidAddress, std::move(what), lane);
}

} // namespace

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

const Instr *tessera::vgpu::executeCopyAsync(Warp &warp, const Instr &instr) {
  const AsyncCall &call = asyncCall(warp, instr);
  const auto bytes = std::uint32_t(instr.offset);
  Access from, to;
  if (!resolveAccess(warp, instr, call.to,
                     AccessForm::natural(bytes, AccessKind::write).later(), to))
    return nullptr;

  LaneMask ignored = 0;
  if (call.ignored)
    ignored = call.ignoredNegated ? ~warp.predicate(call.ignored)
                                  : warp.predicate(call.ignored);
  const auto sizeOf = [&](unsigned lane) -> std::uint32_t {
    if ((ignored >> lane & 1) != 0)
      return 0;
    return call.sourceBytes ? warp.lanes<std::uint32_t>(call.sourceBytes)[lane]
                            : bytes;
  };
  std::uint64_t addresses[warpSize];
  computeAddresses(warp, call.from, addresses);

  // The lanes of one group are one operation; one for each lane when somebody
  // watches which.
  Monitor *const monitor = warp.block.launch.monitor;
  std::map<std::uint32_t, std::unique_ptr<Transfer>> transfers;
  std::map<std::uint32_t, AsyncIssue> issues;
  for (unsigned lane : LanesOf(warp.exec)) {
    const std::uint32_t size = sizeOf(lane);
    if (size > bytes)
      return badCopy(warp, instr, lane,
                     concat(size, " bytes of the source are more than the ",
                            bytes, " to copy"));
    const std::byte *source = nullptr;
    if (size != 0)
      source = resolveLane(warp, instr, call.from, lane, addresses[lane],
                           {size, bytes, AccessKind::read, true});
    if (size != 0 && !source)
      return nullptr;
    const AsyncIssue issue = issueOf(warp, AsyncKind::copy, lane);
    const std::uint32_t key = monitor ? lane : issue.group;
    auto &transfer = transfers[key];
    if (!transfer)
      transfer = newTransfer(warp, instr, lane);
    if (source)
      transfer->add(source, to.at[lane], size);
    transfer->addZeros(to.at[lane] + size, bytes - size);
    auto [known, isNew] = issues.try_emplace(key, issue);
    known->second.lanes |= issue.lanes;
  }
  for (auto &[key, transfer] : transfers)
    engine(warp).issue(std::move(transfer), issues[key], instr);
  return &instr + 1;
}

const Instr *tessera::vgpu::executeCopyArrive(Warp &warp, const Instr &instr) {
  Access access;
  if (!resolveAccess(warp, instr, sizeof(std::uint64_t), AccessKind::atomic,
                     access))
    return nullptr;
  const bool countsAlready = instr.width != 0; // .noinc
  for (unsigned lane : LanesOf(warp.exec)) {
    if (!countsAlready)
      // The phase now waits for this arrival, too.
      if (auto raised = raisePending(access.at[lane]); !raised)
        return warp.fault(instr, FaultKind::invalidSync, raised.error(), lane);
    auto arrival = newTransfer(warp, instr, lane);
    arrival->signals.push_back({access.at[lane], {}});
    AsyncIssue issue = issueOf(warp, AsyncKind::copy, lane);
    issue.isOrdered = true;
    if (Monitor *monitor = warp.block.launch.monitor)
      monitor->mbarrierArrivesLater(warp, instr, lane, access.at[lane]);
    engine(warp).issue(std::move(arrival), issue, instr);
  }
  return &instr + 1;
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

namespace {

constexpr std::uint32_t bulkAlign = 16;

/// A bulk operation of one lane while it is put together.
class BulkIssue {
public:
  BulkIssue(Warp &warp, const Instr &instr, unsigned lane)
      : warp(warp), instr(instr), call(asyncCall(warp, instr)), lane(lane),
        target(BulkTarget(instr.width)) {}

  /// False after a fault.
  bool run() {
    bytes = warp.lanes<std::uint32_t>(call.bytes)[lane];
    if (bytes % bulkAlign != 0)
      return fail(concat("a bulk copy of ", bytes,
                         " bytes: the size must be a multiple of 16"));
    const std::byte *from =
        resolve(call.from, addressOf(warp, call.from, lane), AccessKind::read);
    if (!from)
      return false;
    return target == BulkTarget::prefetch || complete(from);
  }

private:
  bool fail(std::string what) {
    badCopy(warp, instr, lane, std::move(what));
    return false;
  }

  std::byte *resolve(const AddressOperand &place, std::uint64_t address,
                     AccessKind kind) {
    return resolveLane(warp, instr, place, lane, address,
                       {bytes, bulkAlign, kind, true});
  }

  bool complete(const std::byte *from) {
    auto transfer = newTransfer(warp, instr, lane);
    transfer->combine = call.combine;
    if (call.byteMask)
      transfer->byteMask = warp.lanes<std::uint16_t>(call.byteMask)[lane];
    const std::uint64_t address = addressOf(warp, call.to, lane);
    for (const std::uint64_t at : targetsOf(warp, call, lane, address)) {
      std::byte *to = resolve(call.to, at, AccessKind::write);
      if (!to)
        return false;
      transfer->add(from, to, bytes);
    }
    const bool signals = target == BulkTarget::shared;
    if (signals && !addSignals(*transfer, warp, instr, call, lane, bytes))
      return false;
    const AsyncKind kind = signals ? AsyncKind::signal : AsyncKind::bulk;
    engine(warp).issue(std::move(transfer), issueOf(warp, kind, lane), instr);
    return true;
  }

  Warp &warp;
  const Instr &instr;
  const AsyncCall &call;
  const unsigned lane;
  const BulkTarget target;
  std::uint32_t bytes = 0;
};

} // namespace

const Instr *tessera::vgpu::executeBulkCopy(Warp &warp, const Instr &instr) {
  for (unsigned lane : LanesOf(warp.exec))
    if (!BulkIssue(warp, instr, lane).run())
      return nullptr;
  return &instr + 1;
}

const Instr *tessera::vgpu::executeStoreAsync(Warp &warp, const Instr &instr) {
  const AsyncCall &call = asyncCall(warp, instr);
  const std::uint32_t each = instr.width;
  const auto bytes = std::uint32_t(each * call.values.size());
  Access to, mbarriers;
  if (!resolveAccess(warp, instr, call.to,
                     AccessForm::natural(bytes, AccessKind::write).later(),
                     to) ||
      !resolveAccess(
          warp, instr, call.mbarrier,
          AccessForm::natural(sizeof(std::uint64_t), AccessKind::atomic)
              .later(),
          mbarriers))
    return nullptr;
  for (unsigned lane : LanesOf(warp.exec)) {
    auto transfer = newTransfer(warp, instr, lane);
    transfer->combine = call.combine;
    std::byte *place = to.at[lane];
    for (Slot slot : call.values) {
      const std::uint64_t value = each == sizeof(std::uint64_t)
                                      ? warp.lanes<std::uint64_t>(slot)[lane]
                                      : warp.lanes<std::uint32_t>(slot)[lane];
      transfer->addValue(value, place, each);
      place += each;
    }
    transfer->signals.push_back(
        {mbarriers.at[lane],
         {.kind = MbarrierChange::Kind::complete, .number = bytes}});
    engine(warp).issue(std::move(transfer),
                       issueOf(warp, AsyncKind::signal, lane), instr);
  }
  return &instr + 1;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

const Instr *tessera::vgpu::executeCommitGroup(Warp &warp, const Instr &instr) {
  auto &open = warp.asyncGroups[instr.width];
  if (Monitor *monitor = warp.block.launch.monitor)
    monitor->groupCommitted(warp, instr, warp.exec, AsyncKind(instr.width));
  for (unsigned lane : LanesOf(warp.exec))
    ++open[lane];
  return &instr + 1;
}

const Instr *tessera::vgpu::executeWaitGroup(Warp &warp, const Instr &instr) {
  warp.isolate(instr);
  const auto kind = AsyncKind(instr.width & (waitsForReads - 1));
  const bool readOnly = (instr.width & waitsForReads) != 0;
  const auto &open = warp.asyncGroups[std::size_t(kind)];
  std::uint32_t ends[warpSize] = {};
  for (unsigned lane : LanesOf(warp.exec)) {
    const std::int64_t end = std::int64_t(open[lane]) - instr.offset;
    if (end <= 0)
      continue;
    ends[lane] = std::uint32_t(end);
    if (engine(warp).isDone(warp, kind, lane, ends[lane], readOnly))
      continue;
    warp.block.cluster.enlist(warp, Cluster::Key(&warp));
    return warp.suspendGroup(instr, Wait::transfers);
  }
  if (Monitor *monitor = warp.block.launch.monitor)
    monitor->groupWaited(warp, instr, warp.exec, kind, readOnly, ends);
  return &instr + 1;
}
