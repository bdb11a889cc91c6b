// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled with -frounding-math: the rounding mode changes here.

#include "ptx/semantics/concrete.h"

#include <cfenv>

using namespace tessera::ptx::semantics;

//===----------------------------------------------------------------------===//
// Rounding to a format
//===----------------------------------------------------------------------===//

namespace {

bool roundsUp(Rounding rounding, bool isNegative, bool isOdd, bool half,
              bool rest) {
  switch (rounding) {
  case Rounding::nearestEven:
    return half && (rest || isOdd);
  case Rounding::nearestAway:
    return half;
  case Rounding::towardZero:
    return false;
  case Rounding::down:
    return isNegative && (half || rest);
  case Rounding::up:
    return !isNegative && (half || rest);
  }
  return false;
}

/// What an overflow gives: infinity or the greatest finite number.
std::uint64_t overflowed(Format format, bool isNegative, Rounding rounding) {
  bool toInfinity = rounding == Rounding::nearestEven ||
                    rounding == Rounding::nearestAway ||
                    rounding == (isNegative ? Rounding::down : Rounding::up);
  return infinityBits(format) - (toInfinity ? 0 : 1);
}

} // namespace

std::uint64_t detail::roundToFormat(Format format, bool isNegative,
                                    std::uint64_t significand, int exponent,
                                    bool sticky, Rounding rounding) {
  std::uint64_t sign = isNegative ? signMask(format) : 0;
  if (significand == 0)
    return sign;
  int shift = std::countl_zero(significand);
  significand <<= shift;
  exponent -= shift;
  // The value is now 1.xxx * 2^(exponent + 63).

  int fraction = int(fractionBits(format));
  int bias = int((std::uint64_t(1) << (widthOf(format) - 2 - fraction)) - 1);
  int biased = exponent + 63 + bias;
  int dropped = 63 - fraction;
  if (biased < 1) // Denormal: one more place for each power below the least.
    dropped += 1 - biased;

  std::uint64_t kept = 0;
  bool half = false, rest = sticky;
  if (dropped < 64) {
    kept = significand >> dropped;
    half = (significand >> (dropped - 1) & 1) != 0;
    rest |= (significand & ((std::uint64_t(1) << (dropped - 1)) - 1)) != 0;
  } else {
    half = dropped == 64;
    rest |= dropped > 64 || (significand << 1) != 0;
  }
  if (roundsUp(rounding, isNegative, (kept & 1) != 0, half, rest))
    ++kept;
  // The leading bit adds one to the exponent field; a carry does it right.
  std::uint64_t bits =
      biased < 1 ? kept : (std::uint64_t(biased - 1) << fraction) + kept;
  if (bits >= infinityBits(format))
    bits = overflowed(format, isNegative, rounding);
  return sign | bits;
}

std::uint64_t detail::narrow(Format format, double value, Rounding rounding) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  bool isNegative = bits >> 63 != 0;
  std::uint64_t sign = isNegative ? signMask(format) : 0;
  std::uint64_t magnitude = bits & ~signMask(Format::f64);
  std::uint64_t infinity = infinityBits(Format::f64);
  if (magnitude > infinity)
    return canonicalNan(format);
  if (magnitude == infinity)
    return sign | infinityBits(format);
  int exponent = int(magnitude >> 52);
  std::uint64_t significand = magnitude & (leastNormalBits(Format::f64) - 1);
  if (exponent != 0)
    significand |= leastNormalBits(Format::f64);
  else
    exponent = 1;
  return roundToFormat(format, isNegative, significand, exponent - 1075, false,
                       rounding);
}

//===----------------------------------------------------------------------===//
// The host's operations under a rounding mode
//===----------------------------------------------------------------------===//

namespace {

class RoundingScope {
public:
  explicit RoundingScope(Rounding rounding) {
    std::fesetround(hostMode(rounding));
  }
  ~RoundingScope() { std::fesetround(FE_TONEAREST); }
  RoundingScope(const RoundingScope &) = delete;
  RoundingScope &operator=(const RoundingScope &) = delete;

private:
  static int hostMode(Rounding rounding) {
    switch (rounding) {
    case Rounding::towardZero:
      return FE_TOWARDZERO;
    case Rounding::down:
      return FE_DOWNWARD;
    case Rounding::up:
      return FE_UPWARD;
    case Rounding::nearestEven:
    case Rounding::nearestAway:
      return FE_TONEAREST;
    }
    return FE_TONEAREST;
  }
};

/// Evaluates under a rounding mode. The volatile copies keep the operation
/// between the changes of the mode.
template <class T, class Operation, class... Sources>
T evaluateRounded(Rounding rounding, Operation operation, Sources... sources) {
  RoundingScope scope(rounding);
  auto opaque = [](T value) {
    volatile T copy = value;
    return T(copy);
  };
  volatile T result = operation(opaque(sources)...);
  return result;
}

} // namespace

template <class T> T detail::addRounded(T a, T b, Rounding rounding) {
  return evaluateRounded<T>(rounding, [](T x, T y) { return x + y; }, a, b);
}
template <class T> T detail::mulRounded(T a, T b, Rounding rounding) {
  return evaluateRounded<T>(rounding, [](T x, T y) { return x * y; }, a, b);
}
template <class T> T detail::divRounded(T a, T b, Rounding rounding) {
  return evaluateRounded<T>(rounding, [](T x, T y) { return x / y; }, a, b);
}
template <class T> T detail::fmaRounded(T a, T b, T c, Rounding rounding) {
  return evaluateRounded<T>(
      rounding, [](T x, T y, T z) { return std::fma(x, y, z); }, a, b, c);
}
template <class T> T detail::sqrtRounded(T a, Rounding rounding) {
  return evaluateRounded<T>(rounding, [](T x) { return std::sqrt(x); }, a);
}

#define INSTANTIATE(T)                                                         \
  template T detail::addRounded<T>(T, T, Rounding);                            \
  template T detail::mulRounded<T>(T, T, Rounding);                            \
  template T detail::divRounded<T>(T, T, Rounding);                            \
  template T detail::fmaRounded<T>(T, T, T, Rounding);                         \
  template T detail::sqrtRounded<T>(T, Rounding);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

double detail::roundToIntegral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::nearestEven:
    return std::nearbyint(value);
  case Rounding::nearestAway:
    return std::round(value);
  case Rounding::towardZero:
    return std::trunc(value);
  case Rounding::down:
    return std::floor(value);
  case Rounding::up:
    return std::ceil(value);
  }
  return value;
}

double detail::approximate(ApproxFunction function, double value) {
  switch (function) {
  case ApproxFunction::reciprocal:
    return 1 / value;
  case ApproxFunction::squareRoot:
    return std::sqrt(value);
  case ApproxFunction::reciprocalSquareRoot:
    return 1 / std::sqrt(value);
  case ApproxFunction::sine:
    return std::sin(value);
  case ApproxFunction::cosine:
    return std::cos(value);
  case ApproxFunction::log2:
    return std::log2(value);
  case ApproxFunction::exp2:
    return std::exp2(value);
  case ApproxFunction::tanh:
    return std::tanh(value);
  }
  return value;
}
