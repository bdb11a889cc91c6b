// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/async/mbarrier.h"
#include "vgpu/cluster.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"
#include "vgpu/text.h"
#include "vgpu/worker.h"

#include <cstring>

using namespace tessera::vgpu;

//===----------------------------------------------------------------------===//
// The bits: 20 pending, 20 expected, 22 bytes, parity, a mark that it is one
//===----------------------------------------------------------------------===//

namespace {

constexpr unsigned expectedShift = 20, bytesShift = 40, parityShift = 62;
constexpr std::uint64_t countMask = (1 << 20) - 1, bytesMask = (1 << 22) - 1;
constexpr std::uint64_t mark = std::uint64_t(1) << 63;

} // namespace

std::optional<Mbarrier> Mbarrier::decode(std::uint64_t bits) {
  if ((bits & mark) == 0)
    return std::nullopt;
  Mbarrier object;
  object.pending = std::uint32_t(bits & countMask);
  object.expected = std::uint32_t(bits >> expectedShift & countMask);
  // Extends the sign of 22 bits.
  object.bytes = std::int32_t(bits >> bytesShift & bytesMask) << 10 >> 10;
  object.parity = (bits >> parityShift & 1) != 0;
  return object;
}

std::uint64_t Mbarrier::encode() const {
  return mark | pending | std::uint64_t(expected) << expectedShift |
         (std::uint64_t(std::uint32_t(bytes)) & bytesMask) << bytesShift |
         std::uint64_t(parity) << parityShift;
}

std::string Mbarrier::describe() const {
  std::string text = concat("pending arrivals ", pending);
  if (bytes)
    text += concat(", pending bytes ", bytes);
  return text;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool Mbarrier::completeIfDone() {
  if (pending != 0 || bytes != 0)
    return false;
  parity = !parity;
  pending = expected;
  return true;
}

Mbarrier::Outcome Mbarrier::arrive(std::uint32_t count) {
  if (count == 0 || count > mostArrivals)
    return std::unexpected(concat(count, " arrivals at an mbarrier: 1 to ",
                                  mostArrivals, " can arrive at a time"));
  if (count > pending)
    return std::unexpected(concat(plural(count, "arrival"),
                                  " at an mbarrier whose phase waits for ",
                                  pending, " more"));
  pending -= count;
  return completeIfDone();
}

Mbarrier::Outcome Mbarrier::arriveAndDrop(std::uint32_t count) {
  if (count > expected)
    return std::unexpected(concat(plural(count, "arrival"),
                                  " dropped from an mbarrier that expects ",
                                  expected));
  expected -= count;
  return arrive(count);
}

Mbarrier::Outcome Mbarrier::addBytes(std::int64_t delta) {
  const std::int64_t sum = bytes + delta;
  if (sum > mostBytes || sum < -mostBytes)
    return std::unexpected(concat(
        sum, " pending bytes of an mbarrier: ", mostBytes, " are the most"));
  bytes = std::int32_t(sum);
  return completeIfDone();
}

Mbarrier::Outcome Mbarrier::expectArrival() {
  if (pending == mostArrivals)
    return std::unexpected(concat("an mbarrier cannot wait for more than ",
                                  mostArrivals, " arrivals"));
  ++pending;
  return false;
}

std::expected<void, std::string> tessera::vgpu::raisePending(std::byte *at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  auto object = Mbarrier::decode(bits);
  if (!object)
    return std::unexpected("there is no initialised mbarrier");
  if (auto outcome = object->expectArrival(); !outcome)
    return std::unexpected(std::move(outcome.error()));
  bits = object->encode();
  std::memcpy(at, &bits, sizeof(bits));
  return {};
}

std::expected<std::uint64_t, std::string>
tessera::vgpu::changeMbarrier(Cluster &cluster, std::byte *at,
                              const MbarrierChange &change) {
  std::uint64_t old = 0;
  std::memcpy(&old, at, sizeof(old));
  auto object = Mbarrier::decode(old);
  if (!object)
    return std::unexpected("there is no initialised mbarrier");

  Mbarrier::Outcome outcome = false;
  switch (change.kind) {
  case MbarrierChange::Kind::arrive:
    outcome = object->arrive(change.number);
    break;
  case MbarrierChange::Kind::drop:
    outcome = object->arriveAndDrop(change.number);
    break;
  case MbarrierChange::Kind::expect:
    outcome = object->addBytes(change.number);
    break;
  case MbarrierChange::Kind::complete:
    outcome = object->addBytes(-std::int64_t(change.number));
    break;
  case MbarrierChange::Kind::expectArrive:
    // The arrival is still pending: expecting bytes completes nothing.
    outcome = object->pending == 0 ? object->arrive(1)
                                   : object->addBytes(change.number);
    if (outcome)
      outcome = change.drops ? object->arriveAndDrop(1) : object->arrive(1);
    break;
  }
  if (!outcome)
    return std::unexpected(std::move(outcome.error()));
  if (*outcome && change.mayNotComplete)
    return std::unexpected("a .noComplete arrival completes the phase of its "
                           "mbarrier");
  const std::uint64_t bits = object->encode();
  std::memcpy(at, &bits, sizeof(bits));
  if (*outcome) {
    if (Monitor *monitor = cluster.worker.launch.monitor)
      monitor->mbarrierCompleted(at);
    cluster.wake(Cluster::Key(at));
  }
  return old;
}
