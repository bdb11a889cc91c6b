// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How faults are made.

#ifndef TESSERA_VGPU_FAULT_H
#define TESSERA_VGPU_FAULT_H

#include "vgpu/text.h"
#include "vgpu/vgpu.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::vgpu {

/// A fault that is not about an instruction; its reason is the parts after
/// each other.
template <class... Parts>
std::unexpected<Fault> fail(FaultKind kind, const Parts &...parts) {
  return std::unexpected(Fault{.kind = kind, .what = concat(parts...)});
}

/// The same, about an address.
template <class... Parts>
std::unexpected<Fault> failAt(FaultKind kind, std::uint64_t address,
                              const Parts &...parts) {
  return std::unexpected(
      Fault{.kind = kind, .what = concat(parts...), .address = address});
}

/// The names of `candidates` that look like `wanted`, nearest first, at most
/// three: for "did you mean".
std::vector<std::string> nearNames(std::string_view wanted,
                                   std::span<const std::string> candidates);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_FAULT_H
