// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Lambdas: captures by value, by reference and with initialisers, generic,
// mutable, nested and recursive ones.

#include "feature.h"

#include <utility>

long long captures(int i) {
  int sum = 0;
  auto add = [&sum, i](int x) { sum += x * i; };
  add(2);
  add(3);
  auto scaled = [factor = i + 1, sum](int x) { return factor * x + sum; };
  return scaled(7) + sum;
}

long long generic(int i) {
  auto add = [](auto a, auto b) { return a + b; };
  auto size = []<class T>(T) { return static_cast<int>(sizeof(T)); };
  return add(i, 2) + add(1ll, i) + static_cast<int>(add(0.5, 1.5)) + size('c') +
         size(1.0);
}

long long with_state(int i) {
  auto next = [state = i]() mutable {
    state = state * 5 + 1;
    return state % 97;
  };
  next();
  auto copy = next;
  return next() * 1000 + copy();
}

long long nested(int i) {
  auto compose = [](auto f, auto g) { return [=](auto x) { return g(f(x)); }; };
  auto add = [i](int x) { return x + i; };
  auto square = [](int x) { return x * x; };
  return compose(add, square)(3) + compose(square, compose(add, add))(2);
}

long long recursive(int i) {
  auto fibonacci = [](auto &self, int n) -> int {
    return n < 2 ? n : self(self, n - 1) + self(self, n - 2);
  };
  return fibonacci(fibonacci, i % 8);
}

struct counter {
  int value;
  int doubled() const {
    return [this] { return 2 * value; }() + [*this] { return value; }();
  }
};
long long of_this(int i) { return counter{i}.doubled(); }

int main() {
  return feature::compare<captures, generic, with_state, nested, recursive,
                          of_this>();
}
