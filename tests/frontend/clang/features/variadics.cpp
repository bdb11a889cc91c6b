// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Parameter packs, fold expressions, index sequences.

#include "feature.h"

#include <array>
#include <tuple>
#include <utility>

template <class... T> auto sum(T... values) { return (values + ... + 0); }
template <class... T> bool all_positive(T... values) {
  return (... && (values > 0));
}
template <class T, class... Rest> int count_of(T, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return 1;
  else
    return 1 + count_of(rest...);
}
template <std::size_t... I>
int weighted(const std::array<int, sizeof...(I)> &values,
             std::index_sequence<I...>) {
  return ((values[I] * static_cast<int>(I + 1)) + ...);
}
template <class F, class... Args>
decltype(auto) forward_to(F &&f, Args &&...args) {
  return std::forward<F>(f)(std::forward<Args>(args)...);
}
template <int... Digits>
constexpr int number = [] {
  int result = 0;
  ((result = result * 10 + Digits), ...);
  return result;
}();

long long folds(int i) {
  return sum(i, 2, 3.0, 'a') + all_positive(i, 1) +
         count_of(1, 'c', 2.0) * 1000;
}
long long sequences(int i) {
  return weighted({i, 4, i * i}, std::make_index_sequence<3>()) +
         number<1, 2, 3>;
}
long long forwarding(int i) {
  int target = 1;
  forward_to([](int &place, int value) { place += value; }, target, i);
  return target;
}

int main() { return feature::compare<folds, sequences, forwarding>(); }
