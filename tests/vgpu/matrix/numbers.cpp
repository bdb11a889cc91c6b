// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tessera::vgpu::test {

using ptx::Type;

namespace {

/// The fields of a floating-point format.
struct Format {
  int exponentBits = 0, mantissaBits = 0;
  int ignoredBits = 0; ///< below the mantissa
  bool hasInfinity = true;
  [[nodiscard]] int bias() const { return (1 << (exponentBits - 1)) - 1; }
  [[nodiscard]] int maxField() const { return (1 << exponentBits) - 1; }
};

Format formatOf(Type type) {
  switch (type) {
  case Type::f16:
    return {5, 10};
  case Type::bf16:
    return {8, 7};
  case Type::tf32:
    return {8, 10, 13};
  case Type::f32:
    return {8, 23};
  case Type::f64:
    return {11, 52};
  case Type::e4m3:
    return {4, 3, 0, false};
  case Type::e5m2:
    return {5, 2};
  default:
    return {};
  }
}

double floatValue(const Format &format, std::uint64_t bits) {
  const std::uint64_t mantissa =
      bits >> format.ignoredBits &
      ((std::uint64_t(1) << format.mantissaBits) - 1);
  const std::uint64_t top = bits >> (format.ignoredBits + format.mantissaBits);
  const int field = int(top & std::uint64_t(format.maxField()));
  const bool isNegative = (top >> format.exponentBits & 1) != 0;
  const std::uint64_t allOnes = (std::uint64_t(1) << format.mantissaBits) - 1;
  double magnitude;
  if (field == format.maxField() && (format.hasInfinity || mantissa == allOnes))
    magnitude = format.hasInfinity && mantissa == 0
                    ? std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::quiet_NaN();
  else if (field == 0)
    magnitude =
        std::ldexp(double(mantissa), 1 - format.bias() - format.mantissaBits);
  else
    magnitude =
        std::ldexp(1 + std::ldexp(double(mantissa), -format.mantissaBits),
                   field - format.bias());
  return isNegative ? -magnitude : magnitude;
}

std::uint64_t compose(const Format &format, bool isNegative, int field,
                      std::uint64_t mantissa) {
  const std::uint64_t top =
      std::uint64_t(isNegative) << format.exponentBits | std::uint64_t(field);
  return (top << format.mantissaBits | mantissa) << format.ignoredBits;
}

bool isFloating(Type type) { return formatOf(type).exponentBits != 0; }

} // namespace

std::uint32_t bitsOf(Type type) { return ptx::bitWidth(type); }

double valueOf(Type type, std::uint64_t bits) {
  if (isFloating(type))
    return floatValue(formatOf(type), bits);
  const std::uint32_t width = bitsOf(type);
  const std::uint64_t low = bits & ((std::uint64_t(1) << width) - 1);
  const bool isSigned =
      type == Type::s4 || type == Type::s8 || type == Type::s32;
  const bool isNegative = isSigned && (low >> (width - 1) & 1) != 0;
  return double(low) - (isNegative ? std::ldexp(1, int(width)) : 0);
}

std::uint64_t randomElement(Type type, Random &random) {
  const std::uint64_t bits = std::uint64_t(random()) << 32 | random();
  if (!isFloating(type)) {
    const std::uint32_t width = bitsOf(type);
    // Accumulators stay away from overflow, which has tests of its own.
    return type == Type::s32 ? std::uint32_t(std::int32_t(bits) >> 4)
                             : bits & ((std::uint64_t(1) << width) - 1);
  }
  const Format format = formatOf(type);
  const int range = std::min(6, format.bias() - 1);
  const int field = format.bias() - range + int(random() % unsigned(2 * range));
  const std::uint64_t ignored =
      bits >> 1 & ((std::uint64_t(1) << format.ignoredBits) - 1);
  return compose(format, bits & 1, field,
                 bits >> 8 & ((std::uint64_t(1) << format.mantissaBits) - 1)) |
         ignored;
}

std::vector<std::uint64_t> specialElements(Type type) {
  const std::uint32_t width = bitsOf(type);
  if (!isFloating(type)) {
    const std::uint64_t all = (std::uint64_t(1) << width) - 1;
    return {0, 1 & all, all, all >> 1, (all >> 1) + 1};
  }
  const Format format = formatOf(type);
  const std::uint64_t mantissas = (std::uint64_t(1) << format.mantissaBits) - 1;
  const int top = format.maxField();
  std::vector<std::uint64_t> values;
  for (const bool isNegative : {false, true}) {
    values.push_back(compose(format, isNegative, 0, 0));
    values.push_back(compose(format, isNegative, 0, 1));
    values.push_back(compose(format, isNegative, 0, mantissas));
    values.push_back(compose(format, isNegative, 1, 0));
    values.push_back(compose(format, isNegative, format.bias(), 0));
    values.push_back(compose(format, isNegative, top - 1, mantissas));
    values.push_back(compose(format, isNegative, top, 0));
    values.push_back(compose(format, isNegative, top, mantissas));
  }
  return values;
}

double largestOf(Type type) {
  const Format format = formatOf(type);
  return std::ldexp(2 - std::ldexp(1, -format.mantissaBits), format.bias());
}

double magnitudeOf(Type type, double value) {
  const Format format = formatOf(type);
  if (format.exponentBits == 0 || value == 0)
    return std::fabs(value);
  return std::max(std::fabs(value), std::ldexp(1, 1 - format.bias()));
}

double unitOf(Type type, double value) {
  const Format format = formatOf(type);
  if (format.exponentBits == 0 || !std::isfinite(value))
    return 0;
  const int least = 1 - format.bias();
  const int exponent = value == 0 ? least : std::max(std::ilogb(value), least);
  return std::ldexp(1, exponent - format.mantissaBits);
}

} // namespace tessera::vgpu::test
