// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Tuples, pairs and structured bindings.

#include "feature.h"

#include <tuple>
#include <utility>

struct point {
  int x, y;
};

std::tuple<int, double, char> parts(int i) {
  return {i, i * 0.5, static_cast<char>('a' + i % 26)};
}

long long bindings(int i) {
  const auto [number, half, letter] = parts(i);
  auto [x, y] = point{i, 4};
  int pair[2] = {i, 9};
  auto &[first, second] = pair;
  first += 100;
  x += y;
  return number + static_cast<int>(half * 2) + letter + x + pair[0] * second;
}
long long tuples(int i) {
  int a = 0, b = 0;
  std::tie(a, b) = std::make_pair(i, i * i);
  const auto joined = std::tuple_cat(std::make_tuple(a), std::make_tuple(b, 3));
  const int sum = std::apply([](auto... each) { return (each + ...); }, joined);
  return sum * 10 + (std::make_tuple(1, i) < std::make_tuple(1, 40)) +
         std::get<2>(joined);
}

int main() { return feature::compare<bindings, tuples>(); }
