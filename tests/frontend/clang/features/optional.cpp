// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// std::optional.

#include "feature.h"

#include <optional>

std::optional<int> half(int i) {
  if (i % 2 != 0)
    return std::nullopt;
  return i / 2;
}

long long values(int i) {
  const auto result = half(i);
  return result ? *result : -1;
}
long long fallbacks(int i) {
  return half(i).value_or(1000) + half(i + 1).has_value();
}
long long changes(int i) {
  std::optional<long long> value;
  value.emplace(i);
  if (i % 3 == 0)
    value.reset();
  std::optional<long long> copy = value;
  copy = copy ? *copy * 2 : 7;
  return copy.value() + (value < copy) + (value == copy);
}

int main() { return feature::compare<values, fallbacks, changes>(); }
