// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Three-way comparison, defaulted and written by hand.

#include "feature.h"

#include <compare>
#include <tuple>

struct version {
  int major, minor;
  friend auto operator<=>(const version &, const version &) = default;
};
struct caseless {
  char letter;
  std::weak_ordering operator<=>(const caseless &other) const {
    return (letter | 32) <=> (other.letter | 32);
  }
  bool operator==(const caseless &other) const {
    return (*this <=> other) == 0;
  }
};

int sign(auto order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

long long defaulted(int i) {
  const version a{i % 4, i % 3}, b{1, 1};
  return (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a == b) + 16 * (a != b) +
         100 * sign(a <=> b);
}
long long by_hand(int i) {
  const caseless a{static_cast<char>('a' + i % 26)}, b{'K'};
  return sign(a <=> b) * 10 + (a == b);
}
long long built_in(int i) {
  const double x = i % 5 == 0 ? __builtin_nan("") : i;
  const auto order = x <=> 7.0;
  return sign(i <=> 30) * 100 + sign(order) * 10 +
         (order == std::partial_ordering::unordered);
}

int main() { return feature::compare<defaulted, by_hand, built_in>(); }
