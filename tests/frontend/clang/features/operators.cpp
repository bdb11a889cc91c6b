// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Overloaded operators, conversions, user-defined literals.

#include "feature.h"

#include <compare>

struct fraction {
  long long over, under = 1;
  fraction &operator+=(fraction f) {
    over = over * f.under + f.over * under;
    under *= f.under;
    return *this;
  }
  friend fraction operator+(fraction a, fraction b) { return a += b; }
  friend fraction operator-(fraction a) { return {-a.over, a.under}; }
  friend bool operator==(fraction a, fraction b) {
    return a.over * b.under == b.over * a.under;
  }
  fraction &operator++() { return *this += {1}; }
  fraction operator++(int) {
    const fraction before = *this;
    ++*this;
    return before;
  }
  explicit operator bool() const { return over != 0; }
  operator long long() const { return over / under; }
};

struct grid {
  int cells[4][4] = {};
  int &operator()(int x, int y) { return cells[y][x]; }
  int *operator[](int y) { return cells[y]; }
};
struct handle {
  grid *g;
  grid *operator->() const { return g; }
  grid &operator*() const { return *g; }
};
constexpr fraction operator""_halves(unsigned long long n) {
  return {static_cast<long long>(n), 2};
}
constexpr long double operator""_km(long double x) { return x * 1000; }

long long arithmetic(int i) {
  fraction a{i, 3}, b = 5_halves;
  const fraction c = a++ + -b;
  return c.over * 100 + c.under + a.over + (a == c) + (c ? 7 : 8) +
         static_cast<long long>(a);
}
long long elements(int i) {
  grid g;
  const handle h{&g};
  (*h)(1, 2) = i;
  h->cells[3][3] = 5;
  return g[2][1] * 10 + (*h)(3, 3);
}
long long literals(int i) {
  constexpr int meters = static_cast<int>(1.5_km);
  return i + meters;
}

int main() { return feature::compare<arithmetic, elements, literals>(); }
