// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"

#include "inputs.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace tessera::conformance {

namespace {

using ptx::Type;

/// A number of 16 bits with so many bits of fraction.
double decodeHalf(std::uint16_t bits, int fraction) {
  int exponentBits = 15 - fraction;
  int exponent = bits >> fraction & ((1 << exponentBits) - 1);
  int significand = bits & ((1 << fraction) - 1);
  int bias = (1 << (exponentBits - 1)) - 1;
  double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == (1 << exponentBits) - 1)
    return sign * (significand ? std::nan("") : HUGE_VAL);
  if (exponent == 0)
    return sign * std::ldexp(significand, 1 - bias - fraction);
  return sign *
         std::ldexp(significand + (1 << fraction), exponent - bias - fraction);
}

struct Decoded {
  double value;
  double ulp; ///< the distance to the next number
};

Decoded decode(Type type, std::uint64_t bits) {
  auto ulpOf = [](double value, int fraction, int leastExponent) {
    if (!std::isfinite(value))
      return 0.0;
    int exponent =
        value == 0 ? leastExponent : std::max(std::ilogb(value), leastExponent);
    return std::ldexp(1.0, exponent - fraction);
  };
  switch (type) {
  case Type::f16: {
    double value = decodeHalf(std::uint16_t(bits), 10);
    return {value, ulpOf(value, 10, -14)};
  }
  case Type::bf16: {
    double value = decodeHalf(std::uint16_t(bits), 7);
    return {value, ulpOf(value, 7, -126)};
  }
  case Type::f32: {
    double value = std::bit_cast<float>(std::uint32_t(bits));
    return {value, ulpOf(value, 23, -126)};
  }
  default: {
    double value = std::bit_cast<double>(bits);
    return {value, ulpOf(value, 52, -1022)};
  }
  }
}

double allowedError(const Tolerance &tolerance, double source,
                    const Decoded &expected) {
  using Kind = Tolerance::Kind;
  double magnitude = std::fabs(expected.value);
  switch (tolerance.kind) {
  case Kind::exact:
    return 0;
  case Kind::ulp:
    return tolerance.bound * expected.ulp;
  case Kind::relative:
    return tolerance.bound * magnitude;
  case Kind::absolute:
    return tolerance.bound;
  case Kind::angle:
    return std::fabs(source) <= 2 * std::numbers::pi ? tolerance.bound
                                                     : tolerance.outerBound;
  case Kind::logarithm:
    return source > 0.5 && source < 2 ? tolerance.bound
                                      : tolerance.bound * magnitude;
  }
  return 0;
}

/// Of an infinity and a number that is not the same: whether the infinity, read
/// as the power of two above the greatest number, is within a relative bound.
bool isNextToInfinity(const Tolerance &tolerance, Type type, Decoded wanted,
                      Decoded given) {
  using Kind = Tolerance::Kind;
  bool isRelative =
      tolerance.kind == Kind::ulp || tolerance.kind == Kind::relative;
  double past = type == Type::f16   ? 0x1p16
                : type == Type::f64 ? HUGE_VAL
                                    : 0x1p128;
  double infinite = std::isinf(wanted.value) ? wanted.value : given.value;
  double finite = std::isinf(wanted.value) ? given.value : wanted.value;
  if (!isRelative || std::isinf(finite))
    return false;
  Decoded number = std::isinf(wanted.value) ? given : wanted;
  double allowed = allowedError(tolerance, 0, number) + number.ulp;
  return std::fabs(std::copysign(past, infinite) - finite) <= allowed;
}

Type halfOf(Type type) {
  return type == Type::f16x2    ? Type::f16
         : type == Type::bf16x2 ? Type::bf16
                                : Type::none;
}

} // namespace

bool agrees(const Tolerance &tolerance, Type type, std::uint64_t firstSource,
            std::uint64_t expected, std::uint64_t got) {
  if (expected == got)
    return true;
  if (tolerance.kind == Tolerance::Kind::exact)
    return false;
  if (Type half = halfOf(type); half != Type::none)
    return agrees(tolerance, half, firstSource & 0xffff, expected & 0xffff,
                  got & 0xffff) &&
           agrees(tolerance, half, firstSource >> 16, expected >> 16,
                  got >> 16);
  Decoded wanted = decode(type, expected), given = decode(type, got);
  if (std::isnan(wanted.value) || std::isnan(given.value))
    return std::isnan(wanted.value) && std::isnan(given.value);
  if (std::isinf(wanted.value) || std::isinf(given.value))
    return isNextToInfinity(tolerance, type, wanted, given);
  // The recorded value may be off by the bound; ours is rounded.
  double allowed =
      allowedError(tolerance, decode(type, firstSource).value, wanted) +
      wanted.ulp;
  return std::fabs(wanted.value - given.value) <= allowed;
}

Comparison compare(const Form &form, const Answer *recorded,
                   const Answer *answer) {
  Comparison result;
  if (!recorded || recorded->fingerprint != fingerprint(form))
    return result;
  if (!recorded->refusal.empty()) {
    result.verdict = Verdict::refused;
    return result;
  }
  if (!answer || !answer->refusal.empty()) {
    result.verdict = Verdict::notExecuted;
    return result;
  }
  auto inputs = inputsOf(form);
  std::size_t sources = form.sources.size(), results = form.results.size();
  for (std::uint32_t at : recordedResults(form)) {
    auto thread = unsigned(at / results);
    std::uint64_t source = sources ? inputs[thread * sources] : 0;
    bool isSame = agrees(form.tolerance, form.results[at % results], source,
                         recorded->results[at], answer->results[at]);
    bool isKnown = !result.threads.empty() && result.threads.back() == thread;
    if (!isSame && !isKnown)
      result.threads.push_back(thread);
  }
  result.verdict = result.threads.empty() ? Verdict::matches : Verdict::differs;
  return result;
}

} // namespace tessera::conformance
