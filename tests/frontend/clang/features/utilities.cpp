// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Small things of the standard library: min, max, clamp, exchange, invoke,
// reference_wrapper, chrono durations, ratio.

#include "feature.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <ratio>
#include <utility>

long long extremes(int i) {
  return std::min(i, 30) + 100 * std::max({i, 7, 50}) +
         10000 * std::clamp(i, 10, 20) + 1000000ll * std::minmax(i, 3).second;
}
long long exchanges(int i) {
  int a = i, b = 5;
  std::swap(a, b);
  return std::exchange(a, 9) * 1000 + a * 100 + b + std::as_const(b);
}
long long calls(int i) {
  int count = 0;
  auto increment = [&count](int by) { return count += by; };
  std::invoke(increment, i);
  auto reference = std::ref(count);
  reference.get() += 100;
  return std::plus<>{}(count, i) + std::not_fn([](int x) { return x > 3; })(i) +
         std::bind_front(std::multiplies<>{}, 3)(i);
}
long long times(int i) {
  using namespace std::chrono_literals;
  const auto total = std::chrono::minutes(i) + 90s + 500ms;
  return std::chrono::duration_cast<std::chrono::seconds>(total).count() +
         std::ratio_add<std::ratio<1, 2>, std::ratio<1, 3>>::num;
}

int main() { return feature::compare<extremes, exchanges, calls, times>(); }
