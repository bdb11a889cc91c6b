// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/check/memcheck.h"
#include "vgpu/launch.h"
#include "vgpu/text.h"

#include <algorithm>
#include <functional>
#include <string>

using namespace tessera::vgpu;
using namespace tessera::vgpu::check;

namespace {

enum Kind : int { faultKind, hostKind, sharedKind, leakKind };

/// Wider than what an index that is off by a row of a usual tile misses.
constexpr std::uint32_t redZone = 4096, sharedGap = 512;
constexpr std::uint64_t quarantine = 256 << 20;

/// Whether bytes `[offset, offset + size)` lie in one variable of the kernel,
/// or in dynamic shared memory.
bool isInOneVariable(const Launch &launch, std::uint64_t offset,
                     std::uint64_t size) {
  const auto holds = [&](std::uint64_t begin, std::uint64_t bytes) {
    return offset >= begin && offset - begin <= bytes &&
           size <= bytes - (offset - begin);
  };
  for (const SharedVariable &variable : launch.kernel.sharedVariables)
    if (holds(variable.offset, variable.size))
      return true;
  return holds(launch.dynamicShared, launch.config.dynamicShared);
}

/// Which variable an offset misses, and by how much.
std::string explainShared(const Launch &launch, std::uint64_t offset,
                          std::uint64_t bytes) {
  std::string best = "outside of all shared variables";
  std::uint64_t least = ~std::uint64_t(0);
  const auto consider = [&](std::uint64_t begin, std::uint64_t size,
                            const std::string &name) {
    const bool isBefore = offset < begin;
    const std::uint64_t distance =
        isBefore ? begin - offset : offset + bytes - (begin + size);
    if (distance >= least)
      return;
    least = distance;
    best = concat(plural(distance, "byte"),
                  isBefore ? " before " : " past the end of ", name, " (",
                  plural(size, "byte"), ")");
  };
  for (const SharedVariable &variable : launch.kernel.sharedVariables)
    consider(variable.offset, variable.size,
             concat("shared variable '", variable.name, "'"));
  if (launch.config.dynamicShared)
    consider(launch.dynamicShared, launch.config.dynamicShared,
             "dynamic shared memory");
  return best;
}

/// One mistake of the host's for each text, one of a kernel's for each
/// instruction: another module may have the same line.
FindingList::Key keyOf(const Fault &fault) {
  const std::hash<std::string> hash;
  if (fault.kernel.empty())
    return {Tool::memcheck, hostKind, hash(fault.what), 0};
  return {Tool::memcheck, faultKind, hash(fault.kernel + fault.instruction),
          fault.ptx.line};
}

} // namespace

MemoryGuard Memcheck::memoryGuard() const {
  return {.redZone = redZone, .quarantine = quarantine, .sharedGap = sharedGap};
}

void Memcheck::allocated(const Allocation &allocation) {
  if (allocation.kind != Allocation::Kind::device)
    return;
  std::lock_guard lock(mutex);
  live[allocation.number] = allocation.size;
}

void Memcheck::freed(const Allocation &allocation) {
  std::lock_guard lock(mutex);
  live.erase(allocation.number);
}

void Memcheck::failed(const Fault &fault) {
  switch (fault.kind) {
  case FaultKind::invalidAddress:
  case FaultKind::misaligned:
  case FaultKind::stackOverflow:
    break;
  default:
    return;
  }
  context.findings.add(keyOf(fault), [&] {
    Finding finding{.tool = Tool::memcheck, .message = fault.what};
    if (fault.kernel.empty())
      finding.places.push_back({.what = "in a call of the host's"});
    else
      finding.places.push_back({.what = "executed",
                                .kernel = fault.kernel,
                                .block = fault.block,
                                .thread = fault.thread,
                                .instruction = fault.instruction,
                                .ptx = fault.ptx,
                                .sourceFile = fault.sourceFile,
                                .sourceLine = fault.sourceLine});
    return finding;
  });
}

void Memcheck::access(const AccessEvent &event) {
  if (event.space != MemorySpace::shared)
    return;
  const Launch &launch = *context.launch;
  std::uint64_t low = ~std::uint64_t(0), high = 0;
  for (unsigned lane : LanesOf(event.lanes)) {
    low = std::min(low, event.addresses[lane]);
    high = std::max(high, event.addresses[lane]);
  }
  if (isInOneVariable(launch, low, high - low + event.bytes))
    return;
  for (unsigned lane : LanesOf(event.lanes))
    if (!isInOneVariable(launch, event.addresses[lane], event.bytes))
      return reportShared(event, lane);
}

void Memcheck::reportShared(const AccessEvent &event, unsigned lane) {
  const std::uint32_t site = context.siteOf(event.warp, event.instr);
  context.findings.add(
      {Tool::memcheck, sharedKind, context.sites.identity(site), 0}, [&] {
        const std::string what = describeAccess(event.kind, event.bytes);
        Finding finding{.tool = Tool::memcheck,
                        .message = concat(
                            what, " out of bounds of shared memory: ",
                            explainShared(*context.launch,
                                          event.addresses[lane], event.bytes))};
        finding.places.push_back(
            context.place(event.warp, event.instr, lane, what));
        return finding;
      });
}

void Memcheck::finish() {
  if (!findsLeaks)
    return;
  std::lock_guard lock(mutex);
  for (const auto &[number, bytes] : live)
    context.findings.add({Tool::memcheck, leakKind, number, 0}, [&] {
      return Finding{.tool = Tool::memcheck,
                     .message =
                         concat("allocation ", number, " of ",
                                plural(bytes, "byte"), " was never freed")};
    });
  live.clear();
}
