// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/heap.h"
#include "vgpu/memory.h"

#include <algorithm>

using namespace tessera::vgpu;

namespace {

constexpr std::uint64_t unit = 16;

} // namespace

bool Heap::start() {
  if (!base) {
    auto allocated = memory.allocate(bytes, Allocation::Kind::heap, {});
    base = allocated.value_or(0);
    if (*base)
      gaps.emplace(*base, bytes);
  }
  return *base != 0;
}

std::uint64_t Heap::allocate(std::uint64_t size) {
  std::lock_guard lock(mutex);
  if (size > bytes || !start())
    return 0;
  // Nothing at all gets an address of its own, too.
  const std::uint64_t room =
      std::max<std::uint64_t>(unit, (size + unit - 1) / unit * unit);
  const auto gap = std::ranges::find_if(
      gaps, [&](const auto &range) { return range.second >= room; });
  if (gap == gaps.end())
    return 0;
  const auto [address, available] = *gap;
  gaps.erase(gap);
  if (available > room)
    gaps.emplace(address + room, available - room);
  used.emplace(address, room);
  return address;
}

Heap::Freed Heap::free(std::uint64_t address) {
  std::lock_guard lock(mutex);
  const auto found = used.find(address);
  if (found != used.end()) {
    giveBack(address, found->second);
    used.erase(found);
    return Freed::done;
  }
  const auto after = gaps.upper_bound(address);
  if (after == gaps.begin())
    return Freed::unknown;
  const auto &[start, size] = *std::prev(after);
  return address - start < size ? Freed::again : Freed::unknown;
}

void Heap::giveBack(std::uint64_t start, std::uint64_t size) {
  const auto after = gaps.upper_bound(start);
  if (after != gaps.end() && after->first == start + size) {
    size += after->second;
    gaps.erase(after);
  }
  const auto next = gaps.upper_bound(start);
  if (next != gaps.begin())
    if (auto &[before, length] = *std::prev(next); before + length == start) {
      length += size;
      return;
    }
  gaps.emplace(start, size);
}
