// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Calls through pointers and references to functions.

#include "feature.h"

#include <functional>

int add(int a, int b) { return a + b; }
int subtract(int a, int b) { return a - b; }
int multiply(int a, int b) { return a * b; }

using operation = int (*)(int, int);
constexpr operation operations[] = {add, subtract, multiply};

operation choose(int i) {
  return i % 4 == 3 ? +[](int a, int b) { return a * 100 + b; }
                    : operations[i % 4];
}
int apply(int (&f)(int, int), int a, int b) { return f(a, b); }

long long table(int i) { return operations[i % 3](i, 7); }
long long chosen(int i) {
  const operation f = choose(i);
  return f(f(i, 2), 3);
}
long long references(int i) {
  return apply(add, i, 1) * apply(*choose(i), 5, 6);
}
long long compared(int i) {
  const operation f = choose(i);
  return (f == &add) + 2 * (f != nullptr) + std::invoke(f, 3, 4);
}

int main() { return feature::compare<table, chosen, references, compared>(); }
