// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Integer arithmetic of every width: wrapping, division, shifts, conversions.

#include "feature.h"

#include <cstdint>

template <class T> T pattern(int i) {
  return static_cast<T>(
      static_cast<unsigned long long>(i * 2 + 1) * 0x9e3779b97f4a7c15ull >> 7);
}

template <class T> long long mixed(int i) {
  const T a = pattern<T>(i), b = static_cast<T>(pattern<T>(i + 9) | 1);
  const T sum = static_cast<T>(a + b),
          product = static_cast<T>(static_cast<unsigned long long>(a) *
                                   static_cast<unsigned long long>(b));
  return static_cast<long long>(sum) + 3 * static_cast<long long>(product) +
         5 * static_cast<long long>(a / b) + 7 * static_cast<long long>(a % b) +
         11 * static_cast<long long>(a ^ b) +
         13 * static_cast<long long>(static_cast<T>(a >> (i % 7))) + (a < b);
}

long long bytes(int i) {
  return mixed<std::int8_t>(i) + mixed<std::uint8_t>(i);
}
long long words(int i) {
  return mixed<std::int16_t>(i) + mixed<std::uint16_t>(i);
}
long long ints(int i) {
  return static_cast<long long>(
      static_cast<unsigned long long>(mixed<std::uint32_t>(i)));
}
long long longs(int i) {
  const std::uint64_t a = pattern<std::uint64_t>(i),
                      b = pattern<std::uint64_t>(i + 3) >> (i % 50);
  return static_cast<long long>(a * b + a / (b | 1) + a % (b | 1) +
                                (a << (i % 64)) + (a >> (i % 64)));
}
long long negative(int i) {
  const int a = -i * 37 + 5;
  const long long b = -(1ll << 40) - i;
  return a / 7 + 100 * (a % 7) + 10000 * (a >> 2) + b / 9 + b % 9 + (b >> 3);
}
long long conversions(int i) {
  const auto narrow = static_cast<std::int8_t>(i * 5);
  const auto reinterpreted = static_cast<std::uint32_t>(-i);
  const char letter = static_cast<char>(i + 100);
  return narrow + static_cast<long long>(reinterpreted) + letter +
         static_cast<bool>(i) + static_cast<std::uint16_t>(-i) * 3ll;
}
long long overflow(int i) {
  int sum = 0;
  unsigned product = 0;
  const bool a = __builtin_add_overflow(i, 0x7fffffff - 40, &sum);
  const bool b =
      __builtin_mul_overflow(static_cast<unsigned>(i), 0x4000000u, &product);
  return sum + static_cast<long long>(product) * 3 + a + 2 * b;
}

int main() {
  return feature::compare<bytes, words, ints, longs, negative, conversions,
                          overflow>();
}
