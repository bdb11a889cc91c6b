// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The domain of numbers. Results are exactly those of IEEE 754 in every
// rounding mode; the host's own arithmetic is used where it gives them.
// Needs the host's default rounding mode (to nearest) and no flushing.

#ifndef TESSERA_PTX_SEMANTICS_CONCRETE_H
#define TESSERA_PTX_SEMANTICS_CONCRETE_H

#include "ptx/semantics/domain.h"

#include <bit>
#include <cmath>
#include <type_traits>

namespace tessera::ptx::semantics {

namespace detail {

template <unsigned N> struct UnsignedOf;
template <> struct UnsignedOf<8> {
  using type = std::uint8_t;
};
template <> struct UnsignedOf<16> {
  using type = std::uint16_t;
};
template <> struct UnsignedOf<32> {
  using type = std::uint32_t;
};
template <> struct UnsignedOf<64> {
  using type = std::uint64_t;
};

/// `significand * 2^exponent` (a little more when `sticky`), rounded.
std::uint64_t roundToFormat(Format format, bool isNegative,
                            std::uint64_t significand, int exponent,
                            bool sticky, Rounding rounding);
std::uint64_t narrow(Format format, double value, Rounding rounding);

/// The host's operation under a rounding mode.
template <class T> T addRounded(T a, T b, Rounding rounding);
template <class T> T mulRounded(T a, T b, Rounding rounding);
template <class T> T divRounded(T a, T b, Rounding rounding);
template <class T> T fmaRounded(T a, T b, T c, Rounding rounding);
template <class T> T sqrtRounded(T a, Rounding rounding);

double roundToIntegral(double value, Rounding rounding);
double approximate(ApproxFunction function, double value);

/// The sum, with its last bit set when it is not exact. Rounding it again to
/// fewer bits then gives what rounding the exact sum once would.
inline double addToOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  double partOfB = sum - a;
  double error = (a - (sum - partOfB)) + (b - partOfB);
  if (error == 0)
    return sum;
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if ((error < 0) != (sum < 0))
    --bits;
  return std::bit_cast<double>(bits | 1);
}

inline float floatFromF16(std::uint16_t bits) {
  std::uint32_t magnitude = std::uint32_t(bits & 0x7fff) << 13;
  // The exponents differ by 112; the product is exact, for denormals too.
  float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  std::uint32_t result = std::bit_cast<std::uint32_t>(scaled);
  if ((bits & 0x7c00) == 0x7c00)
    result = magnitude | 0x7f800000;
  return std::bit_cast<float>(result | std::uint32_t(bits & 0x8000) << 16);
}

} // namespace detail

class ConcreteDomain {
public:
  template <unsigned N> using Bits = typename detail::UnsignedOf<N>::type;
  using Bool = bool;

  template <unsigned N> static Bits<N> constant(std::uint64_t bits) {
    return Bits<N>(bits);
  }
  static bool boolean(bool value) { return value; }

  //===-- Integers --------------------------------------------------------===//

  template <class V> static V add(V a, V b) { return V(a + b); }
  template <class V> static V sub(V a, V b) { return V(a - b); }
  template <class V> static V mul(V a, V b) {
    // At least `unsigned`: short operands would overflow an int.
    return V(std::common_type_t<V, unsigned>(a) * b);
  }
  template <class V> static V andBits(V a, V b) { return V(a & b); }
  template <class V> static V orBits(V a, V b) { return V(a | b); }
  template <class V> static V xorBits(V a, V b) { return V(a ^ b); }
  template <class V> static V notBits(V a) { return V(~a); }
  template <class V> static V shl(V a, V n) {
    return V(std::common_type_t<V, unsigned>(a) << n);
  }
  template <class V> static V lshr(V a, V n) { return V(a >> n); }
  template <class V> static V ashr(V a, V n) { return V(asSigned(a) >> n); }

  template <class V> static V mulHighUnsigned(V a, V b) {
    if constexpr (sizeof(V) == 8)
      return V((static_cast<unsigned __int128>(a) * b) >> 64);
    else
      return V((std::uint64_t(a) * b) >> (8 * sizeof(V)));
  }
  template <class V> static V mulHighSigned(V a, V b) {
    if constexpr (sizeof(V) == 8)
      return V((static_cast<__int128>(asSigned(a)) * asSigned(b)) >> 64);
    else
      return V((std::int64_t(asSigned(a)) * asSigned(b)) >> (8 * sizeof(V)));
  }
  template <class V> static V divUnsigned(V a, V b) { return V(a / b); }
  template <class V> static V remUnsigned(V a, V b) { return V(a % b); }
  template <class V> static V divSigned(V a, V b) {
    return V(asSigned(a) / asSigned(b));
  }
  template <class V> static V remSigned(V a, V b) {
    return V(asSigned(a) % asSigned(b));
  }

  template <class V> static bool equal(V a, V b) { return a == b; }
  template <class V> static bool lessUnsigned(V a, V b) { return a < b; }
  template <class V> static bool lessSigned(V a, V b) {
    return asSigned(a) < asSigned(b);
  }
  static bool andBool(bool a, bool b) { return a & b; }
  static bool orBool(bool a, bool b) { return a | b; }
  static bool xorBool(bool a, bool b) { return a ^ b; }
  static bool notBool(bool a) { return !a; }
  template <class V> static V select(bool which, V a, V b) {
    return which ? a : b;
  }

  template <unsigned N, class V> static Bits<N> zeroExtend(V a) { return a; }
  template <unsigned N, class V> static Bits<N> signExtend(V a) {
    return Bits<N>(asSigned(a));
  }
  template <unsigned N, class V> static Bits<N> truncate(V a) {
    return Bits<N>(a);
  }
  template <class V> static V popCount(V a) { return V(std::popcount(a)); }
  template <class V> static V leadingZeros(V a) {
    return V(std::countl_zero(a));
  }
  template <class V> static V reverseBits(V a) {
    std::uint64_t x = a;
    x = (x & 0x5555555555555555) << 1 | (x >> 1 & 0x5555555555555555);
    x = (x & 0x3333333333333333) << 2 | (x >> 2 & 0x3333333333333333);
    x = (x & 0x0f0f0f0f0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0f);
    return V(__builtin_bswap64(x) >> (64 - 8 * sizeof(V)));
  }

  //===-- Floating point --------------------------------------------------===//

  template <Format F> using FBits = Bits<widthOf(F)>;

  template <Format F> static FBits<F> fAdd(FBits<F> a, FBits<F> b, Rounding r) {
    if constexpr (isSmall(F))
      return FBits<F>(detail::narrow(
          F, detail::addToOdd(toDouble<F>(a), toDouble<F>(b)), r));
    else if (r == Rounding::nearestEven)
      return fromHost<F>(toHost<F>(a) + toHost<F>(b));
    else
      return fromHost<F>(detail::addRounded(toHost<F>(a), toHost<F>(b), r));
  }
  template <Format F> static FBits<F> fSub(FBits<F> a, FBits<F> b, Rounding r) {
    return fAdd<F>(a, FBits<F>(b ^ signMask(F)), r);
  }
  template <Format F> static FBits<F> fMul(FBits<F> a, FBits<F> b, Rounding r) {
    if constexpr (isSmall(F)) // The product is exact.
      return FBits<F>(detail::narrow(F, toDouble<F>(a) * toDouble<F>(b), r));
    else if (r == Rounding::nearestEven)
      return fromHost<F>(toHost<F>(a) * toHost<F>(b));
    else
      return fromHost<F>(detail::mulRounded(toHost<F>(a), toHost<F>(b), r));
  }
  template <Format F> static FBits<F> fDiv(FBits<F> a, FBits<F> b, Rounding r) {
    static_assert(!isSmall(F), "PTX has no such division");
    if (r == Rounding::nearestEven)
      return fromHost<F>(toHost<F>(a) / toHost<F>(b));
    return fromHost<F>(detail::divRounded(toHost<F>(a), toHost<F>(b), r));
  }
  template <Format F>
  static FBits<F> fFma(FBits<F> a, FBits<F> b, FBits<F> c, Rounding r) {
    if constexpr (isSmall(F))
      return FBits<F>(detail::narrow(
          F, detail::addToOdd(toDouble<F>(a) * toDouble<F>(b), toDouble<F>(c)),
          r));
    else if (r == Rounding::nearestEven)
      return fromHost<F>(std::fma(toHost<F>(a), toHost<F>(b), toHost<F>(c)));
    else
      return fromHost<F>(
          detail::fmaRounded(toHost<F>(a), toHost<F>(b), toHost<F>(c), r));
  }
  template <Format F> static FBits<F> fSqrt(FBits<F> a, Rounding r) {
    static_assert(!isSmall(F), "PTX has no such square root");
    if (r == Rounding::nearestEven)
      return fromHost<F>(std::sqrt(toHost<F>(a)));
    return fromHost<F>(detail::sqrtRounded(toHost<F>(a), r));
  }

  template <Format F> static bool fLess(FBits<F> a, FBits<F> b) {
    return toHost<F>(a) < toHost<F>(b);
  }
  template <Format F> static bool fEqual(FBits<F> a, FBits<F> b) {
    return toHost<F>(a) == toHost<F>(b);
  }

  template <Format F> static FBits<F> fRoundToIntegral(FBits<F> a, Rounding r) {
    double rounded = detail::roundToIntegral(toDouble<F>(a), r);
    return fConvert<F, Format::f64>(std::bit_cast<std::uint64_t>(rounded),
                                    Rounding::nearestEven);
  }

  template <Format To, Format From>
  static FBits<To> fConvert(FBits<From> a, Rounding r) {
    if constexpr (To == From)
      return a;
    else if constexpr (To == Format::f64)
      return std::bit_cast<std::uint64_t>(toDouble<From>(a));
    else if constexpr (To == Format::f32 && From != Format::f64)
      return std::bit_cast<std::uint32_t>(toHost<From>(a));
    else if constexpr (To == Format::f32)
      return r == Rounding::nearestEven
                 ? std::bit_cast<std::uint32_t>(float(toDouble<From>(a)))
                 : FBits<To>(detail::narrow(To, toDouble<From>(a), r));
    else
      return FBits<To>(detail::narrow(To, toDouble<From>(a), r));
  }

  template <Format F, class V> static FBits<F> fFromUnsigned(V a, Rounding r) {
    if constexpr (!isSmall(F))
      if (r == Rounding::nearestEven)
        return fromHost<F>(Host<F>(a));
    return FBits<F>(detail::roundToFormat(F, false, a, 0, false, r));
  }
  template <Format F, class V> static FBits<F> fFromSigned(V a, Rounding r) {
    if constexpr (!isSmall(F))
      if (r == Rounding::nearestEven)
        return fromHost<F>(Host<F>(asSigned(a)));
    bool isNegative = asSigned(a) < 0;
    auto wide = std::uint64_t(std::int64_t(asSigned(a)));
    return FBits<F>(detail::roundToFormat(
        F, isNegative, isNegative ? 0 - wide : wide, 0, false, r));
  }

  template <unsigned N, Format F>
  static Bits<N> fToUnsigned(FBits<F> a, Rounding r) {
    double value = integral(toDouble<F>(a), r);
    if (value >= std::ldexp(1.0, N))
      return Bits<N>(greatest(N, false));
    return value <= 0 ? Bits<N>(0) : Bits<N>(std::uint64_t(value));
  }
  template <unsigned N, Format F>
  static Bits<N> fToSigned(FBits<F> a, Rounding r) {
    double value = integral(toDouble<F>(a), r);
    if (value >= std::ldexp(1.0, N - 1))
      return Bits<N>(greatest(N, true));
    if (value < -std::ldexp(1.0, N - 1))
      return Bits<N>(least(N, true));
    return Bits<N>(std::int64_t(value));
  }

  template <Format F>
  static FBits<F> fApprox(ApproxFunction function, FBits<F> a) {
    double value = detail::approximate(function, toDouble<F>(a));
    return fConvert<F, Format::f64>(std::bit_cast<std::uint64_t>(value),
                                    Rounding::nearestEven);
  }

private:
  template <Format F>
  using Host = std::conditional_t<F == Format::f64, double, float>;

  static constexpr bool isSmall(Format format) { return widthOf(format) == 16; }

  template <class V> static std::make_signed_t<V> asSigned(V a) {
    return std::make_signed_t<V>(a);
  }

  /// The number in the host's type; f16 and bf16 as a float.
  template <Format F> static Host<F> toHost(FBits<F> a) {
    if constexpr (F == Format::f16)
      return detail::floatFromF16(a);
    else if constexpr (F == Format::bf16)
      return std::bit_cast<float>(std::uint32_t(a) << 16);
    else
      return std::bit_cast<Host<F>>(a);
  }
  template <Format F> static double toDouble(FBits<F> a) {
    return toHost<F>(a);
  }
  template <Format F> static FBits<F> fromHost(Host<F> value) {
    return std::bit_cast<FBits<F>>(value);
  }
  /// A conversion to an integer type cuts by itself.
  static double integral(double value, Rounding r) {
    return r == Rounding::towardZero ? value
                                     : detail::roundToIntegral(value, r);
  }
};

static_assert(Domain<ConcreteDomain>);

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_CONCRETE_H
