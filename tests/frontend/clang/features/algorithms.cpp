// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Algorithms of the standard library that work in place.

#include "feature.h"

#include <algorithm>
#include <array>
#include <functional>

constexpr int count = 40; // more than std::sort leaves to insertion sort

std::array<int, count> scrambled(int seed) {
  std::array<int, count> values;
  unsigned state = static_cast<unsigned>(seed) * 2654435761u + 1;
  for (int &value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 20) - 2000;
  }
  return values;
}

long long digest(const std::array<int, count> &values) {
  unsigned long long hash = 1469598103934665603ull;
  for (int value : values)
    hash = (hash ^ static_cast<unsigned>(value)) * 1099511628211ull;
  return static_cast<long long>(hash);
}

long long sort(int i) {
  auto values = scrambled(i);
  std::sort(values.begin(), values.end());
  return digest(values);
}
long long sort_by(int i) {
  auto values = scrambled(i);
  std::sort(values.begin(), values.end(), [](int a, int b) {
    return a % 100 != b % 100 ? a % 100 < b % 100 : a > b;
  });
  return digest(values);
}
long long heaps(int i) {
  auto values = scrambled(i);
  std::make_heap(values.begin(), values.end());
  std::pop_heap(values.begin(), values.end());
  std::sort_heap(values.begin(), values.end() - 1);
  return digest(values);
}
long long selections(int i) {
  auto values = scrambled(i);
  std::nth_element(values.begin(), values.begin() + 12, values.end());
  const int twelfth = values[12];
  std::partial_sort(values.begin(), values.begin() + 5, values.end());
  return twelfth * 10000ll + values[4];
}
long long searches(int i) {
  auto values = scrambled(i);
  std::sort(values.begin(), values.end());
  const auto place = std::lower_bound(values.begin(), values.end(), i * 10);
  return (place - values.begin()) * 2 +
         std::binary_search(values.begin(), values.end(), 17);
}
long long rearrangements(int i) {
  auto values = scrambled(i);
  std::rotate(values.begin(), values.begin() + i % count, values.end());
  std::reverse(values.begin() + 3, values.end());
  std::replace_if(values.begin(), values.end(), [](int x) { return x < 0; }, 1);
  const auto end = std::unique(values.begin(), values.end());
  std::fill(end, values.end(), 5);
  return digest(values);
}

int main() {
  return feature::compare<sort, sort_by, heaps, selections, searches,
                          rearrangements>();
}
