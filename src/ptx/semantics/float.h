// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point arithmetic: PTX ISA 9.0, sections 9.7.3 to 9.7.5.
//
// Results that are NaN are canonical; in double precision a NaN among the
// sources is passed on, quiet (so does an H200). `.ftz` replaces denormal
// sources and results by zeros of their sign; `.sat` clamps to [0, 1] and turns
// NaN to 0.

#ifndef TESSERA_PTX_SEMANTICS_FLOAT_H
#define TESSERA_PTX_SEMANTICS_FLOAT_H

#include "ptx/semantics/domain.h"

namespace tessera::ptx::semantics {

//===----------------------------------------------------------------------===//
// Classification and clean-up
//===----------------------------------------------------------------------===//

template <Format F, Domain D> auto fConstant(D &d, std::uint64_t bits) {
  return d.template constant<widthOf(F)>(bits);
}

template <Format F, Domain D> auto magnitude(D &d, Bits<D, widthOf(F)> a) {
  return d.andBits(a, fConstant<F>(d, signMask(F) - 1));
}

template <Format F, Domain D> auto signOf(D &d, Bits<D, widthOf(F)> a) {
  return d.andBits(a, fConstant<F>(d, signMask(F)));
}

template <Format F, Domain D> auto isNan(D &d, Bits<D, widthOf(F)> a) {
  return d.lessUnsigned(fConstant<F>(d, infinityBits(F)), magnitude<F>(d, a));
}

/// Denormals to zeros of the same sign.
template <Format F, Domain D>
Bits<D, widthOf(F)> flush(D &d, Bits<D, widthOf(F)> a) {
  auto isSmall =
      d.lessUnsigned(magnitude<F>(d, a), fConstant<F>(d, leastNormalBits(F)));
  return d.select(isSmall, signOf<F>(d, a), a);
}

template <Format F, bool Ftz, Domain D>
Bits<D, widthOf(F)> flushIf(D &d, Bits<D, widthOf(F)> a) {
  if constexpr (Ftz)
    return flush<F>(d, a);
  else
    return a;
}

/// The NaN that an operation on `sources` returns. Of several NaNs in double
/// precision the last counts; callers order the sources as an H200 does.
template <Format F, Domain D, class... V>
Bits<D, widthOf(F)> nanOf(D &d, V... sources) {
  auto nan = fConstant<F>(d, canonicalNan(F));
  if constexpr (F == Format::f64) {
    auto quiet = fConstant<F>(d, std::uint64_t(1) << (fractionBits(F) - 1));
    ((nan = d.select(isNan<F>(d, sources), d.orBits(sources, quiet), nan)),
     ...);
  }
  return nan;
}

/// To [+0, 1]; NaN to +0.
template <Format F, Domain D>
Bits<D, widthOf(F)> saturate(D &d, Bits<D, widthOf(F)> a) {
  auto zero = fConstant<F>(d, 0);
  auto one = fConstant<F>(d, oneBits(F));
  auto isPositive = d.template fLess<F>(zero, a);
  auto isAboveOne = d.template fLess<F>(one, a);
  return d.select(isPositive, d.select(isAboveOne, one, a), zero);
}

/// To at least +0; NaN stays (canonical).
template <Format F, Domain D>
Bits<D, widthOf(F)> relu(D &d, Bits<D, widthOf(F)> a) {
  auto isSigned = d.notBool(d.equal(signOf<F>(d, a), fConstant<F>(d, 0)));
  return d.select(isNan<F>(d, a), fConstant<F>(d, canonicalNan(F)),
                  d.select(isSigned, fConstant<F>(d, 0), a));
}

/// What is done to results.
struct ResultRules {
  bool ftz = false, sat = false, relu = false;
};

template <Format F, ResultRules Rules, Domain D, class... V>
Bits<D, widthOf(F)> finish(D &d, Bits<D, widthOf(F)> result, V... sources) {
  if constexpr (Rules.sat)
    return saturate<F>(d, flushIf<F, Rules.ftz>(d, result));
  else if constexpr (Rules.relu)
    return relu<F>(d, flushIf<F, Rules.ftz>(d, result));
  else
    return d.select(isNan<F>(d, result), nanOf<F>(d, sources...),
                    flushIf<F, Rules.ftz>(d, result));
}

/// A result that is tiny before it is rounded, as zero: the hardware flushes
/// by the exact value, here by that in double precision.
template <Format F, Domain D>
Bits<D, widthOf(F)> flushTiny(D &d, Bits<D, widthOf(F)> result,
                              Bits<D, 64> exact) {
  constexpr Format f64 = Format::f64;
  auto least = d.template fConvert<f64, F>(fConstant<F>(d, leastNormalBits(F)),
                                           Rounding::nearestEven);
  auto isTiny = d.lessUnsigned(magnitude<f64>(d, exact), least);
  return d.select(isTiny, signOf<F>(d, result), result);
}

template <Format F, Domain D> Bits<D, 64> toF64(D &d, Bits<D, widthOf(F)> a) {
  return d.template fConvert<Format::f64, F>(a, Rounding::nearestEven);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <Format F, Rounding R, ResultRules Rules>
struct FAdd : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    a = flushIf<F, Rules.ftz>(d, a);
    b = flushIf<F, Rules.ftz>(d, b);
    return finish<F, Rules>(d, d.template fAdd<F>(a, b, R), a, b);
  }
};

template <Format F, Rounding R, ResultRules Rules>
struct FSub : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    a = flushIf<F, Rules.ftz>(d, a);
    b = flushIf<F, Rules.ftz>(d, b);
    return finish<F, Rules>(d, d.template fSub<F>(a, b, R), a, b);
  }
};

template <Format F, Rounding R, ResultRules Rules>
struct FDiv : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    a = flushIf<F, Rules.ftz>(d, a);
    b = flushIf<F, Rules.ftz>(d, b);
    return finish<F, Rules>(d, d.template fDiv<F>(a, b, R), b, a);
  }
};

template <Format F, Rounding R, ResultRules Rules>
struct FMul : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    a = flushIf<F, Rules.ftz>(d, a);
    b = flushIf<F, Rules.ftz>(d, b);
    auto result = d.template fMul<F>(a, b, R);
    if constexpr (Rules.ftz)
      result = flushTiny<F>(
          d, result,
          d.template fMul<Format::f64>(toF64<F>(d, a), toF64<F>(d, b),
                                       Rounding::nearestEven));
    return finish<F, Rules>(d, result, a, b);
  }
};

template <Format F, Rounding R, ResultRules Rules> struct Fma : Costly {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b,
                                   Bits<D, widthOf(F)> c) {
    a = flushIf<F, Rules.ftz>(d, a);
    b = flushIf<F, Rules.ftz>(d, b);
    c = flushIf<F, Rules.ftz>(d, c);
    auto result = d.template fFma<F>(a, b, c, R);
    if constexpr (Rules.ftz)
      result = flushTiny<F>(
          d, result,
          d.template fFma<Format::f64>(toF64<F>(d, a), toF64<F>(d, b),
                                       toF64<F>(d, c), Rounding::nearestEven));
    return finish<F, Rules>(d, result, a, c, b);
  }
};

/// fma.oob: +0 where a factor is the NaN that tensor copies fill with what is
/// out of bounds. Its bits are those of an H200, the same for f16 and bf16.
template <Format F, class Op> struct FmaOutOfBounds : Costly {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b,
                                   Bits<D, widthOf(F)> c) {
    auto isOutside = [&](Bits<D, widthOf(F)> value) {
      return d.equal(magnitude<F>(d, value), fConstant<F>(d, outOfBoundsNan));
    };
    return d.select(d.orBool(isOutside(a), isOutside(b)), fConstant<F>(d, 0),
                    Op::apply(d, a, b, c));
  }

private:
  static constexpr std::uint64_t outOfBoundsNan = 0x7ff7;
};

/// Arithmetic in single precision on a first source, or a first and a second,
/// of a smaller format: add.f32.f16, fma.rn.f32.bf16.
template <Format From, class Op> struct MixedFirst : Costly {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 16> a, Bits<D, 32> c) {
    return Op::apply(d, widen(d, a), c);
  }
  template <Domain D> static Bits<D, 32> widen(D &d, Bits<D, 16> a) {
    return d.template fConvert<Format::f32, From>(a, Rounding::nearestEven);
  }
};
template <Format From, class Op> struct MixedFactors : Costly {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 16> a, Bits<D, 16> b, Bits<D, 32> c) {
    using Mixed = MixedFirst<From, Op>;
    return Op::apply(d, Mixed::widen(d, a), Mixed::widen(d, b), c);
  }
};

/// div.approx: a divisor above 2^126 gives 0, or NaN for an infinite dividend.
template <bool Ftz> struct FDivApprox {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b) {
    constexpr Format f32 = Format::f32;
    a = flushIf<f32, Ftz>(d, a);
    b = flushIf<f32, Ftz>(d, b);
    auto quotient = d.template fDiv<f32>(a, b, Rounding::nearestEven);
    auto size = magnitude<f32>(d, b);
    auto isLarge = d.andBool(
        d.lessUnsigned(d.template constant<32>(0x7e800000), size),
        d.lessUnsigned(size, d.template constant<32>(infinityBits(f32))));
    auto isInfinite = d.equal(magnitude<f32>(d, a),
                              d.template constant<32>(infinityBits(f32)));
    auto small =
        d.select(isInfinite, d.template constant<32>(canonicalNan(f32)),
                 signOf<f32>(d, d.xorBits(a, b)));
    auto isReplaced = d.andBool(isLarge, d.notBool(isNan<f32>(d, a)));
    return finish<f32, ResultRules{.ftz = Ftz}>(
        d, d.select(isReplaced, small, quotient));
  }
};

/// sqrt, correctly rounded.
template <Format F, Rounding R, ResultRules Rules>
struct FSqrt : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    a = flushIf<F, Rules.ftz>(d, a);
    return finish<F, Rules>(d, d.template fSqrt<F>(a, R), a);
  }
};

/// rcp, correctly rounded.
template <Format F, Rounding R, ResultRules Rules>
struct FRcp : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    a = flushIf<F, Rules.ftz>(d, a);
    auto one = fConstant<F>(d, oneBits(F));
    return finish<F, Rules>(d, d.template fDiv<F>(one, a, R), a);
  }
};

/// The `.approx` functions.
template <Format F, ApproxFunction Function, bool Ftz> struct FApprox : Costly {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    a = flushIf<F, Ftz>(d, a);
    return finish<F, ResultRules{.ftz = Ftz}>(
        d, d.template fApprox<F>(Function, a), a);
  }
};

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: only the upper half of source
/// and result count.
template <ApproxFunction Function> struct FApproxHighWord : Costly {
  template <Domain D> static Bits<D, 64> apply(D &d, Bits<D, 64> a) {
    constexpr Format f64 = Format::f64;
    constexpr std::uint64_t nan = 0x7fffffff00000000;
    auto high = fConstant<f64>(d, 0xffffffff00000000);
    auto source = flush<f64>(d, d.andBits(a, high));
    auto result = flush<f64>(
        d, d.andBits(d.template fApprox<f64>(Function, source), high));
    return d.select(isNan<f64>(d, result), fConstant<f64>(d, nan), result);
  }
};

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

template <Format F, bool Ftz> struct FAbs {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    auto result = magnitude<F>(d, flushIf<F, Ftz>(d, a));
    return d.select(isNan<F>(d, a), nanOf<F>(d, a), result);
  }
};

template <Format F, bool Ftz> struct FNeg {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    auto result =
        d.xorBits(flushIf<F, Ftz>(d, a), fConstant<F>(d, signMask(F)));
    return d.select(isNan<F>(d, a), nanOf<F>(d, a), result);
  }
};

/// The magnitude of `b` with the sign of `a`.
template <Format F> struct Copysign {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    return d.orBits(signOf<F>(d, a), magnitude<F>(d, b));
  }
};

//===----------------------------------------------------------------------===//
// Minimum and maximum. −0 is less than +0; a NaN loses against a number
// unless `.NaN` makes it win.
//===----------------------------------------------------------------------===//

struct MinMaxRules {
  bool isMax = false, ftz = false, nan = false, xorsignAbs = false;
};

template <Format F, MinMaxRules Rules> struct FMinMax {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    a = flushIf<F, Rules.ftz>(d, a);
    b = flushIf<F, Rules.ftz>(d, b);
    auto sign = signOf<F>(d, d.xorBits(a, b));
    if constexpr (Rules.xorsignAbs) {
      a = magnitude<F>(d, a);
      b = magnitude<F>(d, b);
    }
    // Equal operands differ at most in the sign of zero.
    auto isFirst =
        Rules.isMax ? d.template fLess<F>(b, a) : d.template fLess<F>(a, b);
    auto same = Rules.isMax ? d.andBits(a, b) : d.orBits(a, b);
    auto result =
        d.select(d.template fEqual<F>(a, b), same, d.select(isFirst, a, b));
    auto isNanA = isNan<F>(d, a), isNanB = isNan<F>(d, b);
    auto nan = nanOf<F>(d, a, b);
    if constexpr (Rules.nan) {
      result = d.select(d.orBool(isNanA, isNanB), nan, result);
    } else {
      result = d.select(isNanA, b, d.select(isNanB, a, result));
      result = d.select(d.andBool(isNanA, isNanB), nan, result);
    }
    if constexpr (Rules.xorsignAbs)
      result = d.select(isNan<F>(d, result), result, d.orBits(result, sign));
    return result;
  }
};

/// The three-operand form.
template <Format F, MinMaxRules Rules> struct FMinMax3 {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b,
                                   Bits<D, widthOf(F)> c) {
    return FMinMax<F, Rules>::apply(d, FMinMax<F, Rules>::apply(d, a, b), c);
  }
};

//===----------------------------------------------------------------------===//
// testp
//===----------------------------------------------------------------------===//

enum class FloatClass : std::uint8_t {
  finite,
  infinite,
  number,
  notanumber,
  normal,
  subnormal,
};

template <Format F, FloatClass C> struct Testp {
  template <Domain D> static Bool<D> apply(D &d, Bits<D, widthOf(F)> a) {
    using enum FloatClass;
    auto value = magnitude<F>(d, a);
    auto infinity = fConstant<F>(d, infinityBits(F));
    auto leastNormal = fConstant<F>(d, leastNormalBits(F));
    if constexpr (C == finite)
      return d.lessUnsigned(value, infinity);
    else if constexpr (C == infinite)
      return d.equal(value, infinity);
    else if constexpr (C == number)
      return d.notBool(d.lessUnsigned(infinity, value));
    else if constexpr (C == notanumber)
      return d.lessUnsigned(infinity, value);
    else if constexpr (C == normal) // Zeros count as normal.
      return d.andBool(d.lessUnsigned(value, infinity),
                       d.orBool(d.equal(value, fConstant<F>(d, 0)),
                                d.notBool(d.lessUnsigned(value, leastNormal))));
    else
      return d.andBool(d.lessUnsigned(value, leastNormal),
                       d.notBool(d.equal(value, fConstant<F>(d, 0))));
  }
};

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_FLOAT_H
