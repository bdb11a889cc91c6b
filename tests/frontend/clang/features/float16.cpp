// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Sixteen-bit floating point: _Float16.

#include "feature.h"

#include <bit>
#include <cstdint>

long long half(int i) {
  const _Float16 a = static_cast<_Float16>(i), b = 0.25f16;
  const _Float16 c = a * b + static_cast<_Float16>(1.5f);
  return std::bit_cast<std::uint16_t>(c) * 2 + (a < c);
}
long long half_rounding(int i) {
  const auto a = static_cast<_Float16>(
      2048.0f + static_cast<float>(i)); // odd ones are ties
  const auto b = static_cast<_Float16>(1.0f) /
                 static_cast<_Float16>(static_cast<float>(i + 1));
  return static_cast<long long>(static_cast<float>(a)) * 100000 +
         std::bit_cast<std::uint16_t>(b);
}

int main() { return feature::compare<half, half_rounding>(); }
