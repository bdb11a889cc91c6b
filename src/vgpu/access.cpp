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
    switch (space) {
    case MemorySpace::generic:
      return resolveGeneric(addresses);
    case MemorySpace::global:
      return resolveGlobal(addresses);
    case MemorySpace::shared:
    case MemorySpace::local:
    case MemorySpace::param:
      return resolveLanes(space, addresses);
    }
    return false;
  }

private:
  bool fail(unsigned lane, std::uint64_t address, std::string_view reason) {
    warp.fault(
        instr, FaultKind::invalidAddress,
        concat(bytes, "-byte ", verb(kind), " at ", hex(address), ": ", reason),
        lane, address);
    return false;
  }

  bool checkAlignment(unsigned lane, std::uint64_t address) {
    if ((address & (bytes - 1)) == 0)
      return true;
    warp.fault(instr, FaultKind::misaligned,
               concat(bytes, "-byte ", verb(kind), " at ", hex(address),
                      ", which is not a multiple of ", bytes),
               lane, address);
    return false;
  }

  /// Whether all lanes execute and access `bytes` bytes after each other.
  bool isContiguous(const Addresses &addresses) const {
    if (warp.exec != allLanes)
      return false;
    std::uint64_t differences = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      differences |= addresses[lane] ^ (addresses[0] + lane * bytes);
    return differences == 0;
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

  static bool holds(const Launch::CachedRange &range, std::uint64_t address,
                    std::uint64_t size) {
    return address >= range.base && size <= range.size &&
           address - range.base <= range.size - size;
  }

  bool resolveGlobalLane(unsigned lane, std::uint64_t address) {
    if (!checkAlignment(lane, address))
      return false;
    const Launch::CachedRange &range = findRange(address, bytes);
    if (!holds(range, address, bytes))
      return fail(lane, address, launch.memoryView().explain(address, bytes));
    if (range.isConstant && kind != AccessKind::read)
      return fail(lane, address, "constant memory cannot be written");
    access.at[lane] =
        reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(address));
    return true;
  }

  bool resolveGlobal(const Addresses &addresses) {
    if (isContiguous(addresses) && addresses[0] % bytes == 0) {
      const std::uint64_t total = std::uint64_t(bytes) * warpSize;
      const Launch::CachedRange &range = findRange(addresses[0], total);
      if (holds(range, addresses[0], total) &&
          (kind == AccessKind::read || !range.isConstant)) {
        access.isContiguous = true;
        setContiguous(reinterpret_cast<std::byte *>(
            static_cast<std::uintptr_t>(addresses[0])));
        return true;
      }
    }
    for (unsigned lane : LanesOf(warp.exec))
      if (!resolveGlobalLane(lane, addresses[lane]))
        return false;
    return true;
  }

  void setContiguous(std::byte *first) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      access.at[lane] = first + lane * bytes;
  }

  bool resolveShared(unsigned lane, std::uint64_t address) {
    const std::uint64_t end = launch.sharedEnd;
    if (address >= sharedStart && address <= end && bytes <= end - address) {
      access.at[lane] = warp.block.sharedMemory(address);
      return true;
    }
    if (address < sharedStart)
      return fail(lane, address,
                  address == 0 ? "null pointer to shared memory"
                               : "before the start of shared memory");
    return fail(lane, address,
                concat(plural(address + bytes - end, "byte"),
                       " past the end of the block's shared memory (",
                       plural(end - sharedStart, "byte"), ")"));
  }

  bool resolveLocal(unsigned lane, std::uint64_t address) {
    const std::uint64_t top = warp.current->frame->stackTop;
    if (address <= top && bytes <= top - address) {
      access.at[lane] = warp.localMemory(lane, address);
      return true;
    }
    return fail(lane, address,
                concat("outside of the thread's local memory, of which ",
                       plural(top, "byte"), top == 1 ? " is" : " are",
                       " in use"));
  }

  bool resolveParam(unsigned lane, std::uint64_t address) {
    const std::uint64_t offset = window::contains(window::param, address)
                                     ? address - window::param
                                     : address;
    const std::uint64_t size = launch.kernel.info.paramBytes;
    if (kind != AccessKind::read)
      return fail(lane, address, "kernel parameters cannot be written");
    if (offset > size || bytes > size - offset)
      return fail(lane, address,
                  concat("outside of the kernel's parameters (",
                         plural(size, "byte"), ")"));
    access.at[lane] = launch.paramBlock() + offset;
    return true;
  }

  bool resolveLane(MemorySpace space, unsigned lane, std::uint64_t address) {
    if (!checkAlignment(lane, address))
      return false;
    switch (space) {
    case MemorySpace::shared:
      return resolveShared(lane, address);
    case MemorySpace::local:
      return resolveLocal(lane, address);
    case MemorySpace::param:
      return resolveParam(lane, address);
    case MemorySpace::global:
    case MemorySpace::generic:
      break;
    }
    return resolveGlobalLane(lane, address);
  }

  bool resolveLanes(MemorySpace space, const Addresses &addresses) {
    for (unsigned lane : LanesOf(warp.exec))
      if (!resolveLane(space, lane, addresses[lane]))
        return false;
    access.isContiguous =
        space == MemorySpace::shared && isContiguous(addresses);
    return true;
  }

  bool resolveGeneric(const Addresses &addresses) {
    std::uint64_t high = 0;
    for (std::uint64_t address : addresses)
      high |= address;
    if (high < window::size)
      return resolveGlobal(addresses);
    for (unsigned lane : LanesOf(warp.exec)) {
      const std::uint64_t address = addresses[lane];
      const std::uint64_t offset = address % window::size;
      bool good = false;
      if (window::contains(window::shared, address))
        good = resolveLane(MemorySpace::shared, lane, offset);
      else if (window::contains(window::local, address))
        good = resolveLane(MemorySpace::local, lane, offset);
      else if (window::contains(window::param, address))
        good = resolveLane(MemorySpace::param, lane, address);
      else
        good = resolveLane(MemorySpace::global, lane, address);
      if (!good)
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
  return Resolver(warp, instr, bytes, kind, access)
      .resolve(instr.space, addresses);
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
