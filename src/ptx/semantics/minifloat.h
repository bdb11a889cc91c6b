// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cvt from and to the formats of 8, 6 and 4 bits: PTX ISA 9.0, section 9.7.9
// (conversions) and 5.2.3 (alternate floating-point formats).

#ifndef TESSERA_PTX_SEMANTICS_MINIFLOAT_H
#define TESSERA_PTX_SEMANTICS_MINIFLOAT_H

#include "ptx/semantics/float.h"

namespace tessera::ptx::semantics {

/// A format without arithmetic: a sign above an exponent and a fraction.
struct MiniFormat {
  unsigned exponentBits = 0, fractionBits = 0;
  std::uint64_t greatest = 0; ///< the largest finite number
  std::uint64_t nan = 0;      ///< what a NaN becomes
  bool isIeee = false;        ///< has infinities, as IEEE 754 has
  unsigned storedBits = 8;    ///< in a packed value

  [[nodiscard]] constexpr unsigned signBit() const {
    return exponentBits + fractionBits;
  }
  [[nodiscard]] constexpr unsigned bias() const {
    return (1u << (exponentBits - 1)) - 1;
  }
};

inline constexpr MiniFormat e4m3{4, 3, 0x7e, 0x7f};
inline constexpr MiniFormat e5m2{5, 2, 0x7b, 0x7f, true};
// These have no NaN.
inline constexpr MiniFormat e3m2{3, 2, 0x1f, 0x1f};
inline constexpr MiniFormat e2m3{2, 3, 0x1f, 0x1f};
inline constexpr MiniFormat e2m1{2, 1, 0x07, 0x07, false, 4};

/// The nearest number of a format to one in single precision, ties to even,
/// clamped (`.satfinite`); in the low bits.
template <MiniFormat M, bool Relu, Domain D>
Bits<D, 32> encodeMini(D &d, Bits<D, 32> a) {
  constexpr Format f32 = Format::f32;
  auto word = [&](std::uint64_t value) {
    return d.template constant<32>(value);
  };
  auto size = magnitude<f32>(d, a);
  // A normal result: the fraction is cut where it is rounded, the exponent is
  // biased anew.
  constexpr unsigned dropped = fractionBits(f32) - M.fractionBits;
  auto odd = d.andBits(d.lshr(size, word(dropped)), word(1));
  auto half = word((1u << (dropped - 1)) - 1);
  auto rounded = d.lshr(d.add(d.add(size, half), odd), word(dropped));
  auto normal =
      d.sub(rounded, word(std::uint64_t(127 - M.bias()) << M.fractionBits));
  // A denormal result: to add a power of two rounds to its last bit.
  constexpr unsigned last = 127 + 1 - M.bias() - M.fractionBits; // biased
  constexpr std::uint64_t power = std::uint64_t(last + fractionBits(f32))
                                  << fractionBits(f32);
  auto denormal =
      d.sub(d.template fAdd<f32>(size, word(power), Rounding::nearestEven),
            word(power));
  auto isDenormal = d.lessUnsigned(
      size, word(std::uint64_t(127 + 1 - M.bias()) << fractionBits(f32)));
  auto result = d.select(isDenormal, denormal, normal);
  auto greatest = word(M.greatest);
  auto isAbove = d.orBool(d.lessUnsigned(greatest, result),
                          d.lessUnsigned(word(0x7f000000), size));
  result = d.select(isAbove, greatest, result);
  auto isSigned = d.notBool(d.equal(signOf<f32>(d, a), word(0)));
  auto negative =
      Relu ? word(0) : d.orBits(result, word(std::uint64_t(1) << M.signBit()));
  result = d.select(isSigned, negative, result);
  return d.select(isNan<f32>(d, a), word(M.nan), result);
}

/// Its value in half precision, which is exact.
template <MiniFormat M, bool Relu, Domain D>
Bits<D, 16> decodeMini(D &d, Bits<D, 16> a) {
  constexpr Format f16 = Format::f16;
  auto half = [&](std::uint64_t value) {
    return d.template constant<16>(value);
  };
  auto size = d.andBits(a, half((std::uint64_t(1) << M.signBit()) - 1));
  auto sign = d.andBits(d.shl(a, half(15 - M.signBit())), half(0x8000));
  // The same fields, and a power of two for the difference of the biases.
  auto value = d.shl(size, half(fractionBits(f16) - M.fractionBits));
  constexpr unsigned difference = 15 - M.bias();
  if constexpr (difference != 0)
    value = d.template fMul<f16>(
        value, half(std::uint64_t(15 + difference) << fractionBits(f16)),
        Rounding::nearestEven);
  auto result = d.orBits(value, sign);
  if constexpr (M.nan != M.greatest) {
    auto isNumber = M.isIeee ? d.lessUnsigned(size, half(M.greatest + 2))
                             : d.lessUnsigned(size, half(M.nan));
    result = d.select(isNumber, result, half(canonicalNan(f16)));
  }
  if constexpr (Relu)
    result = relu<f16>(d, result);
  return result;
}

/// Two small numbers in one value, `high` above `low`.
template <MiniFormat M, Domain D>
auto packMini(D &d, Bits<D, 32> high, Bits<D, 32> low) {
  auto both = d.orBits(d.shl(high, d.template constant<32>(M.storedBits)), low);
  return d.template truncate<2 * M.storedBits>(both);
}

/// cvt.rn.satfinite.e4m3x2.f32 d, a, b: `a` becomes the upper part.
template <MiniFormat M, bool Relu> struct ConvertToMini : Costly {
  template <Domain D>
  static Bits<D, 2 * M.storedBits> apply(D &d, Bits<D, 32> a, Bits<D, 32> b) {
    return packMini<M>(d, encodeMini<M, Relu>(d, a), encodeMini<M, Relu>(d, b));
  }
};

/// cvt.rn.satfinite.e4m3x2.f16x2
template <MiniFormat M, bool Relu> struct ConvertHalvesToMini : Costly {
  template <Domain D>
  static Bits<D, 2 * M.storedBits> apply(D &d, Bits<D, 32> a) {
    auto wide = [&](Bits<D, 32> half) {
      return d.template fConvert<Format::f32, Format::f16>(
          d.template truncate<16>(half), Rounding::nearestEven);
    };
    return ConvertToMini<M, Relu>::apply(
        d, wide(d.lshr(a, d.template constant<32>(16))), wide(a));
  }
};

/// cvt.rn.f16x2.e4m3x2
template <MiniFormat M, bool Relu> struct ConvertFromMini : Costly {
  template <Domain D>
  static Bits<D, 32> apply(D &d, Bits<D, 2 * M.storedBits> a) {
    auto wide = [&] {
      if constexpr (M.storedBits == 8)
        return a;
      else
        return d.template zeroExtend<16>(a);
    }();
    auto high = decodeMini<M, Relu>(
        d, d.lshr(wide, d.template constant<16>(M.storedBits)));
    auto low = decodeMini<M, Relu>(d, wide);
    return d.orBits(
        d.shl(d.template zeroExtend<32>(high), d.template constant<32>(16)),
        d.template zeroExtend<32>(low));
  }
};

//===----------------------------------------------------------------------===//
// ue8m0: powers of two. The code is the exponent of a number in single
// precision; 0xff is NaN.
//===----------------------------------------------------------------------===//

/// The power of two below (`.rz`) or above (`.rp`) the magnitude of a number;
/// an infinity is NaN, or with `.satfinite` the largest power.
template <bool Up, bool SatFinite, Domain D>
Bits<D, 32> encodePower(D &d, Bits<D, 32> a) {
  constexpr Format f32 = Format::f32;
  auto word = [&](std::uint64_t value) {
    return d.template constant<32>(value);
  };
  auto size = magnitude<f32>(d, a);
  auto isNumber = d.notBool(isNan<f32>(d, a));
  auto code = d.lshr(size, word(fractionBits(f32)));
  if constexpr (Up) {
    auto fraction = d.andBits(size, word(leastNormalBits(f32) - 1));
    // 2^-127, a denormal, has code 0.
    auto isPast =
        d.andBool(d.lessUnsigned(word(0), fraction),
                  d.lessUnsigned(word(leastNormalBits(f32) / 2), size));
    auto isRaised = d.andBool(isPast, isNumber);
    code = d.add(code, d.select(isRaised, word(1), word(0)));
  }
  if constexpr (SatFinite) {
    auto isTooLarge = d.andBool(isNumber, d.equal(code, word(0xff)));
    code = d.select(isTooLarge, word(0xfe), code);
  }
  return code;
}

/// cvt.rp.ue8m0x2.f32 d, a, b
template <bool Up, bool SatFinite> struct ConvertToPowers : Costly {
  template <Domain D>
  static Bits<D, 16> apply(D &d, Bits<D, 32> a, Bits<D, 32> b) {
    return packMini<MiniFormat{}>(d, encodePower<Up, SatFinite>(d, a),
                                  encodePower<Up, SatFinite>(d, b));
  }
};

/// cvt.rp.ue8m0x2.bf16x2
template <bool Up, bool SatFinite> struct ConvertHalvesToPowers : Costly {
  template <Domain D> static Bits<D, 16> apply(D &d, Bits<D, 32> a) {
    return ConvertToPowers<Up, SatFinite>::apply(
        d, d.andBits(a, d.template constant<32>(0xffff0000)),
        d.shl(a, d.template constant<32>(16)));
  }
};

/// cvt.rn.bf16x2.ue8m0x2
struct ConvertFromPowers {
  template <Domain D> static Bits<D, 32> apply(D &d, Bits<D, 16> a) {
    auto power = [&](Bits<D, 16> code) {
      auto value = d.shl(code, d.template constant<16>(7));
      auto least = d.template constant<16>(0x0040);
      auto nan = d.template constant<16>(canonicalNan(Format::bf16));
      value = d.select(d.equal(code, d.template constant<16>(0)), least, value);
      value =
          d.select(d.equal(code, d.template constant<16>(0xff)), nan, value);
      return d.template zeroExtend<32>(value);
    };
    auto high = power(d.lshr(a, d.template constant<16>(8)));
    auto low = power(d.andBits(a, d.template constant<16>(0xff)));
    return d.orBits(d.shl(high, d.template constant<32>(16)), low);
  }
};

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_MINIFLOAT_H
