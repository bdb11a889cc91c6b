// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// std::array and built-in arrays.

#include "feature.h"

#include <algorithm>
#include <array>
#include <iterator>

long long standard(int i) {
  std::array<int, 6> a{1, 2, 3};
  a[5] = i;
  std::array<int, 6> b = a;
  b.fill(i % 4);
  std::swap(a, b);
  long long sum = 0;
  for (std::size_t k = 0; k < b.size(); ++k)
    sum += b.at(k) * static_cast<int>(k + 1);
  return sum * 100 + a.front() + a.back() + (a == b) + (a < b);
}
long long built_in(int i) {
  int matrix[3][4] = {{1, 2}, {3}};
  matrix[2][i % 4] = i;
  int (*row)[4] = matrix + 2;
  int sum = 0;
  for (auto &each : matrix)
    for (int value : each)
      sum += value;
  return sum + (*row)[i % 4] + static_cast<long long>(std::size(matrix));
}
long long of_arrays(int i) {
  std::array<std::array<short, 3>, 3> grid{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
  std::swap(grid[0], grid[static_cast<std::size_t>(i % 3)]);
  return grid[0][0] * 100 + grid[2][1];
}

int main() { return feature::compare<standard, built_in, of_arrays>(); }
