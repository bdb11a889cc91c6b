// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// std::span and tessera::span over memory of the thread.

#include "feature.h"

#include <algorithm>
#include <array>
#include <span>

int sum(std::span<const int> values) {
  int result = 0;
  for (int value : values)
    result += value;
  return result;
}
int checked_sum(tessera::span<const int> values) {
  int result = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    result += values[k];
  return result;
}

long long standard(int i) {
  std::array<int, 8> a{1, 2, 3, 4, 5, 6, 7, i};
  int b[] = {i, 2, 3};
  std::span<int> whole(a);
  whole.subspan(2, 3)[1] = 50;
  return sum(a) * 1000 + sum(b) * 100 + sum(whole.first(3)) +
         sum(whole.last<2>());
}
long long checked(int i) {
  std::array<int, 8> a{1, 2, 3, 4, 5, 6, 7, i};
  tessera::span<int> whole = a;
  whole.subspan(2, 3)[1] = 50;
  std::ranges::sort(whole);
  return checked_sum(whole) * 10 + whole.front() + whole.back() + sum(whole);
}

int main() { return feature::compare<standard, checked>(); }
