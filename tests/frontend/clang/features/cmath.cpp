// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// The functions of <cmath>: exact ones exactly, the others to a few units in
// the last place of a rounded result.

#include "feature.h"

#include <algorithm>
#include <cmath>

/// Keeps some five digits, which every library gets right.
long long rounded(double x) {
  return static_cast<long long>(std::floor(x * 65536 + 0.5));
}

long long exact(int i) {
  const double x = (i - 40) * 0.75;
  return static_cast<long long>(std::floor(x)) +
         100 * static_cast<long long>(std::ceil(x)) +
         10000 * static_cast<long long>(std::round(x)) +
         1000000 * static_cast<long long>(std::trunc(x)) +
         100000000 * static_cast<long long>(std::abs(x) * 4) + std::signbit(x);
}
long long roots(int i) {
  const double x = std::sqrt(static_cast<double>(i));
  const float y = std::sqrt(static_cast<float>(i));
  return static_cast<long long>(x * 1e15) + static_cast<long long>(y * 1e6f);
}
long long fused(int i) {
  const double a = 1.0 + i * 0x1p-52, b = 1.0 - i * 0x1p-53;
  return static_cast<long long>(std::fma(a, b, -1.0) * 0x1p105);
}
long long remainders(int i) {
  return static_cast<long long>(std::fmod(i * 7.25, 3.5) * 4) +
         100 * static_cast<long long>(std::fmin(i, 20.5) * 2) +
         10000 * static_cast<long long>(std::fmax(i, 20.5) * 2) +
         1000000 * static_cast<long long>(std::copysign(8, i - 20));
}
long long scales(int i) {
  int exponent = 0;
  const double mantissa = std::frexp(i * 1.5 + 0.5, &exponent);
  return static_cast<long long>(mantissa * 1024) + 10000 * exponent +
         static_cast<long long>(std::ldexp(1.0, i % 40)) * 100000;
}
long long trigonometry(int i) {
  const double x = i * 0.21 - 7;
  return rounded(std::sin(x)) + 3 * rounded(std::cos(x)) +
         5 * rounded(std::atan(x)) + 7 * rounded(std::atan2(x, 2.0));
}
long long exponentials(int i) {
  const double x = i * 0.07 - 2.51;
  return rounded(std::exp(x)) + 3 * rounded(std::log(i + 1.3)) +
         5 * rounded(std::pow(i + 0.7, 1.3)) + 7 * rounded(std::tanh(x)) +
         11 * rounded(std::exp2(x));
}
long long special(int i) {
  const double x = i * 0.05 + 0.21;
  return rounded(std::erf(x)) + 3 * rounded(std::cbrt(x)) +
         5 * rounded(std::hypot(x, 1.7)) + 7 * rounded(std::log1p(x)) +
         11 * rounded(std::tgamma(x + 1));
}
long long single(int i) {
  const float x = static_cast<float>(i) * 0.11f - 4.03f;
  const auto five = [](float y) {
    return static_cast<long long>(std::floor(y * 512 + 0.5f));
  };
  return five(std::sin(x)) + 3 * five(std::exp(x * 0.5f)) +
         5 * five(std::log(x + 5)) + 7 * five(std::pow(x + 5, 0.5f));
}
long long classes(int i) {
  const double zero = i - i, x = i % 3 == 0   ? 1 / zero
                                 : i % 3 == 1 ? zero / zero
                                              : i;
  return std::isinf(x) + 2 * std::isnan(x) + 4 * std::isfinite(x);
}

int main() {
  return feature::compare<exact, roots, fused, remainders, scales, trigonometry,
                          exponentials, special, single, classes>();
}
