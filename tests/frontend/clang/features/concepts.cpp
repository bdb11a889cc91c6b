// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Constrained templates: the most constrained overload is chosen.

#include "feature.h"

#include <concepts>

template <class T>
concept shape = requires(const T &value) {
  { value.area() } -> std::convertible_to<int>;
};
template <class T>
concept solid = shape<T> && requires(const T &value) { value.depth; };

struct square {
  int side;
  int area() const { return side * side; }
};
struct box {
  int side, depth;
  int area() const { return side * side; }
};

int measure(std::integral auto value) { return value; }
int measure(std::floating_point auto value) {
  return static_cast<int>(value * 2);
}
int measure(const shape auto &value) { return value.area(); }
int measure(const solid auto &value) { return value.area() * value.depth; }

template <class T>
  requires(sizeof(T) > 4)
int bytes(T) {
  return 100;
}
template <class T> int bytes(T) { return sizeof(T); }

long long overloads(int i) {
  return measure(i) + measure(1.5) + measure(square{i}) + measure(box{i, 3});
}
long long requirements(int i) { return i + bytes('c') + bytes(1ll); }

int main() { return feature::compare<overloads, requirements>(); }
