// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way from an address in PTX to host memory. Every load, store and
// atomic passes here, with its space, size and kind, before it touches
// anything: this is where an access is checked, and where checkers hook in.

#ifndef TESSERA_VGPU_ACCESS_H
#define TESSERA_VGPU_ACCESS_H

#include "vgpu/warp.h"

#include <cstddef>
#include <cstdint>

namespace tessera::vgpu {

enum class AccessKind : std::uint8_t { read, write, atomic };

/// Where the executing lanes of a memory instruction access.
struct Access {
  std::byte *at[warpSize]; ///< of the executing lanes
  /// All 32 lanes execute and lane i's bytes follow lane i-1's.
  bool isContiguous = false;
};

/// The addresses of a memory instruction, as PTX sees them, for all lanes.
void computeAddresses(Warp &warp, const Instr &instr,
                      std::uint64_t (&addresses)[warpSize]);

/// Checks an access of `bytes` bytes by the executing lanes and finds the
/// memory. False when a lane's access is wrong: the fault has been recorded.
[[nodiscard]] bool resolveAccess(Warp &warp, const Instr &instr,
                                 std::uint32_t bytes, AccessKind kind,
                                 Access &access);

/// Reads bytes of a lane's memory at a generic address, for built-in functions.
/// False when they may not be read.
[[nodiscard]] bool readGeneric(Warp &warp, unsigned lane, std::uint64_t address,
                               void *to, std::size_t bytes);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_ACCESS_H
