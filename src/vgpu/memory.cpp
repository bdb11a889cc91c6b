// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/memory.h"
#include "vgpu/fault.h"
#include "vgpu/monitor.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>

using namespace tessera::vgpu;

namespace {

/// From here on memory comes from the system, zeroed and given back at once.
constexpr std::uint64_t mappingThreshold = 256 << 10;
constexpr std::uint64_t alignment = 256;
constexpr std::size_t rememberedFrees = 256;

/// An access this close to an allocation is told as being about it.
constexpr std::uint64_t nearby = 1 << 20;

} // namespace

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

Allocation::~Allocation() {
  if (mappedBytes)
    munmap(owned, mappedBytes);
  else
    std::free(owned);
}

std::string Allocation::describe() const {
  const std::string extent = concat(plural(size, "byte"), " at ", hex(base));
  switch (kind) {
  case Kind::global:
    return concat("variable '", name, "' (", extent, ")");
  case Kind::constant:
    return concat("constant '", name, "' (", extent, ")");
  case Kind::host:
    return concat("the mapped host memory of ", extent);
  case Kind::heap:
    return concat("the heap of kernels (", extent, ")");
  case Kind::device:
    break;
  }
  return concat("the allocation of ", extent);
}

//===----------------------------------------------------------------------===//
// MemoryView
//===----------------------------------------------------------------------===//

const Allocation *MemoryView::find(std::uint64_t address) const {
  auto after = std::ranges::upper_bound(
      entries, address, {}, [](const auto &entry) { return entry->base; });
  if (after == entries.begin())
    return nullptr;
  const Allocation *candidate = std::prev(after)->get();
  return address - candidate->base < candidate->size ? candidate : nullptr;
}

std::string MemoryView::explain(std::uint64_t address,
                                std::uint64_t bytes) const {
  if (address < 4096)
    return address == 0 ? "null pointer"
                        : concat("null pointer plus ", address);

  auto after = std::ranges::upper_bound(
      entries, address, {}, [](const auto &entry) { return entry->base; });
  const Allocation *below =
      after == entries.begin() ? nullptr : std::prev(after)->get();
  if (below && address - below->base < below->size) {
    const std::uint64_t over = address - below->base + bytes - below->size;
    return concat(plural(over, "byte"), " past the end of ", below->describe());
  }

  for (auto [base, size] : freed)
    if (address >= base && address - base < size)
      return concat("use after free: ", plural(address - base, "byte"),
                    " into the freed allocation of ", plural(size, "byte"),
                    " at ", hex(base));

  const std::uint64_t distance =
      below ? address - (below->base + below->size) : nearby;
  const Allocation *above = after == entries.end() ? nullptr : after->get();
  if (above && above->base - address < std::min(distance, nearby))
    return concat(plural(above->base - address, "byte"), " before ",
                  above->describe());
  if (distance < nearby)
    return concat(plural(distance + bytes, "byte"), " past the end of ",
                  below->describe());
  return "no allocation is near";
}

//===----------------------------------------------------------------------===//
// GlobalMemory
//===----------------------------------------------------------------------===//

GlobalMemory::GlobalMemory(std::uint64_t limit, std::uint64_t heapBytes,
                           std::shared_ptr<Monitor> watching)
    : limit(limit), monitor(std::move(watching)),
      guard(monitor ? monitor->memoryGuard() : MemoryGuard{}),
      deviceHeap(*this, heapBytes) {}

Result<std::uint64_t> GlobalMemory::allocate(std::uint64_t bytes,
                                             Allocation::Kind kind,
                                             std::string name) {
  std::lock_guard lock(mutex);
  if (bytes > limit - used)
    return fail(FaultKind::outOfMemory, plural(bytes, "byte"),
                " of global memory asked for, ", used, " of ", limit,
                " are in use");

  auto allocation =
      std::make_shared<Allocation>(0, bytes, kind, std::move(name));
  const std::uint64_t zone =
      (guard.redZone + alignment - 1) / alignment * alignment;
  const std::uint64_t room =
      std::max(alignment, (bytes + alignment - 1) / alignment * alignment) +
      2 * zone;
  if (room >= mappingThreshold) {
    void *mapping = mmap(nullptr, room, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping != MAP_FAILED) {
      allocation->owned = static_cast<std::byte *>(mapping);
      allocation->mappedBytes = room;
    }
  } else {
    allocation->owned =
        static_cast<std::byte *>(std::aligned_alloc(alignment, room));
    if (allocation->owned)
      std::memset(allocation->owned, 0, room);
  }
  if (!allocation->owned)
    return fail(FaultKind::outOfMemory, "the host has no ",
                plural(bytes, "byte"), " left");

  const auto base =
      std::uint64_t(reinterpret_cast<std::uintptr_t>(allocation->owned)) + zone;
  allocation->base = base;
  if (auto entered = enter(std::move(allocation)); !entered)
    return std::unexpected(std::move(entered.error()));
  used += bytes;
  return base;
}

Result<void> GlobalMemory::free(std::uint64_t address) {
  std::lock_guard lock(mutex);
  auto found = table.find(address);
  if (found == table.end() || found->second->kind == Allocation::Kind::host) {
    const bool again = std::ranges::any_of(
        freed, [&](const auto &range) { return range.first == address; });
    return failAt(FaultKind::invalidAddress, address, "free of ", hex(address),
                  again ? ", which was freed before"
                        : ", where no allocation begins");
  }
  used -= found->second->size;
  if (guard.quarantine != 0) {
    quarantined.push_back(found->second);
    quarantinedBytes += found->second->size;
    while (quarantinedBytes > guard.quarantine) {
      quarantinedBytes -= quarantined.front()->size;
      quarantined.pop_front();
    }
  }
  remove(address);
  return {};
}

Result<void> GlobalMemory::mapHost(void *base, std::uint64_t bytes) {
  const auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(base));
  if (!base || bytes == 0 || bytes > window::size ||
      address > window::size - bytes)
    return failAt(FaultKind::invalidAddress, address, "host memory of ",
                  plural(bytes, "byte"), " at ", hex(address),
                  " cannot be mapped");
  std::lock_guard lock(mutex);
  return enter(
      std::make_shared<Allocation>(address, bytes, Allocation::Kind::host, ""));
}

Result<void> GlobalMemory::unmapHost(void *base) {
  const auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(base));
  std::lock_guard lock(mutex);
  auto found = table.find(address);
  if (found == table.end() || found->second->kind != Allocation::Kind::host)
    return failAt(FaultKind::invalidAddress, address,
                  "no mapped host memory begins at ", hex(address));
  remove(address);
  return {};
}

Result<void> GlobalMemory::enter(std::shared_ptr<Allocation> allocation) {
  allocation->number = ++count;
  auto after = table.lower_bound(allocation->base);
  const Allocation *clash = nullptr;
  if (after != table.end() &&
      after->first <
          allocation->base + std::max<std::uint64_t>(1, allocation->size))
    clash = after->second.get();
  else if (after != table.begin())
    if (const auto &before = std::prev(after)->second;
        before->base + before->size > allocation->base)
      clash = before.get();
  if (clash)
    return failAt(FaultKind::invalidAddress, allocation->base,
                  allocation->describe(), " overlaps ", clash->describe());
  const std::uint64_t base = allocation->base;
  if (monitor)
    monitor->allocated(*allocation);
  std::erase_if(freed, [&](const auto &range) {
    return range.first < base + allocation->size &&
           base < range.first + range.second;
  });
  table.emplace(base, std::move(allocation));
  current = nullptr;
  return {};
}

void GlobalMemory::remove(std::uint64_t base) {
  auto found = table.find(base);
  if (monitor)
    monitor->freed(*found->second);
  freed.emplace_back(base, found->second->size);
  if (freed.size() > rememberedFrees)
    freed.pop_front();
  table.erase(found);
  current = nullptr;
}

std::shared_ptr<const MemoryView> GlobalMemory::view() const {
  std::lock_guard lock(mutex);
  if (!current) {
    MemoryView::Entries entries;
    entries.reserve(table.size());
    for (const auto &[base, allocation] : table)
      entries.push_back(allocation);
    current = std::make_shared<MemoryView>(
        std::move(entries),
        std::vector<std::pair<std::uint64_t, std::uint64_t>>(freed.begin(),
                                                             freed.end()));
  }
  return current;
}
