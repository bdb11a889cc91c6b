// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point arithmetic: PTX ISA 9.0, sections 9.7.3 to 9.7.5.
//
// Results that are NaN are canonical; `.ftz` replaces denormal sources and
// results by zeros of their sign; `.sat` clamps to [0, 1] and turns NaN to 0.

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

template <Format F, Domain D>
Bits<D, widthOf(F)> canonicalize(D &d, Bits<D, widthOf(F)> a) {
  return d.select(isNan<F>(d, a), fConstant<F>(d, canonicalNan(F)), a);
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

template <Format F, ResultRules Rules, Domain D>
Bits<D, widthOf(F)> finish(D &d, Bits<D, widthOf(F)> result) {
  if constexpr (Rules.sat)
    return saturate<F>(d, flushIf<F, Rules.ftz>(d, result));
  else if constexpr (Rules.relu)
    return relu<F>(d, flushIf<F, Rules.ftz>(d, result));
  else
    return canonicalize<F>(d, flushIf<F, Rules.ftz>(d, result));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <Format F, Rounding R, ResultRules Rules>
struct FAdd : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    return finish<F, Rules>(d,
                            d.template fAdd<F>(flushIf<F, Rules.ftz>(d, a),
                                               flushIf<F, Rules.ftz>(d, b), R));
  }
};

template <Format F, Rounding R, ResultRules Rules>
struct FSub : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    return finish<F, Rules>(d,
                            d.template fSub<F>(flushIf<F, Rules.ftz>(d, a),
                                               flushIf<F, Rules.ftz>(d, b), R));
  }
};

template <Format F, Rounding R, ResultRules Rules>
struct FMul : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    return finish<F, Rules>(d,
                            d.template fMul<F>(flushIf<F, Rules.ftz>(d, a),
                                               flushIf<F, Rules.ftz>(d, b), R));
  }
};

template <Format F, Rounding R, ResultRules Rules>
struct FDiv : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b) {
    return finish<F, Rules>(d,
                            d.template fDiv<F>(flushIf<F, Rules.ftz>(d, a),
                                               flushIf<F, Rules.ftz>(d, b), R));
  }
};

template <Format F, Rounding R, ResultRules Rules> struct Fma : Costly {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a,
                                   Bits<D, widthOf(F)> b,
                                   Bits<D, widthOf(F)> c) {
    return finish<F, Rules>(d,
                            d.template fFma<F>(flushIf<F, Rules.ftz>(d, a),
                                               flushIf<F, Rules.ftz>(d, b),
                                               flushIf<F, Rules.ftz>(d, c), R));
  }
};

/// sqrt, and with `Reciprocal` rcp, correctly rounded.
template <Format F, Rounding R, ResultRules Rules>
struct FSqrt : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    return finish<F, Rules>(
        d, d.template fSqrt<F>(flushIf<F, Rules.ftz>(d, a), R));
  }
};

template <Format F, Rounding R, ResultRules Rules>
struct FRcp : CostOfArithmetic<F, R> {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    return finish<F, Rules>(d,
                            d.template fDiv<F>(fConstant<F>(d, oneBits(F)),
                                               flushIf<F, Rules.ftz>(d, a), R));
  }
};

/// The `.approx` functions.
template <Format F, ApproxFunction Function, bool Ftz> struct FApprox : Costly {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    return finish<F, ResultRules{.ftz = Ftz}>(
        d, d.template fApprox<F>(Function, flushIf<F, Ftz>(d, a)));
  }
};

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: only the upper half of source
/// and result count.
template <ApproxFunction Function> struct FApproxHighWord : Costly {
  template <Domain D> static Bits<D, 64> apply(D &d, Bits<D, 64> a) {
    constexpr Format f64 = Format::f64;
    auto high = fConstant<f64>(d, 0xffffffff00000000);
    auto source = flush<f64>(d, d.andBits(a, high));
    auto result = d.template fApprox<f64>(Function, source);
    return finish<f64, ResultRules{.ftz = true}>(d, d.andBits(result, high));
  }
};

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

template <Format F, bool Ftz> struct FAbs {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    return magnitude<F>(d, flushIf<F, Ftz>(d, a));
  }
};

template <Format F, bool Ftz> struct FNeg {
  template <Domain D>
  static Bits<D, widthOf(F)> apply(D &d, Bits<D, widthOf(F)> a) {
    return d.xorBits(flushIf<F, Ftz>(d, a), fConstant<F>(d, signMask(F)));
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
    auto nan = fConstant<F>(d, canonicalNan(F));
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
    else if constexpr (C == normal)
      return d.andBool(d.lessUnsigned(value, infinity),
                       d.notBool(d.lessUnsigned(value, leastNormal)));
    else
      return d.andBool(d.lessUnsigned(value, leastNormal),
                       d.notBool(d.equal(value, fConstant<F>(d, 0))));
  }
};

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_FLOAT_H
