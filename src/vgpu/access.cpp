// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/access.h"
#include "vgpu/block.h"
#include "vgpu/launch.h"
#include "vgpu/text.h"

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
  Resolver(Warp &warp, const Instr &instr, std::uint32_t bytes, AccessKind kind,
           Access &access)
      : warp(warp), launch(warp.block.launch), instr(instr), bytes(bytes),
        kind(kind), access(access) {}

  bool resolve(MemorySpace space, const Addresses &addresses) {
    return space == MemorySpace::generic ? resolveGeneric(addresses)
                                         : resolveSpace(space, addresses);
  }

private:
  //===-- One lane --------------------------------------------------------===//

  static bool holds(const Launch::CachedRange &range, std::uint64_t address,
                    std::uint64_t size) {
    return address >= range.base && size <= range.size &&
           address - range.base <= range.size - size;
  }

  /// The range around a global address; empty when there is none.
  Launch::CachedRange &findRange(std::uint64_t address, std::uint64_t size) {
    Launch::CachedRange &range = launch.memoryCache[instr.cache];
    if (holds(range, address, size))
      return range;
    if (const Allocation *found = launch.findAllocation(address))
      range = {found->base, found->size,
               found->kind == Allocation::Kind::constant};
    else
      range = {};
    return range;
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
      return fits(sharedStart, launch.sharedEnd)
                 ? warp.block.sharedMemory(address)
                 : nullptr;
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
    const Launch::CachedRange &range = findRange(address, size);
    if (!holds(range, address, size) ||
        (range.isConstant && kind != AccessKind::read))
      return nullptr;
    return reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(address));
  }

  /// Why `find` gave null.
  std::string explain(MemorySpace space, std::uint64_t address) const {
    switch (space) {
    case MemorySpace::shared:
      if (address < sharedStart)
        return address == 0 ? "null pointer to shared memory"
                            : "before the start of shared memory";
      return concat(plural(address + bytes - launch.sharedEnd, "byte"),
                    " past the end of the block's shared memory (",
                    plural(launch.sharedEnd - sharedStart, "byte"), ")");
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
    if (holds(launch.memoryCache[instr.cache], address, bytes))
      return "constant memory cannot be written";
    return launch.memoryView().explain(address, bytes);
  }

  bool resolveLane(MemorySpace space, unsigned lane, std::uint64_t address) {
    if ((address & (bytes - 1)) != 0) {
      warp.fault(instr, FaultKind::misaligned,
                 concat(bytes, "-byte ", verb(kind), " at ", hex(address),
                        ", which is not a multiple of ", bytes),
                 lane, address);
      return false;
    }
    if (std::byte *found = find(space, lane, address, bytes)) {
      access.at[lane] = found;
      return true;
    }
    warp.fault(instr, FaultKind::invalidAddress,
               concat(bytes, "-byte ", verb(kind), " at ", hex(address), ": ",
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
    if (warp.exec != allLanes || (addresses[0] & (bytes - 1)) != 0)
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
    if (resolveTogether(space, addresses))
      return true;
    for (unsigned lane : LanesOf(warp.exec))
      if (!resolveLane(space, lane, addresses[lane]))
        return false;
    return true;
  }

  struct Window {
    MemorySpace space;
    std::uint64_t base;
  };
  static Window windowOf(std::uint64_t address) {
    if (address < window::size)
      return {MemorySpace::global, 0};
    if (window::contains(window::shared, address))
      return {MemorySpace::shared, window::shared};
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
      if (!resolveLane(own.space, lane, addresses[lane] - own.base))
        return false;
    }
    return true;
  }

  Warp &warp;
  Launch &launch;
  const Instr &instr;
  const std::uint32_t bytes;
  const AccessKind kind;
  Access &access;
};

} // namespace

void tessera::vgpu::computeAddresses(Warp &warp, const Instr &instr,
                                     Addresses &addresses) {
  const auto offset = std::uint64_t(instr.offset);
  switch (instr.addressBase) {
  case AddressBase::lanes64: {
    const auto *base = warp.lanes<std::uint64_t>(instr.a);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = base[lane] + offset;
    return;
  }
  case AddressBase::lanes32: {
    const auto *base = warp.lanes<std::uint32_t>(instr.a);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = std::uint32_t(base[lane] + offset);
    return;
  }
  case AddressBase::frame:
    for (std::uint64_t &address : addresses)
      address = warp.current->frame->stackBase + offset;
    return;
  case AddressBase::none:
    for (std::uint64_t &address : addresses)
      address = offset;
    return;
  }
}

bool tessera::vgpu::resolveAccess(Warp &warp, const Instr &instr,
                                  std::uint32_t bytes, AccessKind kind,
                                  Access &access) {
  Addresses addresses;
  computeAddresses(warp, instr, addresses);
  // The address of a parameter is generic: see `FunctionDecoder::symbolValue`.
  const bool isGeneric = instr.space == MemorySpace::generic ||
                         (instr.space == MemorySpace::param &&
                          instr.addressBase != AddressBase::none);
  return Resolver(warp, instr, bytes, kind, access)
      .resolve(isGeneric ? MemorySpace::generic : instr.space, addresses);
}

bool tessera::vgpu::readGeneric(Warp &warp, unsigned lane,
                                std::uint64_t address, void *to,
                                std::size_t bytes) {
  Launch &launch = warp.block.launch;
  const std::byte *from = nullptr;
  const std::uint64_t offset = address % window::size;
  if (window::contains(window::shared, address)) {
    if (offset < sharedStart || offset > launch.sharedEnd ||
        bytes > launch.sharedEnd - offset)
      return false;
    from = warp.block.sharedMemory(offset);
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
    const Allocation *allocation = launch.findAllocation(address);
    if (!allocation || !allocation->contains(address, bytes))
      return false;
    from = reinterpret_cast<const std::byte *>(
        static_cast<std::uintptr_t>(address));
  }
  std::memcpy(to, from, bytes);
  return true;
}
