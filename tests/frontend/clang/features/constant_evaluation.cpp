// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// constexpr, consteval, static_assert, if constexpr, constant-evaluated code.

#include "feature.h"

#include <type_traits>

constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
static_assert(gcd(84, 36) == 12);

consteval int fixed(int x) { return x * x + 1; }

template <class T> long long describe(T value) {
  if constexpr (std::is_pointer_v<T>)
    return *value;
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<long long>(value * 2);
  else
    return value + 1;
}

constexpr int where() { return std::is_constant_evaluated() ? 1 : 2; }

long long functions(int i) {
  constexpr int known = gcd(48, 36);
  return gcd(i + 24, 36) * known + fixed(9);
}
long long branches(int i) { return describe(i) + describe(&i) + describe(1.5); }
long long contexts(int i) {
  constexpr int early = where();
  const int late = i * 0 + where();
  return early * 10 + late;
}

int main() { return feature::compare<functions, branches, contexts>(); }
