// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// float and double: arithmetic, conversions, infinities, NaN, denormals.

#include "feature.h"

#include <bit>
#include <cstdint>
#include <limits>

long long bits(float x) { return std::bit_cast<std::int32_t>(x); }
long long bits(double x) { return std::bit_cast<std::int64_t>(x); }

// One rounding for each statement: nothing can be fused.
long long single(int i) {
  const float a = static_cast<float>(i) + 0.1f;
  const float b = a / 3.0f;
  const float c = a - b;
  const float d = c * c;
  return bits(b) + bits(c) * 3 + bits(d) * 5;
}
long long doubles(int i) {
  const double a = i + 0.1;
  const double b = a / 3.0;
  const double c = 1.0 / b;
  return bits(b) ^ (bits(c) << 1) ^ bits(-a);
}
long long conversions(int i) {
  const double x = i * 1234567.891 - 4e7;
  const auto narrowed = static_cast<float>(x);
  return static_cast<int>(x) + static_cast<long long>(narrowed) * 3 +
         bits(narrowed) +
         static_cast<long long>(static_cast<unsigned>(i * 5e7)) +
         bits(static_cast<float>(0x123456789abcdefll + i)) +
         bits(static_cast<double>(~0ull - static_cast<unsigned>(i)));
}
long long ordering(int i) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const double x = i % 4 == 0   ? nan
                   : i % 4 == 1 ? infinity
                   : i % 4 == 2 ? -0.0
                                : i;
  return (x < 1) + 2 * (x > 1) + 4 * (x == x) + 8 * (x != 0) +
         16 * (x <= infinity) + 32 * !(x >= 0) + 64 * (1 / x < 0);
}
long long tiny(int i) {
  const float denormal = 1e-40f * static_cast<float>(i);
  const double smaller = 4.9e-324 * i;
  return bits(denormal) + bits(denormal / 2) * 3 + bits(smaller) * 5;
}

int main() {
  return feature::compare<single, doubles, conversions, ordering, tiny>();
}
