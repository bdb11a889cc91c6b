// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Pointers to members: data, functions, through objects and pointers.

#include "feature.h"

#include <functional>

struct account {
  int balance;
  int limit;
  int plus(int x) const { return balance + x; }
  int minus(int x) const { return balance - x; }
};

long long data(int i) {
  account a{i, 9};
  int account::*place = i % 2 != 0 ? &account::balance : &account::limit;
  a.*place += 100;
  account *p = &a;
  return p->*place * 1000 + a.balance;
}
long long functions(int i) {
  const account a{i, 9};
  int (account::*f)(int) const = i % 2 != 0 ? &account::plus : &account::minus;
  return (a.*f)(5) + std::invoke(f, &a, 7) + (f == &account::plus);
}
long long null(int i) {
  int account::*place = i % 2 != 0 ? &account::balance : nullptr;
  return place ? 1 : 2;
}

int main() { return feature::compare<data, functions, null>(); }
