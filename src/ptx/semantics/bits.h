// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logic, shifts and bit fields: PTX ISA 9.0, sections 9.7.1 and 9.7.8; mov.

#ifndef TESSERA_PTX_SEMANTICS_BITS_H
#define TESSERA_PTX_SEMANTICS_BITS_H

#include "ptx/semantics/integer.h"

namespace tessera::ptx::semantics {

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

template <unsigned N> struct And {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return d.andBits(a, b);
  }
};
template <unsigned N> struct Or {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return d.orBits(a, b);
  }
};
template <unsigned N> struct Xor {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b) {
    return d.xorBits(a, b);
  }
};
template <unsigned N> struct Not {
  template <Domain D> static Bits<D, N> apply(D &d, Bits<D, N> a) {
    return d.notBits(a);
  }
};
template <unsigned N> struct CNot {
  template <Domain D> static Bits<D, N> apply(D &d, Bits<D, N> a) {
    auto zero = d.template constant<N>(0);
    return d.select(d.equal(a, zero), d.template constant<N>(1), zero);
  }
};

struct AndPred {
  template <Domain D> static Bool<D> apply(D &d, Bool<D> a, Bool<D> b) {
    return d.andBool(a, b);
  }
};
struct OrPred {
  template <Domain D> static Bool<D> apply(D &d, Bool<D> a, Bool<D> b) {
    return d.orBool(a, b);
  }
};
struct XorPred {
  template <Domain D> static Bool<D> apply(D &d, Bool<D> a, Bool<D> b) {
    return d.xorBool(a, b);
  }
};
struct NotPred {
  template <Domain D> static Bool<D> apply(D &d, Bool<D> a) {
    return d.notBool(a);
  }
};

/// Bit `4a + 2b + c` of the table, for each bit.
template <Domain D>
Bits<D, 32> lookUp3(D &d, Bits<D, 32> a, Bits<D, 32> b, Bits<D, 32> c,
                    Bits<D, 32> table) {
  auto zero = d.template constant<32>(0);
  auto result = zero;
  for (unsigned i = 0; i < 8; ++i) {
    auto minterm =
        d.andBits(d.andBits(i & 4 ? a : d.notBits(a), i & 2 ? b : d.notBits(b)),
                  i & 1 ? c : d.notBits(c));
    auto bit = d.andBits(d.lshr(table, d.template constant<32>(i)),
                         d.template constant<32>(1));
    result = d.orBits(result, d.andBits(minterm, d.sub(zero, bit)));
  }
  return result;
}

struct Lop3 {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b, Bits<D, 32> c,
                           Bits<D, 32> table) {
    return lookUp3(d, a, b, c, table);
  }
};

/// lop3.and, lop3.or: also whether the result is not 0, combined with `q`.
template <bool IsAnd> struct Lop3Pred {
  template <Domain D>
  static Two<Bits<D, 32>, Bool<D>> apply(D &d, Bits<D, 32> a, Bits<D, 32> b,
                                         Bits<D, 32> c, Bits<D, 32> table,
                                         Bool<D> q) {
    auto result = lookUp3(d, a, b, c, table);
    auto nonZero = d.notBool(d.equal(result, d.template constant<32>(0)));
    return {result, IsAnd ? d.andBool(nonZero, q) : d.orBool(nonZero, q)};
  }
};

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// A shift amount as a value of width N, less than N; amounts past the width
/// count as `N - 1`.
template <unsigned N, Domain D>
Bits<D, N> clampAmount(D &d, Bits<D, 32> amount) {
  auto last = d.template constant<32>(N - 1);
  auto clamped = d.select(d.lessUnsigned(amount, last), amount, last);
  if constexpr (N == 32)
    return clamped;
  else if constexpr (N < 32)
    return d.template truncate<N>(clamped);
  else
    return d.template zeroExtend<N>(clamped);
}

template <Domain D> Bool<D> isPast(D &d, Bits<D, 32> amount, unsigned width) {
  return d.notBool(d.lessUnsigned(amount, d.template constant<32>(width)));
}

template <unsigned N, Domain D>
Bits<D, N> shiftLeft(D &d, Bits<D, N> a, Bits<D, 32> amount) {
  return d.select(isPast(d, amount, N), d.template constant<N>(0),
                  d.shl(a, clampAmount<N>(d, amount)));
}

template <unsigned N, bool Signed, Domain D>
Bits<D, N> shiftRight(D &d, Bits<D, N> a, Bits<D, 32> amount) {
  if constexpr (Signed)
    return d.ashr(a, clampAmount<N>(d, amount));
  else
    return d.select(isPast(d, amount, N), d.template constant<N>(0),
                    d.lshr(a, clampAmount<N>(d, amount)));
}

template <unsigned N> struct Shl {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, 32> amount) {
    return shiftLeft<N>(d, a, amount);
  }
};

template <unsigned N, bool Signed> struct Shr {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, 32> amount) {
    return shiftRight<N, Signed>(d, a, amount);
  }
};

/// shf: a part of the 64 bits `b:a`.
template <bool Left, bool Wrap> struct Shf {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b,
                           Bits<D, 32> amount) {
    auto width = d.template constant<32>(32);
    auto count = Wrap ? d.andBits(amount, d.template constant<32>(31))
                      : d.select(d.lessUnsigned(amount, width), amount, width);
    auto thirtyTwo = d.template constant<64>(32);
    auto both = d.orBits(d.shl(d.template zeroExtend<64>(b), thirtyTwo),
                         d.template zeroExtend<64>(a));
    auto wide = d.template zeroExtend<64>(count);
    if constexpr (Left)
      return d.template truncate<32>(d.lshr(d.shl(both, wide), thirtyTwo));
    else
      return d.template truncate<32>(d.lshr(both, wide));
  }
};

//===----------------------------------------------------------------------===//
// Bit fields
//===----------------------------------------------------------------------===//

template <Domain D> Bits<D, 32> lowByte(D &d, Bits<D, 32> a) {
  return d.andBits(a, d.template constant<32>(255));
}

/// A position or length: the low byte counts. At 64 bits the hardware does not
/// cut it (H200).
template <unsigned N, Domain D> Bits<D, 32> fieldBound(D &d, Bits<D, 32> a) {
  return N == 64 ? a : lowByte(d, a);
}

/// Ones in the low `count` places; all ones from N on.
template <unsigned N, Domain D> Bits<D, N> lowMask(D &d, Bits<D, 32> count) {
  auto one = d.template constant<N>(1);
  return d.sub(shiftLeft<N>(d, one, count), one);
}

template <unsigned N, bool Signed> struct Bfe {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, 32> b, Bits<D, 32> c) {
    auto position = fieldBound<N>(d, b);
    auto length = fieldBound<N>(d, c);
    auto mask = lowMask<N>(d, length);
    auto field = d.andBits(shiftRight<N, false>(d, a, position), mask);
    if constexpr (!Signed)
      return field;
    // The sign is bit min(position + length - 1, N - 1), or 0 for no length.
    auto last = d.template constant<32>(N - 1);
    auto end = d.sub(d.add(position, length), d.template constant<32>(1));
    auto signAt = d.select(d.lessUnsigned(end, last), end, last);
    auto zero = d.template constant<N>(0);
    auto sign = d.andBits(shiftRight<N, false>(d, a, signAt),
                          d.template constant<N>(1));
    auto isFilled =
        d.andBool(d.notBool(d.equal(sign, zero)),
                  d.notBool(d.equal(length, d.template constant<32>(0))));
    // Places past the top of the operand are the sign as well.
    auto available = shiftRight<N, false>(
        d, d.template constant<N>(~std::uint64_t(0)), position);
    auto kept = d.andBits(mask, available);
    return d.orBits(field, d.select(isFilled, d.notBits(kept), zero));
  }
};

template <unsigned N> struct Bfi {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b, Bits<D, 32> c,
                          Bits<D, 32> e) {
    auto position = fieldBound<N>(d, c);
    auto mask = shiftLeft<N>(d, lowMask<N>(d, fieldBound<N>(d, e)), position);
    return d.orBits(d.andBits(shiftLeft<N>(d, a, position), mask),
                    d.andBits(b, d.notBits(mask)));
  }
};

template <unsigned N, Domain D> Bits<D, 32> toWord(D &d, Bits<D, N> a) {
  if constexpr (N == 32)
    return a;
  else
    return d.template truncate<32>(a);
}

/// The place of the most significant bit that is not the sign; all ones when
/// there is none. `.shiftamt` counts from the top.
template <unsigned N, bool Signed, bool ShiftAmount> struct Bfind {
  template <Domain D> static Bits<D, 32> apply(D &d, Bits<D, N> a) {
    if constexpr (Signed)
      a = d.select(isNegative<N>(d, a), d.notBits(a), a);
    auto zeros = toWord<N>(d, d.leadingZeros(a));
    auto place =
        ShiftAmount ? zeros : d.sub(d.template constant<32>(N - 1), zeros);
    return d.select(d.equal(a, d.template constant<N>(0)),
                    d.template constant<32>(~std::uint64_t(0)), place);
  }
};

template <unsigned N> struct Popc {
  template <Domain D> static Bits<D, 32> apply(D &d, Bits<D, N> a) {
    return toWord<N>(d, d.popCount(a));
  }
};
template <unsigned N> struct Clz {
  template <Domain D> static Bits<D, 32> apply(D &d, Bits<D, N> a) {
    return toWord<N>(d, d.leadingZeros(a));
  }
};
template <unsigned N> struct Brev {
  template <Domain D> static Bits<D, N> apply(D &d, Bits<D, N> a) {
    return d.reverseBits(a);
  }
};

/// The offset-th set bit of `mask` from `base` on, upwards or downwards.
struct Fns {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> mask, Bits<D, 32> base,
                           Bits<D, 32> offset) {
    auto word = [&](std::uint64_t value) {
      return d.template constant<32>(value);
    };
    auto none = word(~std::uint64_t(0));
    auto isDown = isNegative<32>(d, offset);
    auto isSame = d.equal(offset, word(0));
    auto isInside = d.lessUnsigned(base, word(32));
    auto wanted = d.select(isDown, negate<32>(d, offset), offset);
    auto result = none;
    // A bit is the one when as many set bits lie between base and it.
    for (unsigned i = 0; i < 32; ++i) {
      auto at = word(i);
      auto fromBase = d.notBool(d.lessUnsigned(at, base));
      auto toBase = d.notBool(d.lessUnsigned(base, at));
      auto inRange = d.select(isDown, toBase, fromBase);
      auto lower = d.select(isDown, at, base);
      auto upper = d.select(isDown, base, at);
      auto between =
          d.andBits(mask, d.andBits(d.notBits(lowMask<32>(d, lower)),
                                    lowMask<32>(d, d.add(upper, word(1)))));
      auto isSet = d.notBool(
          d.equal(d.andBits(mask, word(std::uint64_t(1) << i)), word(0)));
      auto isCounted = d.equal(d.popCount(between), wanted);
      auto isHere =
          d.select(isSame, d.equal(at, base), d.andBool(inRange, isCounted));
      result =
          d.select(d.andBool(isInside, d.andBool(isSet, isHere)), at, result);
    }
    return result;
  }
};

/// bmsk: ones in `length` places from `position` on.
template <bool Wrap> struct Bmsk {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> position, Bits<D, 32> length) {
    if constexpr (Wrap) {
      auto last = d.template constant<32>(31);
      position = d.andBits(position, last);
      length = d.andBits(length, last);
    }
    return shiftLeft<32>(d, lowMask<32>(d, length), position);
  }
};

/// szext: the low `count` bits, extended.
template <bool Signed, bool Wrap> struct Szext {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> count) {
    if constexpr (Wrap)
      count = d.andBits(count, d.template constant<32>(31));
    auto mask = lowMask<32>(d, count);
    auto field = d.andBits(a, mask);
    if constexpr (!Signed)
      return field;
    auto zero = d.template constant<32>(0);
    auto top = d.sub(count, d.template constant<32>(1));
    auto sign = d.andBits(shiftRight<32, false>(d, field, top),
                          d.template constant<32>(1));
    auto isFilled = d.andBool(d.notBool(d.equal(sign, zero)),
                              d.notBool(d.equal(count, zero)));
    return d.select(isFilled, d.orBits(field, d.notBits(mask)), field);
  }
};

//===----------------------------------------------------------------------===//
// prmt
//===----------------------------------------------------------------------===//

enum class PermuteMode : std::uint8_t { any, f4e, b4e, rc8, ecl, ecr, rc16 };

/// Byte `index` (0 to 7) of `b:a`, as a 32-bit value.
template <Domain D>
Bits<D, 32> byteAt(D &d, Bits<D, 64> both, Bits<D, 32> index) {
  auto shift = d.shl(index, d.template constant<32>(3));
  auto shifted = d.lshr(both, d.template zeroExtend<64>(shift));
  return lowByte(d, d.template truncate<32>(shifted));
}

/// The byte that place `i` of the result takes, by mode and low selector bits.
template <PermuteMode Mode, Domain D>
Bits<D, 32> byteIndex(D &d, Bits<D, 32> selector, unsigned i) {
  auto word = [&](unsigned value) { return d.template constant<32>(value); };
  auto low = d.andBits(selector, word(3));
  if constexpr (Mode == PermuteMode::f4e)
    return d.add(low, word(i));
  else if constexpr (Mode == PermuteMode::b4e)
    return d.andBits(d.sub(low, word(i)), word(7));
  else if constexpr (Mode == PermuteMode::rc8)
    return low;
  else if constexpr (Mode == PermuteMode::ecl)
    return d.select(d.lessUnsigned(low, word(i)), word(i), low);
  else if constexpr (Mode == PermuteMode::ecr)
    return d.select(d.lessUnsigned(word(i), low), word(i), low);
  else
    return d.add(d.andBits(d.shl(low, word(1)), word(2)), word(i & 1));
}

template <PermuteMode Mode> struct Prmt {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 32> a, Bits<D, 32> b, Bits<D, 32> c) {
    auto word = [&](unsigned value) { return d.template constant<32>(value); };
    auto both = d.orBits(
        d.shl(d.template zeroExtend<64>(b), d.template constant<64>(32)),
        d.template zeroExtend<64>(a));
    auto result = word(0);
    for (unsigned i = 0; i < 4; ++i) {
      Bits<D, 32> byte = word(0);
      if constexpr (Mode == PermuteMode::any) {
        auto nibble = d.lshr(c, word(4 * i));
        byte = byteAt(d, both, d.andBits(nibble, word(7)));
        // Bit 3 replaces the byte by eight copies of its sign.
        auto sign = d.sub(word(0), d.lshr(byte, word(7)));
        auto isSign = d.equal(d.andBits(nibble, word(8)), word(8));
        byte = d.select(isSign, lowByte(d, sign), byte);
      } else {
        byte = byteAt(d, both, byteIndex<Mode>(d, c, i));
      }
      result = d.orBits(result, d.shl(byte, word(8 * i)));
    }
    return result;
  }
};

//===----------------------------------------------------------------------===//
// mov and selection
//===----------------------------------------------------------------------===//

template <unsigned N> struct Mov {
  template <Domain D> static Bits<D, N> apply(D &, Bits<D, N> a) { return a; }
};
struct MovPred {
  template <Domain D> static Bool<D> apply(D &, Bool<D> a) { return a; }
};

/// mov.b32 d, {lo, hi} and the like.
template <unsigned N> struct Pack2 {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N / 2> low, Bits<D, N / 2> high) {
    return d.orBits(
        d.template zeroExtend<N>(low),
        d.shl(d.template zeroExtend<N>(high), d.template constant<N>(N / 2)));
  }
};

template <unsigned N> struct Unpack2 {
  template <Domain D>
  static Two<Bits<D, N / 2>, Bits<D, N / 2>> apply(D &d, Bits<D, N> a) {
    return {
        d.template truncate<N / 2>(a),
        d.template truncate<N / 2>(d.lshr(a, d.template constant<N>(N / 2)))};
  }
};

template <unsigned N> struct Pack4 {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N / 4> a, Bits<D, N / 4> b,
                          Bits<D, N / 4> c, Bits<D, N / 4> e) {
    return Pack2<N>::apply(d, Pack2<N / 2>::apply(d, a, b),
                           Pack2<N / 2>::apply(d, c, e));
  }
};

/// Four results.
template <class V> struct Four {
  V first, second, third, fourth;
};

template <unsigned N> struct Unpack4 {
  template <Domain D> static Four<Bits<D, N / 4>> apply(D &d, Bits<D, N> a) {
    auto halves = Unpack2<N>::apply(d, a);
    auto low = Unpack2<N / 2>::apply(d, halves.first);
    auto high = Unpack2<N / 2>::apply(d, halves.second);
    return {low.first, low.second, high.first, high.second};
  }
};

template <unsigned N> struct Selp {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b, Bool<D> p) {
    return d.select(p, a, b);
  }
};

/// slct.type.s32
template <unsigned N> struct SlctInt {
  template <Domain D>
  static Bits<D, N> apply(D &d, Bits<D, N> a, Bits<D, N> b, Bits<D, 32> c) {
    return d.select(isNegative<32>(d, c), b, a);
  }
};

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_BITS_H
