// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// std::complex.

#include "feature.h"

#include <complex>

// Small integers: every step is exact.
long long digits(std::complex<double> z) {
  return static_cast<long long>(z.real()) * 100000 +
         static_cast<long long>(z.imag());
}

long long arithmetic(int i) {
  const std::complex<double> a(i, 2), b(3, -i);
  return digits(a + b) + 3 * digits(a - b) + 5 * digits(a * b) +
         7 * digits(-a) + 11 * digits(std::conj(b));
}
long long single(int i) {
  std::complex<float> z(static_cast<float>(i % 10), 1);
  z *= z;
  z += 2.0f;
  return static_cast<long long>(z.real()) * 1000 +
         static_cast<long long>(z.imag()) +
         static_cast<long long>(std::norm(z));
}
long long division(int i) {
  const std::complex<double> a(i * 25, 50), b(3, 4);
  return digits(a * std::conj(b) / std::norm(b)) + (a == b) + digits(a / 5.0);
}

int main() { return feature::compare<arithmetic, single, division>(); }
