// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit floating point for atomics, by way of double precision: it holds the
// sum of two such numbers well enough for one rounding to be right.

#ifndef TESSERA_VGPU_HALF_H
#define TESSERA_VGPU_HALF_H

#include <cstdint>

namespace tessera::vgpu {

/// A 16-bit format by the size of its fields.
template <unsigned exponentBits, unsigned mantissaBits> struct HalfFormat {
  static_assert(exponentBits + mantissaBits == 15);
  /// Nearest even.
  static std::uint16_t add(std::uint16_t a, std::uint16_t b);
  /// The smaller; a number beats a NaN, -0 is below +0.
  static std::uint16_t min(std::uint16_t a, std::uint16_t b);
  static std::uint16_t max(std::uint16_t a, std::uint16_t b);

  static double toDouble(std::uint16_t bits);
  static std::uint16_t fromDouble(double value);
};

using Float16 = HalfFormat<5, 10>;
using BFloat16 = HalfFormat<8, 7>;

extern template struct HalfFormat<5, 10>;
extern template struct HalfFormat<8, 7>;

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_HALF_H
