// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// The functions of <numeric>, and std::numeric_limits.

#include "feature.h"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>

long long folds(int i) {
  std::array<int, 8> a, b;
  std::iota(a.begin(), a.end(), i);
  std::partial_sum(a.begin(), a.end(), b.begin());
  return std::accumulate(a.begin(), a.end(), 0) +
         1000ll * std::inner_product(a.begin(), a.end(), b.begin(), 0) +
         std::reduce(b.begin(), b.end(), 1, std::bit_xor{});
}
long long integers(int i) {
  return std::gcd(i * 6, 84) + 1000 * std::lcm(i + 1, 12) +
         1000000ll * std::midpoint(i, 99);
}
long long limits(int i) {
  using std::numeric_limits;
  return (i > 40 ? numeric_limits<int>::max() : numeric_limits<int>::min()) +
         static_cast<long long>(numeric_limits<std::uint32_t>::max()) +
         numeric_limits<double>::digits +
         (numeric_limits<float>::infinity() > static_cast<float>(i)) +
         (numeric_limits<double>::epsilon() < 1e-15);
}

int main() { return feature::compare<folds, integers, limits>(); }
