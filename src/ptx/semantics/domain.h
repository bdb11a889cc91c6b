// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Value domains. The meaning of an instruction is a template over a domain: a
// class whose values stand for bit vectors and truth values and whose members
// are the primitive operations on them. Numbers (`ConcreteDomain`), LLVM IR
// and solver terms are domains.
//
// Primitives leave out PTX's own rules (clamped shifts, canonical NaNs,
// flushing, saturation): those are written once, in terms of primitives.

#ifndef TESSERA_PTX_SEMANTICS_DOMAIN_H
#define TESSERA_PTX_SEMANTICS_DOMAIN_H

#include "ptx/types.h"

#include <concepts>
#include <cstdint>
#include <limits>

namespace tessera::ptx::semantics {

/// Rounding to a representable number or to an integer.
enum class Rounding : std::uint8_t {
  nearestEven, ///< .rn, .rni
  towardZero,  ///< .rz, .rzi
  down,        ///< .rm, .rmi
  up,          ///< .rp, .rpi
  nearestAway, ///< .rna
};

/// The floating-point formats with arithmetic.
enum class Format : std::uint8_t { f16, bf16, f32, f64 };

constexpr unsigned widthOf(Format format) {
  switch (format) {
  case Format::f16:
  case Format::bf16:
    return 16;
  case Format::f32:
    return 32;
  case Format::f64:
    return 64;
  }
  return 0;
}

/// Explicit bits of the significand.
constexpr unsigned fractionBits(Format format) {
  switch (format) {
  case Format::f16:
    return 10;
  case Format::bf16:
    return 7;
  case Format::f32:
    return 23;
  case Format::f64:
    return 52;
  }
  return 0;
}

constexpr std::uint64_t signMask(Format format) {
  return std::uint64_t(1) << (widthOf(format) - 1);
}
constexpr std::uint64_t infinityBits(Format format) {
  unsigned exponentBits = widthOf(format) - 1 - fractionBits(format);
  return ((std::uint64_t(1) << exponentBits) - 1) << fractionBits(format);
}
constexpr std::uint64_t leastNormalBits(Format format) {
  return std::uint64_t(1) << fractionBits(format);
}
constexpr std::uint64_t oneBits(Format format) {
  unsigned exponentBits = widthOf(format) - 1 - fractionBits(format);
  return ((std::uint64_t(1) << (exponentBits - 1)) - 1) << fractionBits(format);
}
/// The NaN that arithmetic returns: all ones but the sign. In double precision
/// this is the NaN of invalid operations; others keep their payload.
constexpr std::uint64_t canonicalNan(Format format) {
  return format == Format::f64 ? 0xfff8000000000000 : signMask(format) - 1;
}

/// The functions whose results PTX only bounds.
enum class ApproxFunction : std::uint8_t {
  reciprocal,
  squareRoot,
  reciprocalSquareRoot,
  sine,
  cosine,
  log2,
  exp2,
  tanh,
};

/// The value of width `N` of domain `D`.
template <class D, unsigned N> using Bits = typename D::template Bits<N>;
template <class D> using Bool = typename D::Bool;

/// What a domain provides; shown at 32 bits and f32. Widths are 8, 16, 32, 64.
///
///   constant<N>(bits)              boolean(truth)
///   add sub mul andBits orBits xorBits notBits
///   shl lshr ashr                  the amount is less than the width
///   mulHighUnsigned mulHighSigned
///   divUnsigned remUnsigned        the divisor is not 0
///   divSigned remSigned            nor is the quotient out of range
///   equal lessUnsigned lessSigned  → Bool
///   andBool orBool xorBool notBool
///   select(Bool, a, b)             values or Bools
///   zeroExtend<N> signExtend<N> truncate<N>
///   popCount leadingZeros reverseBits   (leadingZeros of 0 is the width)
///   fAdd<F> fSub<F> fMul<F> fDiv<F> fFma<F> fSqrt<F>   with a Rounding; any
///                                  NaN stands for NaN; denormals are kept
///   fLess<F> fEqual<F>             false for NaN
///   fRoundToIntegral<F>(a, Rounding)
///   fConvert<To, From>(a, Rounding)       to infinity when out of range
///   fFromUnsigned<F> fFromSigned<F>(a, Rounding)
///   fToUnsigned<N, F> fToSigned<N, F>(a, Rounding)
///                                  a is no NaN; clamped to the range
///   fApprox<F>(ApproxFunction, a)
template <class D>
concept Domain = requires(D d, Bits<D, 32> a, Bool<D> p) {
  { d.template constant<32>(0) } -> std::same_as<Bits<D, 32>>;
  { d.boolean(true) } -> std::same_as<Bool<D>>;
  { d.add(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.sub(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.mul(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.andBits(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.orBits(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.xorBits(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.notBits(a) } -> std::same_as<Bits<D, 32>>;
  { d.shl(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.lshr(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.ashr(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.mulHighUnsigned(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.mulHighSigned(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.divUnsigned(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.remUnsigned(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.divSigned(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.remSigned(a, a) } -> std::same_as<Bits<D, 32>>;
  { d.equal(a, a) } -> std::same_as<Bool<D>>;
  { d.lessUnsigned(a, a) } -> std::same_as<Bool<D>>;
  { d.lessSigned(a, a) } -> std::same_as<Bool<D>>;
  { d.andBool(p, p) } -> std::same_as<Bool<D>>;
  { d.orBool(p, p) } -> std::same_as<Bool<D>>;
  { d.xorBool(p, p) } -> std::same_as<Bool<D>>;
  { d.notBool(p) } -> std::same_as<Bool<D>>;
  { d.select(p, a, a) } -> std::same_as<Bits<D, 32>>;
  { d.select(p, p, p) } -> std::same_as<Bool<D>>;
  { d.template zeroExtend<64>(a) } -> std::same_as<Bits<D, 64>>;
  { d.template signExtend<64>(a) } -> std::same_as<Bits<D, 64>>;
  { d.template truncate<16>(a) } -> std::same_as<Bits<D, 16>>;
  { d.popCount(a) } -> std::same_as<Bits<D, 32>>;
  { d.leadingZeros(a) } -> std::same_as<Bits<D, 32>>;
  { d.reverseBits(a) } -> std::same_as<Bits<D, 32>>;
  {
    d.template fAdd<Format::f32>(a, a, Rounding::nearestEven)
  } -> std::same_as<Bits<D, 32>>;
  {
    d.template fFma<Format::f32>(a, a, a, Rounding::nearestEven)
  } -> std::same_as<Bits<D, 32>>;
  { d.template fLess<Format::f32>(a, a) } -> std::same_as<Bool<D>>;
  {
    d.template fConvert<Format::f64, Format::f32>(a, Rounding::nearestEven)
  } -> std::same_as<Bits<D, 64>>;
  {
    d.template fFromSigned<Format::f32>(a, Rounding::nearestEven)
  } -> std::same_as<Bits<D, 32>>;
  {
    d.template fToSigned<32, Format::f32>(a, Rounding::nearestEven)
  } -> std::same_as<Bits<D, 32>>;
  {
    d.template fApprox<Format::f32>(ApproxFunction::exp2, a)
  } -> std::same_as<Bits<D, 32>>;
};

/// Two results.
template <class A, class B> struct Two {
  A first;
  B second;
};

/// Of a base of operations whose last source is CC.CF.
struct ReadsCarry {
  static constexpr bool readsCarry = true;
};
/// Of a base of operations whose second result is CC.CF.
struct WritesCarry {
  static constexpr bool writesCarry = true;
};

/// Of a base of operations that cost more than a few instructions: better
/// not evaluated where nobody wants the result.
struct Costly {
  static constexpr bool isCostly = true;
};
/// Of a base of arithmetic: what a host does in one instruction is cheap.
template <Format F, Rounding R> struct CostOfArithmetic {
  static constexpr bool isCostly =
      widthOf(F) < 32 || R != Rounding::nearestEven;
};

/// The greatest value of width `N`, read as signed or unsigned.
constexpr std::uint64_t greatest(unsigned n, bool isSigned) {
  return ~std::uint64_t(0) >> (64 - n + (isSigned ? 1 : 0));
}
/// The least, in the low `N` bits.
constexpr std::uint64_t least(unsigned n, bool isSigned) {
  return isSigned ? std::uint64_t(1) << (n - 1) : 0;
}

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_DOMAIN_H
