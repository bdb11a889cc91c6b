// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Default arguments, overloads, references, values in memory, attributes.

#include "feature.h"

#include <utility>

int scaled(int x, int factor = 3, int offset = -1) {
  return x * factor + offset;
}
int overloaded(int) { return 1; }
int overloaded(unsigned) { return 2; }
int overloaded(double) { return 3; }
int overloaded(const int *) { return 4; }
int overloaded(int &&, char) { return 5; }

void exchange(int &a, int &b) {
  const int c = a;
  a = b;
  b = c;
}
int &larger(int &a, int &b) { return a < b ? b : a; }

struct large {
  long long values[9];
};
large filled(int i) {
  large result{};
  for (int k = 0; k < 9; ++k)
    result.values[k] = i * k;
  return result;
}
long long total(large by_value) {
  long long sum = 0;
  for (long long value : by_value.values)
    sum += value;
  by_value.values[0] = 99;
  return sum;
}
[[nodiscard]] auto trailing(int x) -> decltype(x * 1ll) { return x; }
[[gnu::noinline]] int kept(int x) noexcept { return x ^ 5; }

long long arguments(int i) {
  return scaled(i) + scaled(i, 2) + scaled(i, 2, 9);
}
long long overloads(int i) {
  return overloaded(i) * 10000 + overloaded(1u) * 1000 + overloaded(0.5) * 100 +
         overloaded(&i) * 10 + overloaded(3, 'c');
}
long long references(int i) {
  int a = i, b = 40;
  exchange(a, b);
  larger(a, b) += 1000;
  return a * 10000ll + b;
}
long long values(int i) {
  const large x = filled(i);
  return total(x) + x.values[0] + trailing(i) + kept(i);
}

int main() {
  return feature::compare<arguments, overloads, references, values>();
}
