// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Constant tables: static constexpr, inline, members of classes, of structs.

#include "feature.h"

#include <array>

constexpr int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
inline constexpr std::array<double, 3> weights{0.5, 1.5, 2.5};
const short negatives[4] = {-1, -2, -3, -4};

struct entry {
  const char *name;
  int value;
  const int *more;
};
constexpr entry entries[] = {
    {"one", 1, primes}, {"two", 2, primes + 3}, {"six", 6, nullptr}};

struct holder {
  static constexpr unsigned char bytes[] = {9, 8, 7};
  static inline const int answer = 42;
};

constexpr auto squares = [] {
  std::array<int, 16> result{};
  for (int i = 0; i < 16; ++i)
    result[static_cast<std::size_t>(i)] = i * i;
  return result;
}();

long long of_namespaces(int i) {
  return primes[i % 8] * 1000 +
         static_cast<int>(weights[static_cast<std::size_t>(i % 3)] * 2) +
         negatives[i % 4];
}
long long of_functions(int i) {
  static constexpr long long large[] = {1ll << 40, -(1ll << 41), 7};
  static const int small[] = {3, 1, 4};
  return large[i % 3] + small[i % 3];
}
long long of_classes(int i) { return holder::bytes[i % 3] + holder::answer; }
long long with_pointers(int i) {
  const entry &e = entries[i % 3];
  return e.name[1] * 1000 + e.value + (e.more ? *e.more : -1);
}
long long computed(int i) { return squares[static_cast<std::size_t>(i % 16)]; }

int main() {
  return feature::compare<of_namespaces, of_functions, of_classes,
                          with_pointers, computed>();
}
