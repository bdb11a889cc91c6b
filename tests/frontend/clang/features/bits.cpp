// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// The functions of <bit>.

#include "feature.h"

#include <bit>
#include <cstdint>

unsigned mixed(int i) { return static_cast<unsigned>(i) * 2654435761u; }
unsigned long long wide(int i) { return mixed(i) * 0x9e3779b97f4a7c15ull; }

long long counts(int i) {
  return std::popcount(mixed(i)) +
         100 * std::countl_zero(mixed(i) >> (i % 32)) +
         10000 * std::countr_zero(mixed(i) << (i % 32)) +
         1000000ll * std::countl_one(wide(i)) +
         100000000ll * std::popcount(wide(i)) +
         10000000000ll * std::countr_one(wide(i));
}
long long narrow(int i) {
  const auto byte = static_cast<std::uint8_t>(mixed(i) >> 24);
  const auto word = static_cast<std::uint16_t>(mixed(i) >> 16);
  return std::popcount(byte) + 10 * std::countl_zero(byte) +
         100 * std::countr_zero(word) + 10000 * std::rotl(byte, i) +
         10000000ll * std::rotr(word, i);
}
long long rotations(int i) {
  return static_cast<long long>(std::rotl(wide(i), i) ^
                                std::rotr(wide(i), 2 * i)) ^
         std::rotl(mixed(i), -i);
}
long long powers(int i) {
  const unsigned x = static_cast<unsigned>(i) * 5;
  return std::bit_ceil(x) + 1000 * std::bit_floor(x) +
         1000000 * static_cast<long long>(std::bit_width(x)) +
         std::has_single_bit(x);
}
long long casts(int i) {
  const float f = static_cast<float>(i) * 0.75f;
  struct pair {
    std::uint32_t low, high;
  };
  const pair p = std::bit_cast<pair>(static_cast<double>(f));
  return std::bit_cast<std::int32_t>(f) + static_cast<long long>(p.high) * 3 +
         p.low;
}
long long swapped(int i) {
  return __builtin_bswap32(mixed(i)) +
         static_cast<long long>(__builtin_bswap64(wide(i))) +
         __builtin_bitreverse32(mixed(i));
}

int main() {
  return feature::compare<counts, narrow, rotations, powers, casts, swapped>();
}
