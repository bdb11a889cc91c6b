// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Classes inside functions and inside classes, friends, static members.

#include "feature.h"

class outer {
  int secret;
  static constexpr int factor = 4;

public:
  explicit outer(int i) : secret(i) {}
  class inner {
  public:
    int peek(const outer &o) const { return o.secret * factor; }
  };
  friend int reveal(const outer &o) { return o.secret; }
  static int twice(int i) { return 2 * i; }
};

long long in_functions(int i) {
  struct accumulator {
    int sum = 0;
    accumulator &add(int x) {
      sum += x;
      return *this;
    }
  };
  return accumulator{i}.add(2).add(3).sum;
}
long long in_classes(int i) {
  const outer o(i);
  return outer::inner{}.peek(o) + reveal(o) * 1000 + outer::twice(i);
}
template <class T> auto make_pair_of(T a, T b) {
  struct pair {
    T first, second;
  };
  return pair{a, b};
}
long long in_templates(int i) {
  const auto p = make_pair_of(i, 3);
  return p.first * p.second;
}

int main() {
  return feature::compare<in_functions, in_classes, in_templates>();
}
