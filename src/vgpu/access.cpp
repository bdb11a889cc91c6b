// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/access.h"
#include "vgpu/block.h"
#include "vgpu/cluster.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"
#include "vgpu/text.h"
#include "vgpu/worker.h"

#include <cstring>
#include <string>

using namespace tessera::vgpu;

namespace {

using Addresses = std::uint64_t[warpSize];

std::string_view verb(AccessKind kind) {
  switch (kind) {
  case AccessKind::read:
    return "load";
  case AccessKind::write:
    return "store";
  case AccessKind::atomic:
    break;
  }
  return "atomic operation";
}

/// One instruction's access, by lane.
class Resolver {
public:
  Resolver(Warp &warp, const Instr &instr, const AddressOperand &place,
           const AccessForm &form, Access &access)
      : warp(warp), worker(warp.block.cluster.worker), launch(worker.launch),
        instr(instr), place(place), bytes(form.bytes), align(form.align),
        kind(form.kind), access(access),
        monitor(form.isLater ? nullptr : launch.monitor) {}

  bool resolve(const Addresses &addresses) {
    return isGeneric() ? resolveGeneric(addresses)
                       : resolveSpace(place.space, addresses);
  }

  bool resolveOne(unsigned lane, std::uint64_t address) {
    if (!isGeneric())
      return resolveLane(place.space, lane, address);
    const Window own = windowOf(address);
    return resolveLane(own.space, lane, address - own.base);
  }

private:
  /// The address of a parameter is generic: see `FunctionDecoder::symbolValue`.
  [[nodiscard]] bool isGeneric() const {
    return place.space == MemorySpace::generic ||
           (place.space == MemorySpace::param &&
            place.addressBase != AddressBase::none);
  }

  //===-- One lane --------------------------------------------------------===//

  static bool holds(const Worker::CachedRange &range, std::uint64_t address,
                    std::uint64_t size) {
    return address >= range.base && size <= range.size &&
           address - range.base <= range.size - size;
  }

  /// The range around a global address; empty when there is none.
  Worker::CachedRange &findRange(std::uint64_t address, std::uint64_t size) {
    Worker::CachedRange &range = worker.memoryCache[place.cache];
    if (holds(range, address, size))
      return range;
    if (const Allocation *found = worker.findAllocation(address))
      range = {found->base, found->size,
               found->kind == Allocation::Kind::constant};
    else
      range = {};
    return range;
  }

  /// The block whose shared memory an address names; null when there is none.
  /// An address without a rank is the own block's, unless any block's may be
  /// accessed.
  Block *sharedBlock(MemorySpace space, std::uint64_t address) const {
    Block &own = warp.block;
    const std::uint64_t rank = cluster::rankOf(address);
    if (rank == own.rank)
      return &own;
    if (space == MemorySpace::shared)
      return rank == 0 ? &own : nullptr;
    return own.cluster.block(rank);
  }

  std::byte *findShared(MemorySpace space, std::uint64_t address,
                        std::uint64_t size) const {
    Block *block = sharedBlock(space, address);
    const std::uint64_t offset = address & cluster::offsetMask;
    if (!block || offset < sharedStart || offset > launch.sharedEnd ||
        size > launch.sharedEnd - offset)
      return nullptr;
    return block->sharedMemory(offset);
  }

  std::string explainShared(MemorySpace space, std::uint64_t address) const {
    const std::uint64_t offset = address & cluster::offsetMask;
    if (!sharedBlock(space, address))
      return space == MemorySpace::shared
                 ? "an address of another block's shared memory, which "
                   ".shared::cta does not reach"
                 : concat("block ", cluster::rankOf(address),
                          " of the cluster does not exist");
    if (offset < sharedStart)
      return offset == 0 ? "null pointer to shared memory"
                         : "before the start of shared memory";
    return concat(plural(offset + bytes - launch.sharedEnd, "byte"),
                  " past the end of the block's shared memory (",
                  plural(launch.sharedEnd - sharedStart, "byte"), ")");
  }

  /// Where `size` bytes at an address of a space other than `generic` lie;
  /// null when they may not be accessed this way.
  std::byte *find(MemorySpace space, unsigned lane, std::uint64_t address,
                  std::uint64_t size) {
    const auto fits = [&](std::uint64_t begin, std::uint64_t end) {
      return address >= begin && address <= end && size <= end - address;
    };
    switch (space) {
    case MemorySpace::shared:
    case MemorySpace::sharedCluster:
      return findShared(space, address, size);
    case MemorySpace::local:
      return fits(0, warp.current->frame->stackTop)
                 ? warp.localMemory(lane, address)
                 : nullptr;
    case MemorySpace::param:
      return kind == AccessKind::read && fits(0, launch.kernel.info.paramBytes)
                 ? launch.paramBlock() + address
                 : nullptr;
    case MemorySpace::global:
    case MemorySpace::generic:
      break;
    }
    const Worker::CachedRange &range = findRange(address, size);
    if (!holds(range, address, size) ||
        (range.isConstant && kind != AccessKind::read))
      return nullptr;
    return reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(address));
  }

  /// Why `find` gave null.
  std::string explain(MemorySpace space, std::uint64_t address) const {
    switch (space) {
    case MemorySpace::shared:
    case MemorySpace::sharedCluster:
      return explainShared(space, address);
    case MemorySpace::local:
      return concat("outside of the thread's local memory, of which ",
                    plural(warp.current->frame->stackTop, "byte"),
                    " may be accessed");
    case MemorySpace::param:
      if (kind != AccessKind::read)
        return "kernel parameters cannot be written";
      return concat("outside of the kernel's parameters (",
                    plural(launch.kernel.info.paramBytes, "byte"), ")");
    case MemorySpace::global:
    case MemorySpace::generic:
      break;
    }
    if (holds(worker.memoryCache[place.cache], address, bytes))
      return "constant memory cannot be written";
    return worker.memoryView().explain(address, bytes);
  }

  bool resolveLane(MemorySpace space, unsigned lane, std::uint64_t address) {
    if ((address & (align - 1)) != 0) {
      warp.fault(instr, FaultKind::misaligned,
                 concat(describeAccess(kind, bytes), " at ", hex(address),
                        ", which is not a multiple of ", align),
                 lane, address);
      return false;
    }
    if (std::byte *found = find(space, lane, address, bytes)) {
      access.at[lane] = found;
      return true;
    }
    warp.fault(instr, FaultKind::invalidAddress,
               concat(describeAccess(kind, bytes), " at ", hex(address), ": ",
                      explain(space, address)),
               lane, address);
    return false;
  }

  //===-- All lanes -------------------------------------------------------===//

  /// Whether lane i's address is `stride` times i above lane 0's.
  static bool hasStride(const Addresses &addresses, std::uint64_t stride) {
    std::uint64_t differences = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      differences |= addresses[lane] ^ (addresses[0] + lane * stride);
    return differences == 0;
  }

  /// The common cases with one check for all: lanes side by side, or all at
  /// one address.
  bool resolveTogether(MemorySpace space, const Addresses &addresses) {
    if (warp.exec != allLanes || (addresses[0] & (align - 1)) != 0 ||
        bytes % align != 0)
      return false;
    const bool isLocal = space == MemorySpace::local;
    const bool isUniform = hasStride(addresses, 0);
    const bool isSideBySide =
        !isUniform && !isLocal && hasStride(addresses, bytes);
    if (!isUniform && !isSideBySide)
      return false;
    std::byte *first =
        find(space, 0, addresses[0], isSideBySide ? bytes * warpSize : bytes);
    if (!first)
      return false;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      access.at[lane] = isLocal        ? warp.localMemory(lane, addresses[0])
                        : isSideBySide ? first + lane * bytes
                                       : first;
    access.isContiguous = isSideBySide;
    return true;
  }

  bool resolveSpace(MemorySpace space, const Addresses &addresses) {
    if (!resolveTogether(space, addresses))
      for (unsigned lane : LanesOf(warp.exec))
        if (!resolveLane(space, lane, addresses[lane]))
          return false;
    if (monitor)
      tell(space, addresses, warp.exec);
    return true;
  }

  //===-- The monitor -----------------------------------------------------===//

  /// Says that `lanes` access `addresses` of a space.
  void tell(MemorySpace space, const Addresses &addresses, LaneMask lanes) {
    AccessEvent event{.warp = warp,
                      .instr = instr,
                      .lanes = lanes,
                      .space = space,
                      .kind = kind,
                      .bytes = bytes,
                      .addresses = addresses,
                      .at = access.at};
    if (space == MemorySpace::shared || space == MemorySpace::sharedCluster)
      return tellShared(event);
    monitor->access(event);
  }

  /// One event for each block whose memory is accessed.
  void tellShared(AccessEvent event) {
    Addresses offsets;
    const MemorySpace space = event.space;
    for (unsigned lane : LanesOf(event.lanes))
      offsets[lane] = event.addresses[lane] & cluster::offsetMask;
    for (LaneMask rest = event.lanes; rest != 0; rest &= ~event.lanes) {
      event.target = sharedBlock(space, event.addresses[firstLane(rest)]);
      event.lanes = 0;
      for (unsigned lane : LanesOf(rest))
        if (sharedBlock(space, event.addresses[lane]) == event.target)
          event.lanes |= LaneMask(1) << lane;
      AccessEvent part = event;
      part.space = MemorySpace::shared;
      part.addresses = offsets;
      monitor->access(part);
    }
  }

  struct Window {
    MemorySpace space;
    std::uint64_t base;
  };
  static Window windowOf(std::uint64_t address) {
    if (address < window::size)
      return {MemorySpace::global, 0};
    if (window::contains(window::shared, address))
      return {MemorySpace::sharedCluster, window::shared};
    if (window::contains(window::local, address))
      return {MemorySpace::local, window::local};
    if (window::contains(window::param, address))
      return {MemorySpace::param, window::param};
    return {MemorySpace::global, 0};
  }

  bool resolveGeneric(const Addresses &addresses) {
    const Window first = windowOf(addresses[firstLane(warp.exec)]);
    Addresses offsets;
    bool isOneSpace = true;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      offsets[lane] = addresses[lane] - first.base;
      isOneSpace = isOneSpace && (offsets[lane] < window::size ||
                                  (warp.exec >> lane & 1) == 0);
    }
    if (isOneSpace)
      return resolveSpace(first.space, offsets);
    for (unsigned lane : LanesOf(warp.exec)) {
      const Window own = windowOf(addresses[lane]);
      offsets[lane] = addresses[lane] - own.base;
      if (!resolveLane(own.space, lane, offsets[lane]))
        return false;
      if (monitor)
        tell(own.space, offsets, LaneMask(1) << lane);
    }
    return true;
  }

  Warp &warp;
  Worker &worker;
  Launch &launch;
  const Instr &instr;
  const AddressOperand &place;
  const std::uint32_t bytes, align;
  const AccessKind kind;
  Access &access;
  Monitor *const monitor;
};

} // namespace

std::string tessera::vgpu::describeAccess(AccessKind kind,
                                          std::uint32_t bytes) {
  return concat(bytes, "-byte ", verb(kind));
}

void tessera::vgpu::computeAddresses(Warp &warp, const AddressOperand &place,
                                     Addresses &addresses) {
  const auto offset = std::uint64_t(place.offset);
  switch (place.addressBase) {
  case AddressBase::lanes64: {
    const auto *base = warp.lanes<std::uint64_t>(place.a);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = base[lane] + offset;
    return;
  }
  case AddressBase::lanes32: {
    const auto *base = warp.lanes<std::uint32_t>(place.a);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = std::uint32_t(base[lane] + offset);
    return;
  }
  case AddressBase::frame:
    for (std::uint64_t &address : addresses)
      address = warp.current->frame->stackBase + offset;
    return;
  case AddressBase::none:
    // Offsets into shared memory are the own block's.
    for (std::uint64_t &address : addresses)
      address = place.space == MemorySpace::sharedCluster
                    ? warp.block.sharedBase + offset
                    : offset;
    return;
  }
}

bool tessera::vgpu::resolveAccess(Warp &warp, const Instr &instr,
                                  const AddressOperand &place,
                                  const AccessForm &form, Access &access) {
  Addresses addresses;
  computeAddresses(warp, place, addresses);
  return Resolver(warp, instr, place, form, access).resolve(addresses);
}

bool tessera::vgpu::resolveAddresses(Warp &warp, const Instr &instr,
                                     const AddressOperand &place,
                                     const Addresses &addresses,
                                     const AccessForm &form, Access &access) {
  return Resolver(warp, instr, place, form, access).resolve(addresses);
}

std::byte *tessera::vgpu::resolveLane(Warp &warp, const Instr &instr,
                                      const AddressOperand &place,
                                      unsigned lane, std::uint64_t address,
                                      const AccessForm &form) {
  Access access;
  Resolver resolver(warp, instr, place, form, access);
  return resolver.resolveOne(lane, address) ? access.at[lane] : nullptr;
}

bool tessera::vgpu::readGeneric(Warp &warp, unsigned lane,
                                std::uint64_t address, void *to,
                                std::size_t bytes) {
  Launch &launch = warp.block.launch;
  const std::byte *from = nullptr;
  const std::uint64_t offset = address % window::size;
  if (window::contains(window::shared, address)) {
    Block *block = warp.block.cluster.block(cluster::rankOf(offset));
    const std::uint64_t inside = offset & cluster::offsetMask;
    if (!block || inside < sharedStart || inside > launch.sharedEnd ||
        bytes > launch.sharedEnd - inside)
      return false;
    from = block->sharedMemory(inside);
  } else if (window::contains(window::local, address)) {
    const std::uint64_t top = warp.current->frame->stackTop;
    if (offset > top || bytes > top - offset)
      return false;
    from = warp.localMemory(lane, offset);
  } else if (window::contains(window::param, address)) {
    const std::uint64_t size = launch.kernel.info.paramBytes;
    if (offset > size || bytes > size - offset)
      return false;
    from = launch.paramBlock() + offset;
  } else {
    const Allocation *allocation =
        warp.block.cluster.worker.findAllocation(address);
    if (!allocation || !allocation->contains(address, bytes))
      return false;
    from = reinterpret_cast<const std::byte *>(
        static_cast<std::uintptr_t>(address));
  }
  std::memcpy(to, from, bytes);
  return true;
}
