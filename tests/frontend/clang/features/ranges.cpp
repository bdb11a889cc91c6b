// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Views and range algorithms.

#include "feature.h"

#include <algorithm>
#include <array>
#include <ranges>

long long pipelines(int i) {
  long long sum = 0;
  for (int x : std::views::iota(0, i) | std::views::filter([](int x) {
                 return x % 3 == 0;
               }) | std::views::transform([](int x) { return x * x; }))
    sum += x;
  return sum;
}

long long adaptors(int i) {
  std::array<int, 10> values{};
  for (int next = i; int &value : values)
    value = next++;
  long long result = 0;
  for (int x :
       values | std::views::drop(2) | std::views::take(5) | std::views::reverse)
    result = result * 7 + x;
  for (int x :
       values | std::views::take_while([=](int x) { return x < i + 3; }))
    result += x;
  return result;
}

long long algorithms(int i) {
  std::array<int, 9> values{4, 8, 1, i, 7, -i, 3, 9, 2};
  std::ranges::sort(values, std::ranges::greater{});
  const auto place = std::ranges::find(values, 7);
  const auto [least, most] = std::ranges::minmax(values);
  return (place - values.begin()) * 100 +
         std::ranges::count_if(values, [](int x) { return x > 3; }) +
         1000 * (most - least) +
         std::ranges::all_of(values, [](int x) { return x < 100; });
}

struct item {
  int key, weight;
};
long long projections(int i) {
  std::array<item, 5> items{{{3, 1}, {1, i}, {4, 1}, {1, 5}, {5, 9}}};
  std::ranges::sort(items, {},
                    [](const item &x) { return x.key * 100 + x.weight; });
  long long result = std::ranges::max_element(items, {}, &item::weight)->key;
  for (const auto &[key, weight] : items)
    result = result * 11 + key * weight;
  return result;
}

int main() {
  return feature::compare<pipelines, adaptors, algorithms, projections>();
}
