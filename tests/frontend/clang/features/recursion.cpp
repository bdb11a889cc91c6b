// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Functions that call themselves and each other.

#include "feature.h"

int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
bool is_odd(int n);
bool is_even(int n) { return n == 0 || is_odd(n - 1); }
bool is_odd(int n) { return n != 0 && is_even(n - 1); }

struct tree {
  int key;
  const tree *left, *right;
};
int depth(const tree *t) {
  if (!t)
    return 0;
  const int left = depth(t->left), right = depth(t->right);
  return 1 + (left > right ? left : right);
}

long long nested(int i) { return ackermann(2, i % 5); }
long long mutual(int i) { return is_even(i) * 2 + is_odd(i); }
long long over_data(int i) {
  const tree a{1, nullptr, nullptr}, b{2, &a, nullptr}, c{3, nullptr, &b},
      d{4, &b, i % 2 != 0 ? &c : &a};
  return depth(&d);
}

int main() { return feature::compare<nested, mutual, over_data>(); }
