// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Integers of 128 bits: arithmetic, shifts, division.

#include "feature.h"

unsigned __int128 join(unsigned long long high, unsigned long long low) {
  return static_cast<unsigned __int128>(high) << 64 | low;
}
unsigned long long fold(unsigned __int128 value) {
  return static_cast<unsigned long long>(value ^ (value >> 64));
}

long long arithmetic(int i) {
  const auto a = join(static_cast<unsigned>(i), ~0ull), b = join(3, 5);
  return static_cast<long long>(fold(a + b) + fold(a - b) * 3 +
                                fold(a * b) * 5);
}
long long shifts(int i) {
  const auto a = join(0x123456789abcdef0ull, 0xfedcba9876543210ull);
  return static_cast<long long>(
      fold(a << i) + fold(a >> i) +
      fold(static_cast<unsigned __int128>(static_cast<__int128>(~a) >> i)));
}
long long division(int i) {
  const auto a = join(0x123456789abcdef0ull, 0xfedcba9876543210ull);
  const unsigned __int128 b = join(static_cast<unsigned>(i) % 3, 1000003);
  const __int128 c = -static_cast<__int128>(a >> 3);
  return static_cast<long long>(
      fold(a / b) + fold(a % b) +
      fold(static_cast<unsigned __int128>(c / (i + 7))) +
      fold(static_cast<unsigned __int128>(c % (i + 7))));
}
long long comparisons(int i) {
  const __int128 a = static_cast<__int128>(i - 40) * (1ll << 62) * 4;
  return (a < 0) + 2 * (a > static_cast<__int128>(join(5, 0))) + 4 * (a == 0);
}

int main() {
  return feature::compare<arithmetic, shifts, division, comparisons>();
}
