// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setp, set and slct: PTX ISA 9.0, sections 9.7.6 and 9.7.7.

#ifndef TESSERA_PTX_SEMANTICS_COMPARE_H
#define TESSERA_PTX_SEMANTICS_COMPARE_H

#include "ptx/semantics/float.h"
#include "ptx/semantics/integer.h"

namespace tessera::ptx::semantics {

enum class Comparison : std::uint8_t {
  // Ordered: false for NaN.
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  // Unordered: true for NaN.
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  // Whether both are numbers, whether one is none.
  num,
  nan,
};

/// Compares integers; `lo`, `ls`, `hi`, `hs` are `lt` to `ge` unsigned.
template <unsigned N, bool Signed, Comparison C> struct IntegerCompare {
  static constexpr unsigned width = N;
  template <Domain D> static Bool<D> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    if constexpr (C == Comparison::eq)
      return d.equal(a, b);
    else if constexpr (C == Comparison::ne)
      return d.notBool(d.equal(a, b));
    else if constexpr (C == Comparison::lt)
      return less<Signed>(d, a, b);
    else if constexpr (C == Comparison::gt)
      return less<Signed>(d, b, a);
    else if constexpr (C == Comparison::le)
      return d.notBool(less<Signed>(d, b, a));
    else
      return d.notBool(less<Signed>(d, a, b));
  }
};

template <Format F, Comparison C, bool Ftz> struct FloatCompare {
  static constexpr unsigned width = widthOf(F);
  using enum Comparison;

  template <Domain D>
  static Bool<D> apply(D &d, Bits<D, width> a, Bits<D, width> b) {
    a = flushIf<F, Ftz>(d, a);
    b = flushIf<F, Ftz>(d, b);
    if constexpr (C == eq)
      return d.template fEqual<F>(a, b);
    else if constexpr (C == neu)
      return d.notBool(d.template fEqual<F>(a, b));
    else if constexpr (C == lt)
      return d.template fLess<F>(a, b);
    else if constexpr (C == geu)
      return d.notBool(d.template fLess<F>(a, b));
    else if constexpr (C == gt)
      return d.template fLess<F>(b, a);
    else if constexpr (C == leu)
      return d.notBool(d.template fLess<F>(b, a));
    else if constexpr (C == le)
      return d.orBool(d.template fLess<F>(a, b), d.template fEqual<F>(a, b));
    else if constexpr (C == gtu)
      return d.notBool(FloatCompare<F, le, false>::apply(d, a, b));
    else if constexpr (C == ge)
      return d.orBool(d.template fLess<F>(b, a), d.template fEqual<F>(a, b));
    else if constexpr (C == ltu)
      return d.notBool(FloatCompare<F, ge, false>::apply(d, a, b));
    else if constexpr (C == ne)
      return d.orBool(d.template fLess<F>(a, b), d.template fLess<F>(b, a));
    else if constexpr (C == equ)
      return d.notBool(FloatCompare<F, ne, false>::apply(d, a, b));
    else if constexpr (C == nan)
      return d.orBool(isNan<F>(d, a), isNan<F>(d, b));
    else
      return d.notBool(d.orBool(isNan<F>(d, a), isNan<F>(d, b)));
  }
};

enum class BooleanOp : std::uint8_t { and_, or_, xor_ };

template <BooleanOp Op, Domain D> Bool<D> combine(D &d, Bool<D> a, Bool<D> b) {
  if constexpr (Op == BooleanOp::and_)
    return d.andBool(a, b);
  else if constexpr (Op == BooleanOp::or_)
    return d.orBool(a, b);
  else
    return d.xorBool(a, b);
}

/// setp: the comparison and its complement.
template <class Compare> struct Setp {
  template <Domain D>
  static Two<Bool<D>, Bool<D>> apply(D &d, Bits<D, Compare::width> a,
                                     Bits<D, Compare::width> b) {
    auto result = Compare::apply(d, a, b);
    return {result, d.notBool(result)};
  }
};

/// setp with a combination: of both results with `c`.
template <class Compare, BooleanOp Op> struct SetpCombined {
  template <Domain D>
  static Two<Bool<D>, Bool<D>> apply(D &d, Bits<D, Compare::width> a,
                                     Bits<D, Compare::width> b, Bool<D> c) {
    auto result = Compare::apply(d, a, b);
    return {combine<Op>(d, result, c), combine<Op>(d, d.notBool(result), c)};
  }
};

/// setp on f16 or bf16, which has no second result.
template <class Compare, BooleanOp Op> struct CompareCombined {
  template <Domain D>
  static Bool<D> apply(D &d, Bits<D, Compare::width> a,
                       Bits<D, Compare::width> b, Bool<D> c) {
    return combine<Op>(d, Compare::apply(d, a, b), c);
  }
};

/// setp on f16x2 or bf16x2: a result for each half, the low one first.
template <class Compare> struct SetpPacked {
  template <Domain D>
  static Two<Bool<D>, Bool<D>> apply(D &d, Bits<D, 32> a, Bits<D, 32> b) {
    auto sixteen = d.template constant<32>(16);
    auto low = Compare::apply(d, d.template truncate<16>(a),
                              d.template truncate<16>(b));
    auto high = Compare::apply(d, d.template truncate<16>(d.lshr(a, sixteen)),
                               d.template truncate<16>(d.lshr(b, sixteen)));
    return {low, high};
  }
};

template <class Compare, BooleanOp Op> struct SetpPackedCombined {
  template <Domain D>
  static Two<Bool<D>, Bool<D>> apply(D &d, Bits<D, 32> a, Bits<D, 32> b,
                                     Bool<D> c) {
    auto both = SetpPacked<Compare>::apply(d, a, b);
    return {combine<Op>(d, both.first, c), combine<Op>(d, both.second, c)};
  }
};

/// set: `True` where the comparison holds, 0 elsewhere.
template <class Compare, unsigned N, std::uint64_t True> struct Set {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, Compare::width> a,
                          Bits<D, Compare::width> b) {
    return d.select(Compare::apply(d, a, b), d.template constant<N>(True),
                    d.template constant<N>(0));
  }
};

template <class Compare, BooleanOp Op, unsigned N, std::uint64_t True>
struct SetCombined {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, Compare::width> a,
                          Bits<D, Compare::width> b, Bool<D> c) {
    return d.select(combine<Op>(d, Compare::apply(d, a, b), c),
                    d.template constant<N>(True), d.template constant<N>(0));
  }
};

/// set of packed numbers with a combination: of the result of each half with
/// `c`.
template <class Compare, BooleanOp Op, std::uint64_t True>
struct SetPackedCombined {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b, Bool<D> c) {
    auto both = SetpPackedCombined<Compare, Op>::apply(d, a, b, c);
    auto zero = d.template constant<32>(0);
    return d.orBits(
        d.select(both.first, d.template constant<32>(True), zero),
        d.select(both.second, d.template constant<32>(True << 16), zero));
  }
};

/// slct.type.f32: `a` where `c` is at least 0 (either zero), else `b`; NaN
/// selects `b`.
template <unsigned N, bool Ftz> struct SlctFloat {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b, Bits<D, 32> c) {
    auto zero = d.template constant<32>(0);
    auto isAtLeastZero =
        FloatCompare<Format::f32, Comparison::ge, Ftz>::apply(d, c, zero);
    return d.select(isAtLeastZero, a, b);
  }
};

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_COMPARE_H
