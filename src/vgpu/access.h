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
#include <string>

namespace tessera::vgpu {

enum class AccessKind : std::uint8_t { read, write, atomic };
/// "4-byte store".
[[nodiscard]] std::string describeAccess(AccessKind kind, std::uint32_t bytes);

/// Where the executing lanes of a memory instruction access.
struct Access {
  std::byte *at[warpSize]; ///< of the executing lanes
  /// All 32 lanes execute and lane i's bytes follow lane i-1's.
  bool isContiguous = false;
};

/// What is accessed at each address.
struct AccessForm {
  std::uint32_t bytes = 0;
  std::uint32_t align = 1; ///< a power of two
  AccessKind kind = AccessKind::read;
  /// The memory is not accessed now, by the instruction itself, so that the
  /// monitor is not told of it here.
  bool isLater = false;

  /// The same, for a later access.
  [[nodiscard]] AccessForm later() const {
    AccessForm form = *this;
    form.isLater = true;
    return form;
  }

  /// An access to `bytes` bytes, which must be aligned to their number.
  static AccessForm natural(std::uint32_t bytes, AccessKind kind) {
    return {bytes, bytes, kind};
  }
};

/// The addresses of an operand, as PTX sees them, for all lanes.
void computeAddresses(Warp &warp, const AddressOperand &place,
                      std::uint64_t (&addresses)[warpSize]);

/// Checks an access at `place` by the executing lanes and finds the memory.
/// False when a lane's access is wrong: the fault has been recorded.
[[nodiscard]] bool resolveAccess(Warp &warp, const Instr &instr,
                                 const AddressOperand &place,
                                 const AccessForm &form, Access &access);

/// The same at the address of the instruction itself, naturally aligned.
[[nodiscard]] inline bool resolveAccess(Warp &warp, const Instr &instr,
                                        std::uint32_t bytes, AccessKind kind,
                                        Access &access) {
  return resolveAccess(warp, instr, instr, AccessForm::natural(bytes, kind),
                       access);
}

/// The same for addresses in the space of `place` that the caller has computed.
[[nodiscard]] bool resolveAddresses(Warp &warp, const Instr &instr,
                                    const AddressOperand &place,
                                    const std::uint64_t (&addresses)[warpSize],
                                    const AccessForm &form, Access &access);

/// Checks an access of one lane at an address of `space`; null when it is
/// wrong: the fault has been recorded.
[[nodiscard]] std::byte *resolveLane(Warp &warp, const Instr &instr,
                                     const AddressOperand &place, unsigned lane,
                                     std::uint64_t address,
                                     const AccessForm &form);

/// Reads bytes of a lane's memory at a generic address, for built-in functions.
/// False when they may not be read.
[[nodiscard]] bool readGeneric(Warp &warp, unsigned lane, std::uint64_t address,
                               void *to, std::size_t bytes);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_ACCESS_H
