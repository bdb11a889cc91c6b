// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cvt: PTX ISA 9.0, section 9.7.9 (conversions).

#ifndef TESSERA_PTX_SEMANTICS_CONVERT_H
#define TESSERA_PTX_SEMANTICS_CONVERT_H

#include "ptx/semantics/float.h"
#include "ptx/semantics/integer.h"

namespace tessera::ptx::semantics {

/// An integer of width `To` from one of width `From`: cut or extended, with
/// `.sat` clamped.
template <unsigned To, bool ToSigned, unsigned From, bool FromSigned,
          bool Saturate>
struct ConvertInteger {
  static constexpr bool isResultSigned = ToSigned;

  template <Domain D> static Bits<D, To> apply(D &d, Bits<D, From> a) {
    if constexpr (Saturate)
      a = clamp(d, a);
    if constexpr (To == From)
      return a;
    else if constexpr (To < From)
      return d.template truncate<To>(a);
    else
      return extend<To, FromSigned>(d, a);
  }

private:
  /// Limits that the source cannot pass need no test.
  static constexpr std::uint64_t high = greatest(To, ToSigned);
  static constexpr bool canBeTooHigh = greatest(From, FromSigned) > high;
  static constexpr bool canBeTooLow = FromSigned && (!ToSigned || To < From);

  template <Domain D> static Bits<D, From> clamp(D &d, Bits<D, From> a) {
    if constexpr (canBeTooHigh) {
      auto limit = d.template constant<From>(high);
      a = d.select(less<FromSigned>(d, limit, a), limit, a);
    }
    if constexpr (canBeTooLow) {
      // Minus 2^(To-1), or 0.
      auto limit = d.template constant<From>(
          ToSigned ? ~std::uint64_t(0) << (To - 1) : 0);
      a = d.select(d.lessSigned(a, limit), limit, a);
    }
    return a;
  }
};

/// Out of range gives the nearest limit. NaN gives 0, but where the source or
/// the result has 64 bits only the top bit is set (H200).
template <unsigned To, bool ToSigned, Format F, Rounding R, bool Ftz>
struct ConvertToInteger : Costly {
  static constexpr bool isResultSigned = ToSigned;

  template <Domain D> static Bits<D, To> apply(D &d, Bits<D, widthOf(F)> a) {
    a = flushIf<F, Ftz>(d, a);
    auto zero = fConstant<F>(d, 0);
    auto isNaN = isNan<F>(d, a);
    auto number = d.select(isNaN, zero, a);
    auto nan = d.template constant<To>(nanResult);
    if constexpr (ToSigned)
      return d.select(isNaN, nan, d.template fToSigned<To, F>(number, R));
    else
      return d.select(isNaN, nan, d.template fToUnsigned<To, F>(number, R));
  }

private:
  static constexpr std::uint64_t nanResult =
      To == 64 || F == Format::f64 ? std::uint64_t(1) << (To - 1) : 0;
};

template <Format F, unsigned From, bool FromSigned, Rounding R, bool Saturate>
struct ConvertFromInteger : Costly {
  template <Domain D> static Bits<D, widthOf(F)> apply(D &d, Bits<D, From> a) {
    auto result = [&] {
      if constexpr (FromSigned)
        return d.template fFromSigned<F>(a, R);
      else
        return d.template fFromUnsigned<F>(a, R);
    }();
    if constexpr (Saturate)
      return saturate<F>(d, result);
    else
      return result;
  }
};

/// Between formats.
template <Format To, Format From, Rounding R, ResultRules Rules>
struct ConvertFloat : Costly {
  template <Domain D>
  static Bits<D, widthOf(To)> apply(D &d, Bits<D, widthOf(From)> a) {
    a = flushSource(d, a);
    Bits<D, widthOf(To)> result = convert(d, a);
    constexpr ResultRules rules{.ftz = Rules.ftz && To == Format::f32,
                                .sat = Rules.sat,
                                .relu = Rules.relu};
    if constexpr (rules.sat || rules.relu)
      return finish<To, rules>(d, result);
    else
      return d.select(isNan<From>(d, a), convertNan(d, a),
                      flushIf<To, rules.ftz>(d, result));
  }

private:
  /// Sources of f16 results are not flushed (H200).
  template <Domain D> static auto flushSource(D &d, Bits<D, widthOf(From)> a) {
    constexpr bool ftz = Rules.ftz && From == Format::f32 && To != Format::f16;
    return flushIf<From, ftz>(d, a);
  }
  /// A NaN keeps its sign and the upper part of its payload on the way from
  /// and to f64, and from bf16 to f32; a conversion from f32 or f64 to
  /// itself leaves it alone; `.ftz` and all others make it canonical (H200).
  template <Domain D>
  static Bits<D, widthOf(To)> convertNan(D &d, Bits<D, widthOf(From)> a) {
    using enum Format;
    constexpr bool ftz = Rules.ftz && From == f32;
    if constexpr (To == From && widthOf(To) > 16 && !ftz)
      return a;
    else if constexpr (From == f64)
      return narrowNan(d, a);
    else if constexpr (To == f64)
      return widenNan(d, ftz ? fConstant<From>(d, canonicalNan(From)) : a);
    else if constexpr (To == f32 && From == bf16 && !Rules.ftz)
      return d.shl(d.template zeroExtend<32>(a), d.template constant<32>(16));
    else
      return fConstant<To>(d, canonicalNan(To));
  }
  template <Domain D>
  static Bits<D, widthOf(To)> narrowNan(D &d, Bits<D, 64> a) {
    constexpr Format f64 = Format::f64;
    constexpr unsigned dropped = fractionBits(f64) - fractionBits(To);
    auto shifted = [&](std::uint64_t mask, unsigned places) {
      return d.template truncate<widthOf(To)>(d.lshr(
          d.andBits(a, fConstant<f64>(d, mask)), fConstant<f64>(d, places)));
    };
    auto sign = shifted(signMask(f64), 64 - widthOf(To));
    auto payload = shifted(leastNormalBits(f64) - 1, dropped);
    auto quietNan = fConstant<To>(
        d, infinityBits(To) | std::uint64_t(1) << (fractionBits(To) - 1));
    return d.orBits(d.orBits(sign, payload), quietNan);
  }
  template <Domain D>
  static Bits<D, 64> widenNan(D &d, Bits<D, widthOf(From)> a) {
    constexpr Format f64 = Format::f64;
    auto wide = d.template zeroExtend<64>(a);
    auto shifted = [&](std::uint64_t mask, unsigned places) {
      return d.shl(d.andBits(wide, fConstant<f64>(d, mask)),
                   fConstant<f64>(d, places));
    };
    auto sign = shifted(signMask(From), 64 - widthOf(From));
    auto payload = shifted(leastNormalBits(From) - 1,
                           fractionBits(f64) - fractionBits(From));
    auto quietNan = fConstant<f64>(
        d, infinityBits(f64) | std::uint64_t(1) << (fractionBits(f64) - 1));
    return d.orBits(d.orBits(sign, payload), quietNan);
  }
  template <Domain D> static auto convert(D &d, Bits<D, widthOf(From)> a) {
    if constexpr (To == From)
      return a;
    else
      return d.template fConvert<To, From>(a, R);
  }
};

/// The largest finite number instead of an infinity: `.satfinite`.
template <class Convert, Format To, Format From>
struct SaturateFinite : Costly {
  template <Domain D>
  static Bits<D, widthOf(To)> apply(D &d, Bits<D, widthOf(From)> a) {
    auto result = Convert::apply(d, a);
    auto isInfinite =
        d.equal(magnitude<To>(d, result), fConstant<To>(d, infinityBits(To)));
    auto finite =
        d.orBits(signOf<To>(d, result), fConstant<To>(d, infinityBits(To) - 1));
    return d.select(isInfinite, finite, result);
  }
};

/// To an integral value of the same format.
template <Format F, Rounding R, ResultRules Rules>
struct RoundToIntegral : Costly {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    constexpr bool ftz = Rules.ftz && F == Format::f32;
    a = flushIf<F, ftz>(d, a);
    return finish<F, Rules>(d, d.template fRoundToIntegral<F>(a, R), a);
  }
};

/// cvt.f16x2.f32 d, a, b: `a` becomes the upper half.
template <class Convert> struct ConvertPair : Costly {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b) {
    return d.orBits(d.shl(d.template zeroExtend<32>(Convert::apply(d, a)),
                          d.template constant<32>(16)),
                    d.template zeroExtend<32>(Convert::apply(d, b)));
  }
};

/// cvt.tf32.f32: ten bits of fraction are kept, the others become 0. `.rna`
/// cuts the bits of a NaN like any others, and `.satfinite` with it takes one
/// step back from what is not finite, a NaN too (H200).
template <Rounding R, bool Relu, bool SatFinite> struct ConvertToTf32 {
  template <Domain D> static Bits<D, 32> apply(D &d, Bits<D, 32> a) {
    auto infinity = word(d, infinityBits(f32));
    auto isSpecial = d.notBool(d.lessUnsigned(magnitude<f32>(d, a), infinity));
    auto result =
        d.andBits(d.select(isSpecial, a, round(d, a)), word(d, ~dropped));
    if constexpr (SatFinite) {
      auto isFinite = d.lessUnsigned(magnitude<f32>(d, result), infinity);
      result = d.select(isFinite, result, d.sub(result, word(d, dropped + 1)));
    }
    if constexpr (Relu)
      result =
          d.select(d.equal(signOf<f32>(d, a), word(d, 0)), result, word(d, 0));
    if constexpr (R != Rounding::nearestAway)
      result = d.select(isNan<f32>(d, a),
                        word(d, (signMask(f32) - 1) & ~dropped), result);
    return result;
  }

private:
  static constexpr Format f32 = Format::f32;
  static constexpr std::uint64_t dropped = (1u << 13) - 1;

  template <Domain D> static Bits<D, 32> word(D &d, std::uint64_t value) {
    return d.template constant<32>(value);
  }
  /// Adds what makes cutting round.
  template <Domain D> static Bits<D, 32> round(D &d, Bits<D, 32> a) {
    if constexpr (R == Rounding::nearestAway)
      return d.add(a, word(d, 1u << 12));
    if constexpr (R == Rounding::nearestEven) {
      auto odd = d.andBits(d.lshr(a, word(d, 13)), word(d, 1));
      return d.add(d.add(a, word(d, (1u << 12) - 1)), odd);
    }
    return a;
  }
};

/// cvt.pack: two clamped integers of width `N` (signed or not), above which
/// stand the low bits of `c`.
template <unsigned N, bool Signed, Domain D>
Bits<D, 32> packClamped(D &d, Bits<D, 32> a, Bits<D, 32> b) {
  auto high = d.template constant<32>(greatest(N, Signed));
  auto low = d.template constant<32>(Signed ? ~std::uint64_t(0) << (N - 1) : 0);
  auto mask = d.template constant<32>((std::uint64_t(1) << N) - 1);
  auto clamp = [&](Bits<D, 32> value) {
    value = d.select(d.lessSigned(high, value), high, value);
    value = d.select(d.lessSigned(value, low), low, value);
    return d.andBits(value, mask);
  };
  return d.orBits(d.shl(clamp(a), d.template constant<32>(N)), clamp(b));
}

template <bool Signed> struct CvtPack16 {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b) {
    return packClamped<16, Signed>(d, a, b);
  }
};

template <unsigned N, bool Signed> struct CvtPackSmall {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b, Bits<D, 32> c) {
    return d.orBits(packClamped<N, Signed>(d, a, b),
                    d.shl(c, d.template constant<32>(2 * N)));
  }
};

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_CONVERT_H
