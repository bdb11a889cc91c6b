// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value domain of LLVM IR: applying the meaning of an instruction to its
// values makes code for it (see ptx/semantics/domain.h).
//
// A primitive that a host has no instruction for, or whose result would not be
// the interpreter's bit for bit, marks the meaning as not expressible; the
// interpreter's own function is called then.

#ifndef TESSERA_VGPU_JIT_DOMAIN_H
#define TESSERA_VGPU_JIT_DOMAIN_H

#include "ptx/semantics/domain.h"
#include "vgpu/jit/lanes.h"

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

#include <cstdint>
#include <functional>

namespace tessera::vgpu::jit {

/// What the host's vector unit can do.
struct HostFeatures {
  bool hasHalfConversion = false; ///< f32 from and to f16
  bool hasScatter = false;        ///< and gathers
};

class IrDomain {
public:
  template <unsigned N> struct Bits : Lanes {};
  using Bool = Truth;
  using Format = ptx::semantics::Format;
  using Rounding = ptx::semantics::Rounding;

  IrDomain(Builder &builder, const HostFeatures &host)
      : builder(builder), host(host) {}

  /// Code that leaves the instruction to the interpreter when an i1 holds.
  std::function<void(llvm::Value *)> leaveIf;
  /// Whether all that was made has a meaning.
  bool isExpressible = true;

  template <unsigned N> Bits<N> constant(std::uint64_t bits) {
    return wrap<N>({.value = builder.getIntN(N, truncated(bits, N))});
  }
  Truth boolean(bool value) { return {.value = builder.getInt1(value)}; }

  //===-- Integers --------------------------------------------------------===//

  template <class V> V add(V a, V b) { return {addLanes(a, b)}; }
  template <class V> V sub(V a, V b) { return {subLanes(a, b)}; }
  template <class V> V mul(V a, V b) { return {mulLanes(a, b)}; }
  template <class V> V andBits(V a, V b) { return {andLanes(a, b)}; }
  template <class V> V orBits(V a, V b) {
    return {binary(llvm::Instruction::Or, a, b)};
  }
  template <class V> V xorBits(V a, V b) {
    return {binary(llvm::Instruction::Xor, a, b)};
  }
  template <class V> V notBits(V a) {
    return {unary(a, [this](auto *value) { return builder.CreateNot(value); })};
  }
  template <class V> V shl(V a, V n) { return {shlLanes(a, n)}; }
  template <class V> V lshr(V a, V n) {
    return {binary(llvm::Instruction::LShr, a, n)};
  }
  template <class V> V ashr(V a, V n) {
    return {binary(llvm::Instruction::AShr, a, n)};
  }
  template <class V> V mulHighUnsigned(V a, V b) {
    return {mulHigh(a, b, false)};
  }
  template <class V> V mulHighSigned(V a, V b) { return {mulHigh(a, b, true)}; }
  template <class V> V divUnsigned(V a, V b) { return {divide(a, b, false)}; }
  template <class V> V remUnsigned(V a, V b) {
    return {remainder(a, b, false)};
  }
  template <class V> V divSigned(V a, V b) { return {divide(a, b, true)}; }
  template <class V> V remSigned(V a, V b) { return {remainder(a, b, true)}; }

  template <class V> Truth equal(V a, V b) {
    return compare(llvm::CmpInst::ICMP_EQ, a, b);
  }
  template <class V> Truth lessUnsigned(V a, V b) {
    return lessUnsignedLanes(a, b);
  }
  template <class V> Truth lessSigned(V a, V b) {
    return compare(llvm::CmpInst::ICMP_SLT, a, b);
  }
  Truth andBool(Truth a, Truth b) {
    return logic(llvm::Instruction::And, a, b);
  }
  Truth orBool(Truth a, Truth b) { return logic(llvm::Instruction::Or, a, b); }
  Truth xorBool(Truth a, Truth b) {
    return logic(llvm::Instruction::Xor, a, b);
  }
  Truth notBool(Truth a) { return {.value = builder.CreateNot(a.value)}; }
  Truth select(Truth which, Truth a, Truth b);
  template <class V> V select(Truth which, V a, V b) {
    return {selectLanes(which, a, b)};
  }

  template <unsigned N, class V> Bits<N> zeroExtend(V a) {
    return wrap<N>(extend(a, N, false));
  }
  template <unsigned N, class V> Bits<N> signExtend(V a) {
    return wrap<N>(extend(a, N, true));
  }
  template <unsigned N, class V> Bits<N> truncate(V a) {
    return wrap<N>(truncateTo(a, N));
  }
  template <class V> V popCount(V a) {
    return {intrinsic(llvm::Intrinsic::ctpop, a)};
  }
  template <class V> V leadingZeros(V a) {
    return {unary(a, [this](auto *value) {
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value,
                                           builder.getFalse());
    })};
  }
  template <class V> V reverseBits(V a) {
    return {intrinsic(llvm::Intrinsic::bitreverse, a)};
  }

  //===-- Floating point --------------------------------------------------===//

  template <Format F> using FBits = Bits<ptx::semantics::widthOf(F)>;

  template <Format F> FBits<F> fAdd(FBits<F> a, FBits<F> b, Rounding r) {
    return {arithmetic(F, r, llvm::Instruction::FAdd, a, b)};
  }
  template <Format F> FBits<F> fSub(FBits<F> a, FBits<F> b, Rounding r) {
    return {arithmetic(F, r, llvm::Instruction::FSub, a, b)};
  }
  template <Format F> FBits<F> fMul(FBits<F> a, FBits<F> b, Rounding r) {
    return {arithmetic(F, r, llvm::Instruction::FMul, a, b)};
  }
  template <Format F> FBits<F> fDiv(FBits<F> a, FBits<F> b, Rounding r) {
    return {arithmetic(F, r, llvm::Instruction::FDiv, a, b)};
  }
  template <Format F>
  FBits<F> fFma(FBits<F> a, FBits<F> b, FBits<F> c, Rounding r) {
    return {multiplyAdd(F, r, a, b, c)};
  }
  template <Format F> FBits<F> fSqrt(FBits<F> a, Rounding r) {
    return {squareRoot(F, r, a)};
  }
  template <Format F> Truth fLess(FBits<F> a, FBits<F> b) {
    return compareFloats(F, llvm::CmpInst::FCMP_OLT, a, b);
  }
  template <Format F> Truth fEqual(FBits<F> a, FBits<F> b) {
    return compareFloats(F, llvm::CmpInst::FCMP_OEQ, a, b);
  }
  template <Format F> FBits<F> fRoundToIntegral(FBits<F> a, Rounding r) {
    return {roundToIntegral(F, r, a)};
  }
  template <Format To, Format From>
  FBits<To> fConvert(FBits<From> a, Rounding r) {
    if constexpr (To == From)
      return a;
    else
      return wrap<ptx::semantics::widthOf(To)>(convert(To, From, r, a));
  }
  template <Format F, class V> FBits<F> fFromUnsigned(V a, Rounding r) {
    return wrap<ptx::semantics::widthOf(F)>(fromInteger(F, r, a, false));
  }
  template <Format F, class V> FBits<F> fFromSigned(V a, Rounding r) {
    return wrap<ptx::semantics::widthOf(F)>(fromInteger(F, r, a, true));
  }
  template <unsigned N, Format F> Bits<N> fToUnsigned(FBits<F> a, Rounding r) {
    return wrap<N>(toInteger(F, r, a, N, false));
  }
  template <unsigned N, Format F> Bits<N> fToSigned(FBits<F> a, Rounding r) {
    return wrap<N>(toInteger(F, r, a, N, true));
  }
  template <Format F>
  FBits<F> fApprox(ptx::semantics::ApproxFunction function, FBits<F> a) {
    return {approximate(F, function, a)};
  }

  //===-- For code around meanings ----------------------------------------===//

  Lanes addLanes(const Lanes &a, const Lanes &b);
  Lanes extend(const Lanes &a, unsigned width, bool isSigned);
  Lanes truncateTo(const Lanes &a, unsigned width);
  Lanes selectLanes(const Truth &which, const Lanes &a, const Lanes &b);

private:
  template <unsigned N> static Bits<N> wrap(const Lanes &lanes) {
    return {lanes};
  }
  static std::uint64_t truncated(std::uint64_t bits, unsigned width) {
    return bits & (~std::uint64_t(0) >> (64 - width));
  }

  /// `make` on a scalar when it is uniform, else on a vector.
  template <class Make> Lanes unary(const Lanes &a, Make make) {
    if (a.shape.isUniform())
      return {.value = make(a.value)};
    return {.value = make(asVector(builder, a)), .shape = Shape::varying()};
  }
  template <class Make>
  Lanes together(const Lanes &a, const Lanes &b, Make make) {
    if (a.shape.isUniform() && b.shape.isUniform())
      return {.value = make(a.value, b.value)};
    return {.value = make(asVector(builder, a), asVector(builder, b)),
            .shape = Shape::varying()};
  }

  Lanes binary(llvm::Instruction::BinaryOps operation, const Lanes &a,
               const Lanes &b);
  Lanes subLanes(const Lanes &a, const Lanes &b);
  Lanes mulLanes(const Lanes &a, const Lanes &b);
  Lanes andLanes(const Lanes &a, const Lanes &b);
  Lanes shlLanes(const Lanes &a, const Lanes &n);
  Lanes mulHigh(const Lanes &a, const Lanes &b, bool isSigned);
  llvm::Value *mulHigh64(llvm::Value *a, llvm::Value *b, bool isSigned);
  Lanes divide(const Lanes &a, const Lanes &b, bool isSigned);
  Lanes remainder(const Lanes &a, const Lanes &b, bool isSigned);
  llvm::Value *divideAsDoubles(llvm::Value *a, llvm::Value *b, bool isSigned);
  Truth compare(llvm::CmpInst::Predicate predicate, const Lanes &a,
                const Lanes &b);
  Truth lessUnsignedLanes(const Lanes &a, const Lanes &b);
  Truth logic(llvm::Instruction::BinaryOps operation, const Truth &a,
              const Truth &b);
  Lanes intrinsic(llvm::Intrinsic::ID id, const Lanes &a);

  Lanes notExpressible(unsigned width);
  [[nodiscard]] bool hasArithmetic(Format format) const;
  llvm::Value *asFloats(Format format, llvm::Value *bits);
  llvm::Value *asBits(llvm::Value *floats);
  /// The number for what treats NaNs alike.
  static Lanes rawOf(const Lanes &a);
  Lanes arithmetic(Format format, Rounding rounding,
                   llvm::Instruction::BinaryOps operation, const Lanes &a,
                   const Lanes &b);
  Lanes multiplyAdd(Format format, Rounding rounding, const Lanes &a,
                    const Lanes &b, const Lanes &c);
  Lanes squareRoot(Format format, Rounding rounding, const Lanes &a);
  Truth compareFloats(Format format, llvm::CmpInst::Predicate predicate,
                      const Lanes &a, const Lanes &b);
  Lanes roundToIntegral(Format format, Rounding rounding, const Lanes &a);
  Lanes convert(Format to, Format from, Rounding rounding, const Lanes &a);
  llvm::Value *toBrainFloat(llvm::Value *bits);
  Lanes fromInteger(Format format, Rounding rounding, const Lanes &a,
                    bool isSigned);
  Lanes toInteger(Format format, Rounding rounding, const Lanes &a,
                  unsigned width, bool isSigned);
  Lanes approximate(Format format, ptx::semantics::ApproxFunction function,
                    const Lanes &a);

  Builder &builder;
  const HostFeatures &host;
};

static_assert(ptx::semantics::Domain<IrDomain>);

} // namespace tessera::vgpu::jit

#endif // TESSERA_VGPU_JIT_DOMAIN_H
