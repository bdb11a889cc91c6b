// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Function and class templates, partial specialisations, template parameters
// of every kind.

#include "feature.h"

#include <array>

template <class T> T twice(T value) { return value + value; }

template <class T, int N> struct power {
  static T of(T x) { return x * power<T, N - 1>::of(x); }
};
template <class T> struct power<T, 0> {
  static T of(T) { return 1; }
};

template <class T> struct width_of {
  static constexpr int value = 1;
};
template <class T> struct width_of<T *> {
  static constexpr int value = 10 * width_of<T>::value;
};

template <template <class, std::size_t> class Container, class T>
T total(T first) {
  Container<T, 3> values{first, first + 1, first + 2};
  T sum = 0;
  for (T value : values)
    sum += value;
  return sum;
}

template <auto Value> auto constant() { return Value; }

template <class T> inline T pi_times = T(3.25);

long long functions(int i) { return twice(i) + twice<short>(7); }
long long classes(int i) {
  return power<long long, 5>::of(i) + width_of<int **>::value;
}
long long parameters(int i) {
  return total<std::array>(i) + constant<'x'>() + constant<40ll>() +
         static_cast<int>(4 * pi_times<const double>);
}

int main() { return feature::compare<functions, classes, parameters>(); }
