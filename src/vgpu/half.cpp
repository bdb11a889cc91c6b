// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/half.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tessera::vgpu {

template <unsigned E, unsigned M>
double HalfFormat<E, M>::toDouble(std::uint16_t bits) {
  constexpr int bias = (1 << (E - 1)) - 1;
  const int exponent = bits >> M & ((1 << E) - 1);
  const int mantissa = bits & ((1 << M) - 1);
  double magnitude;
  if (exponent == (1 << E) - 1)
    magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(double(mantissa), 1 - bias - int(M));
  else
    magnitude =
        std::ldexp(double(mantissa + (1 << M)), exponent - bias - int(M));
  return bits & 0x8000 ? -magnitude : magnitude;
}

template <unsigned E, unsigned M>
std::uint16_t HalfFormat<E, M>::fromDouble(double value) {
  constexpr int bias = (1 << (E - 1)) - 1;
  constexpr std::uint16_t infinity = ((1 << E) - 1) << M;
  if (std::isnan(value))
    return 0x7fff;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0)
    return sign;
  if (std::isinf(magnitude))
    return sign | infinity;

  // In units of the last place; denormals share the smallest exponent.
  int exponent = std::ilogb(magnitude);
  if (exponent < 1 - bias)
    exponent = 1 - bias;
  const double units = std::ldexp(magnitude, int(M) - exponent);
  double rounded = std::floor(units);
  const double rest = units - rounded;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(rounded, 2) == 1))
    rounded += 1;

  // A carry out of the mantissa rightly raises the exponent field.
  const auto mantissa = std::uint32_t(rounded);
  const std::uint32_t field =
      (std::uint32_t(exponent + bias - 1) << M) + mantissa;
  return field >= infinity ? sign | infinity : std::uint16_t(sign | field);
}

template <unsigned E, unsigned M>
std::uint16_t HalfFormat<E, M>::add(std::uint16_t a, std::uint16_t b) {
  return fromDouble(toDouble(a) + toDouble(b));
}

namespace {
/// Maps to integers of the same order.
int orderKey(std::uint16_t bits) {
  return bits & 0x8000 ? -1 - int(bits & 0x7fff) : int(bits);
}
} // namespace

template <unsigned E, unsigned M>
std::uint16_t HalfFormat<E, M>::min(std::uint16_t a, std::uint16_t b) {
  if (std::isnan(toDouble(a)))
    return std::isnan(toDouble(b)) ? 0x7fff : b;
  if (std::isnan(toDouble(b)))
    return a;
  return orderKey(a) < orderKey(b) ? a : b;
}

template <unsigned E, unsigned M>
std::uint16_t HalfFormat<E, M>::max(std::uint16_t a, std::uint16_t b) {
  if (std::isnan(toDouble(a)))
    return std::isnan(toDouble(b)) ? 0x7fff : b;
  if (std::isnan(toDouble(b)))
    return a;
  return orderKey(a) > orderKey(b) ? a : b;
}

template struct HalfFormat<5, 10>;
template struct HalfFormat<8, 7>;

} // namespace tessera::vgpu
