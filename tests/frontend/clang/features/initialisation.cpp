// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Designated initialisers, aggregates, member initialisers, initializer lists.

#include "feature.h"

#include <initializer_list>

struct options {
  int width = 8;
  int height{width * 2};
  double scale = 1.5;
  struct {
    bool on, loud;
  } sound = {true, false};
};

int total(std::initializer_list<int> values) {
  int sum = 0;
  for (int value : values)
    sum = sum * 3 + value;
  return sum;
}

struct list {
  int first, count;
  list(std::initializer_list<int> values)
      : first(*values.begin()), count(static_cast<int>(values.size())) {}
  list(int first, char) : first(first), count(-1) {}
};

struct delegating {
  int a, b;
  delegating(int a, int b) : a(a), b(b) {}
  explicit delegating(int a) : delegating(a, a * 2) { ++b; }
};

long long designated(int i) {
  const options o{.width = i, .sound = {.on = false, .loud = true}};
  return o.width * 10000 + o.height * 10 + o.sound.on + 2 * o.sound.loud +
         static_cast<int>(o.scale * 2);
}
long long lists(int i) {
  const list a{i, 2, 3}, b(i, 'c');
  return total({i, 1, 2}) + a.first * a.count * 1000 + b.count;
}
long long delegated(int i) {
  const delegating d(i);
  return d.a * 100 + d.b;
}
long long aggregates(int i) {
  struct nested {
    int a[3];
    struct {
      short x, y;
    } p;
  };
  const nested n{{1, i, 3}, {4, static_cast<short>(i)}}, zero{};
  int sum = 0;
  for (const int pairs[][2] = {{1, 2}, {i, 4}}; const auto &pair : pairs)
    sum += pair[0] * pair[1];
  return n.a[1] + n.p.x * 100 + n.p.y * 1000 + zero.a[2] + sum;
}

int main() {
  return feature::compare<designated, lists, delegated, aggregates>();
}
