// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic: PTX ISA 9.0, sections 9.7.1 and 9.7.2.

#ifndef TESSERA_PTX_SEMANTICS_INTEGER_H
#define TESSERA_PTX_SEMANTICS_INTEGER_H

#include "ptx/semantics/domain.h"

namespace tessera::ptx::semantics {

template <bool Signed, Domain D, class V> auto less(D &d, V a, V b) {
  if constexpr (Signed)
    return d.lessSigned(a, b);
  else
    return d.lessUnsigned(a, b);
}

template <unsigned To, bool Signed, Domain D, class V> auto extend(D &d, V a) {
  if constexpr (Signed)
    return d.template signExtend<To>(a);
  else
    return d.template zeroExtend<To>(a);
}

template <unsigned N, Domain D> auto isNegative(D &d, Bits<D, N> a) {
  return d.lessSigned(a, d.template constant<N>(0));
}

template <unsigned N, Domain D> auto negate(D &d, Bits<D, N> a) {
  return d.sub(d.template constant<N>(0), a);
}

template <unsigned N> struct Add {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return d.add(a, b);
  }
};

template <unsigned N> struct Sub {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return d.sub(a, b);
  }
};

/// The clamped value where an addition or subtraction went past the range:
/// all the same sign as `a`.
template <unsigned N, Domain D>
Bits<D, N> saturateOverflow(D &d, Bool<D> overflow, Bits<D, N> a,
                            Bits<D, N> wrapped) {
  auto limit =
      d.select(isNegative<N>(d, a), d.template constant<N>(least(N, true)),
               d.template constant<N>(greatest(N, true)));
  return d.select(overflow, limit, wrapped);
}

template <unsigned N, Domain D>
Bits<D, N> addSaturate(D &d, Bits<D, N> a, Bits<D, N> b) {
  auto sum = d.add(a, b);
  auto overflow =
      isNegative<N>(d, d.andBits(d.xorBits(a, sum), d.xorBits(b, sum)));
  return saturateOverflow<N>(d, overflow, a, sum);
}

template <unsigned N> struct AddSat {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return addSaturate<N>(d, a, b);
  }
};

template <unsigned N> struct SubSat {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    auto difference = d.sub(a, b);
    auto overflow =
        isNegative<N>(d, d.andBits(d.xorBits(a, b), d.xorBits(a, difference)));
    return saturateOverflow<N>(d, overflow, a, difference);
  }
};

//===----------------------------------------------------------------------===//
// Extended precision. CC.CF is the carry of an addition and the borrow of a
// subtraction.
//===----------------------------------------------------------------------===//

template <unsigned N, Domain D>
Two<Bits<D, N>, Bool<D>> addWithCarry(D &d, Bits<D, N> a, Bits<D, N> b,
                                      Bool<D> carry) {
  auto sum = d.add(a, b);
  auto one =
      d.select(carry, d.template constant<N>(1), d.template constant<N>(0));
  auto total = d.add(sum, one);
  return {total, d.orBool(d.lessUnsigned(sum, a), d.lessUnsigned(total, sum))};
}

template <unsigned N, Domain D>
Two<Bits<D, N>, Bool<D>> subWithBorrow(D &d, Bits<D, N> a, Bits<D, N> b,
                                       Bool<D> borrow) {
  auto difference = d.sub(a, b);
  auto one =
      d.select(borrow, d.template constant<N>(1), d.template constant<N>(0));
  auto total = d.sub(difference, one);
  return {total,
          d.orBool(d.lessUnsigned(a, b), d.lessUnsigned(difference, one))};
}

template <unsigned N> struct AddCc : WritesCarry {
  template <Domain D>
  static Two<Bits<D, N>, Bool<D>> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return addWithCarry<N>(d, a, b, d.boolean(false));
  }
};

template <unsigned N> struct AddC : ReadsCarry {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b, Bool<D> carry) {
    return addWithCarry<N>(d, a, b, carry).first;
  }
};

template <unsigned N> struct AddCCc : ReadsCarry, WritesCarry {
  template <Domain D>
  static Two<Bits<D, N>, Bool<D>> apply(D &d, Bits<D, N> a, Bits<D, N> b,
                                        Bool<D> carry) {
    return addWithCarry<N>(d, a, b, carry);
  }
};

template <unsigned N> struct SubCc : WritesCarry {
  template <Domain D>
  static Two<Bits<D, N>, Bool<D>> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return subWithBorrow<N>(d, a, b, d.boolean(false));
  }
};

template <unsigned N> struct SubC : ReadsCarry {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b, Bool<D> borrow) {
    return subWithBorrow<N>(d, a, b, borrow).first;
  }
};

template <unsigned N> struct SubCCc : ReadsCarry, WritesCarry {
  template <Domain D>
  static Two<Bits<D, N>, Bool<D>> apply(D &d, Bits<D, N> a, Bits<D, N> b,
                                        Bool<D> borrow) {
    return subWithBorrow<N>(d, a, b, borrow);
  }
};

//===----------------------------------------------------------------------===//
// Multiplication
//===----------------------------------------------------------------------===//

enum class Half : std::uint8_t { lo, hi };

template <unsigned N, Half H, bool Signed, Domain D>
Bits<D, N> multiply(D &d, Bits<D, N> a, Bits<D, N> b) {
  if constexpr (H == Half::lo)
    return d.mul(a, b);
  else if constexpr (Signed)
    return d.mulHighSigned(a, b);
  else
    return d.mulHighUnsigned(a, b);
}

template <unsigned N, Half H, bool Signed> struct Mul {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return multiply<N, H, Signed>(d, a, b);
  }
};

template <unsigned N, bool Signed> struct MulWide {
  template <Domain D>
  static Bits<D, 2 * N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return d.mul(extend<2 * N, Signed>(d, a), extend<2 * N, Signed>(d, b));
  }
};

template <unsigned N, Half H, bool Signed> struct Mad {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b, Bits<D, N> c) {
    return d.add(multiply<N, H, Signed>(d, a, b), c);
  }
};

template <unsigned N, bool Signed> struct MadWide {
  template <Domain D>
  static Bits<D, 2 * N> apply(D &d, Bits<D, N> a, Bits<D, N> b,
                              Bits<D, 2 * N> c) {
    return d.add(MulWide<N, Signed>::apply(d, a, b), c);
  }
};

/// mad.hi.sat.s32
struct MadHiSat {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b, Bits<D, 32> c) {
    return addSaturate<32>(d, d.mulHighSigned(a, b), c);
  }
};

template <unsigned N, Half H, bool Signed> struct MadCc : WritesCarry {
  template <Domain D>
  static Two<Bits<D, N>, Bool<D>> apply(D &d, Bits<D, N> a, Bits<D, N> b,
                                        Bits<D, N> c) {
    return addWithCarry<N>(d, multiply<N, H, Signed>(d, a, b), c,
                           d.boolean(false));
  }
};

template <unsigned N, Half H, bool Signed> struct MadC : ReadsCarry {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b, Bits<D, N> c,
                          Bool<D> carry) {
    return addWithCarry<N>(d, multiply<N, H, Signed>(d, a, b), c, carry).first;
  }
};

template <unsigned N, Half H, bool Signed>
struct MadCCc : ReadsCarry, WritesCarry {
  template <Domain D>
  static Two<Bits<D, N>, Bool<D>> apply(D &d, Bits<D, N> a, Bits<D, N> b,
                                        Bits<D, N> c, Bool<D> carry) {
    return addWithCarry<N>(d, multiply<N, H, Signed>(d, a, b), c, carry);
  }
};

/// The product of the low 24 bits: its low or its high 32 of 48 bits.
template <Half H, bool Signed, Domain D>
Bits<D, 32> multiply24(D &d, Bits<D, 32> a, Bits<D, 32> b) {
  auto eight = d.template constant<32>(8);
  auto cut = [&](Bits<D, 32> value) {
    auto high = d.shl(value, eight);
    if constexpr (Signed)
      return d.template signExtend<64>(d.ashr(high, eight));
    else
      return d.template zeroExtend<64>(d.lshr(high, eight));
  };
  auto product = d.mul(cut(a), cut(b));
  if constexpr (H == Half::hi)
    product = d.lshr(product, d.template constant<64>(16));
  return d.template truncate<32>(product);
}

template <Half H, bool Signed> struct Mul24 {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b) {
    return multiply24<H, Signed>(d, a, b);
  }
};

template <Half H, bool Signed> struct Mad24 {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b, Bits<D, 32> c) {
    return d.add(multiply24<H, Signed>(d, a, b), c);
  }
};

struct Mad24HiSat {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b, Bits<D, 32> c) {
    return addSaturate<32>(d, multiply24<Half::hi, true>(d, a, b), c);
  }
};

//===----------------------------------------------------------------------===//
// Division. PTX leaves division by zero open; the hardware returns all ones
// for quotient and remainder (H200).
//===----------------------------------------------------------------------===//

template <unsigned N, bool Signed> struct Div {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    auto one = d.template constant<N>(1);
    auto ones = d.template constant<N>(~std::uint64_t(0));
    auto isZero = d.equal(b, d.template constant<N>(0));
    if constexpr (!Signed) {
      return d.select(isZero, ones, d.divUnsigned(a, d.select(isZero, one, b)));
    } else {
      auto isMinusOne = d.equal(b, ones);
      auto divisor = d.select(d.orBool(isZero, isMinusOne), one, b);
      auto quotient = d.divSigned(a, divisor);
      return d.select(isZero, ones,
                      d.select(isMinusOne, negate<N>(d, a), quotient));
    }
  }
};

template <unsigned N, bool Signed> struct Rem {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    auto one = d.template constant<N>(1);
    auto ones = d.template constant<N>(~std::uint64_t(0));
    auto isZero = d.equal(b, d.template constant<N>(0));
    if constexpr (!Signed)
      return d.select(isZero, ones, d.remUnsigned(a, d.select(isZero, one, b)));
    auto divisor = d.select(d.orBool(isZero, d.equal(b, ones)), one, b);
    return d.select(isZero, ones, d.remSigned(a, divisor));
  }
};

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

template <unsigned N> struct Abs {
  template <Domain D> static Bits<D, N> apply(D &d, Bits<D, N> a) {
    return d.select(isNegative<N>(d, a), negate<N>(d, a), a);
  }
};

template <unsigned N> struct Neg {
  template <Domain D> static Bits<D, N> apply(D &d, Bits<D, N> a) {
    return negate<N>(d, a);
  }
};

template <unsigned N, bool Signed> struct Min {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return d.select(less<Signed>(d, b, a), b, a);
  }
};

template <unsigned N, bool Signed> struct Max {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return d.select(less<Signed>(d, a, b), b, a);
  }
};

/// `.relu`: negative results become 0.
template <unsigned N, class Op> struct IntegerRelu {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    auto result = Op::apply(d, a, b);
    return d.select(isNegative<N>(d, result), d.template constant<N>(0),
                    result);
  }
};

template <unsigned N, bool Signed> struct Sad {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b, Bits<D, N> c) {
    auto difference = d.select(less<Signed>(d, a, b), d.sub(b, a), d.sub(a, b));
    return d.add(c, difference);
  }
};

/// dp4a, dp2a: sums of products of bytes. `Width` is that of the elements of
/// `a`; `b`'s are bytes from bit `Shift` on.
template <unsigned Width, unsigned Shift, bool SignedA, bool SignedB>
struct DotProduct {
  template <bool Signed, unsigned W, Domain D>
  static Bits<D, 32> element(D &d, Bits<D, 32> value, unsigned at) {
    auto shifted = d.lshr(value, d.template constant<32>(at));
    return extend<32, Signed>(d, d.template truncate<W>(shifted));
  }

  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b, Bits<D, 32> c) {
    for (unsigned i = 0; i < 32 / Width; ++i)
      c = d.add(c, d.mul(element<SignedA, Width>(d, a, Width * i),
                         element<SignedB, 8>(d, b, Shift + 8 * i)));
    return c;
  }
};

/// Of a base of operations that are as costly as others.
template <class Op> struct CostOf {
  static constexpr bool isCostly = [] {
    if constexpr (requires { Op::isCostly; })
      return Op::isCostly;
    return false;
  }();
};

/// An operation on the halves of a 32-bit register.
template <class Op> struct Packed {
  template <Domain D, class... Sources>
  static Bits<D, 32> eachHalf(D &d, Sources... sources) {
    auto sixteen = d.template constant<32>(16);
    auto low = Op::apply(d, d.template truncate<16>(sources)...);
    auto high =
        Op::apply(d, d.template truncate<16>(d.lshr(sources, sixteen))...);
    return d.orBits(d.template zeroExtend<32>(low),
                    d.shl(d.template zeroExtend<32>(high), sixteen));
  }
};

template <class Op> struct Packed1 : CostOf<Op> {
  template <Domain D> static Bits<D, 32> apply(D &d, Bits<D, 32> a) {
    return Packed<Op>::eachHalf(d, a);
  }
};
template <class Op> struct Packed2 : CostOf<Op> {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b) {
    return Packed<Op>::eachHalf(d, a, b);
  }
};
template <class Op> struct Packed3 : CostOf<Op> {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b, Bits<D, 32> c) {
    return Packed<Op>::eachHalf(d, a, b, c);
  }
};

/// An operation on the halves of a 64-bit register: `.f32x2`.
template <class Op> struct PackedWide {
  template <Domain D, class... Sources>
  static Bits<D, 64> eachHalf(D &d, Sources... sources) {
    auto half = d.template constant<64>(32);
    auto low = Op::apply(d, d.template truncate<32>(sources)...);
    auto high = Op::apply(d, d.template truncate<32>(d.lshr(sources, half))...);
    return d.orBits(d.template zeroExtend<64>(low),
                    d.shl(d.template zeroExtend<64>(high), half));
  }
};

template <class Op> struct PackedWide2 : CostOf<Op> {
  template <Domain D>
  static Bits<D, 64> apply(D &d, Bits<D, 64> a, Bits<D, 64> b) {
    return PackedWide<Op>::eachHalf(d, a, b);
  }
};
template <class Op> struct PackedWide3 : CostOf<Op> {
  template <Domain D>
  static Bits<D, 64> apply(D &d, Bits<D, 64> a, Bits<D, 64> b, Bits<D, 64> c) {
    return PackedWide<Op>::eachHalf(d, a, b, c);
  }
};

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_INTEGER_H
