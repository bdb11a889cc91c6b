// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/domain.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <optional>

using namespace tessera::vgpu;
using namespace tessera::vgpu::jit;
using tessera::ptx::semantics::ApproxFunction;
using tessera::ptx::semantics::canonicalNan;
using tessera::ptx::semantics::Format;
using tessera::ptx::semantics::infinityBits;
using tessera::ptx::semantics::Rounding;
using tessera::ptx::semantics::signMask;
using tessera::ptx::semantics::widthOf;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// The value of a constant, sign-extended.
std::optional<std::int64_t> constantOf(const Lanes &lanes) {
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(lanes.value);
      constant && lanes.shape.isUniform())
    return constant->getSExtValue();
  return std::nullopt;
}

bool isConstant(const Lanes &lanes, std::uint64_t bits) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(lanes.value);
  return constant && lanes.shape.isUniform() &&
         constant->getZExtValue() == bits;
}

std::int64_t signExtended(std::uint64_t bits, unsigned width) {
  return std::int64_t(bits << (64 - width)) >> (64 - width);
}

/// The formats that are told by their width.
std::optional<Format> wideFormat(unsigned width) {
  if (width == 32)
    return Format::f32;
  return width == 64 ? std::optional(Format::f64) : std::nullopt;
}

llvm::Type *resized(llvm::Type *type, llvm::Type *element) {
  return type->isVectorTy() ? vectorOf(element) : element;
}

llvm::Type *integerLike(llvm::Type *type, unsigned width) {
  return resized(type, llvm::IntegerType::get(type->getContext(), width));
}

llvm::Type *floatLike(llvm::Type *type, Format format) {
  llvm::LLVMContext &context = type->getContext();
  switch (format) {
  case Format::f16:
    return resized(type, llvm::Type::getHalfTy(context));
  case Format::bf16:
    return resized(type, llvm::Type::getBFloatTy(context));
  case Format::f32:
    return resized(type, llvm::Type::getFloatTy(context));
  case Format::f64:
    break;
  }
  return resized(type, llvm::Type::getDoubleTy(context));
}

} // namespace

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Lanes IrDomain::binary(llvm::Instruction::BinaryOps operation, const Lanes &a,
                       const Lanes &b) {
  return together(a, b, [&](auto *x, auto *y) {
    return builder.CreateBinOp(operation, x, y);
  });
}

Lanes IrDomain::addLanes(const Lanes &a, const Lanes &b) {
  if (!a.shape.isScalar() || !b.shape.isScalar())
    return binary(llvm::Instruction::Add, a, b);
  const auto stride =
      std::uint64_t(a.shape.stride) + std::uint64_t(b.shape.stride);
  return {.value = builder.CreateAdd(a.value, b.value),
          .shape = Shape::linear(signExtended(stride, a.width()))};
}

Lanes IrDomain::subLanes(const Lanes &a, const Lanes &b) {
  if (!a.shape.isScalar() || !b.shape.isScalar())
    return binary(llvm::Instruction::Sub, a, b);
  const auto stride =
      std::uint64_t(a.shape.stride) - std::uint64_t(b.shape.stride);
  return {.value = builder.CreateSub(a.value, b.value),
          .shape = Shape::linear(signExtended(stride, a.width()))};
}

Lanes IrDomain::mulLanes(const Lanes &a, const Lanes &b) {
  if (a.shape.isScalar() && b.shape.isScalar()) {
    auto factor = constantOf(b);
    std::int64_t stride = a.shape.stride;
    if (!factor) {
      factor = constantOf(a);
      stride = b.shape.stride;
    }
    if (factor)
      return {.value = builder.CreateMul(a.value, b.value),
              .shape = Shape::linear(signExtended(
                  std::uint64_t(stride) * std::uint64_t(*factor), a.width()))};
  }
  return binary(llvm::Instruction::Mul, a, b);
}

Lanes IrDomain::andLanes(const Lanes &a, const Lanes &b) {
  Lanes result = binary(llvm::Instruction::And, a, b);
  if (const auto format = wideFormat(a.width()))
    if (isConstant(b, signMask(*format) - 1) &&
        a.shape.kind != Shape::Kind::linear)
      result.magnitudeOf = rawOf(a).value;
  return result;
}

Lanes IrDomain::shlLanes(const Lanes &a, const Lanes &n) {
  const auto amount = constantOf(n);
  if (a.shape.isScalar() && amount)
    return {.value = builder.CreateShl(a.value, n.value),
            .shape = Shape::linear(signExtended(
                std::uint64_t(a.shape.stride) << *amount, a.width()))};
  return binary(llvm::Instruction::Shl, a, n);
}

llvm::Value *IrDomain::mulHigh64(llvm::Value *a, llvm::Value *b,
                                 bool isSigned) {
  llvm::Type *type = a->getType();
  auto *half = llvm::ConstantInt::get(type, 32);
  auto *low = llvm::ConstantInt::get(type, 0xffffffff);
  const auto lowOf = [&](auto *x) { return builder.CreateAnd(x, low); };
  const auto highOf = [&](auto *x) { return builder.CreateLShr(x, half); };
  auto *lowLow = builder.CreateMul(lowOf(a), lowOf(b));
  auto *highLow = builder.CreateMul(highOf(a), lowOf(b));
  auto *lowHigh = builder.CreateMul(lowOf(a), highOf(b));
  auto *highHigh = builder.CreateMul(highOf(a), highOf(b));
  auto *middle = builder.CreateAdd(highLow, highOf(lowLow));
  auto *carry = builder.CreateAdd(lowOf(middle), lowHigh);
  auto *result = builder.CreateAdd(
      highHigh, builder.CreateAdd(highOf(middle), highOf(carry)));
  if (!isSigned)
    return result;
  auto *sign = llvm::ConstantInt::get(type, 63);
  const auto correction = [&](auto *x, auto *y) {
    return builder.CreateAnd(builder.CreateAShr(x, sign), y);
  };
  return builder.CreateSub(builder.CreateSub(result, correction(a, b)),
                           correction(b, a));
}

Lanes IrDomain::mulHigh(const Lanes &a, const Lanes &b, bool isSigned) {
  const unsigned width = a.width();
  return together(a, b, [&](auto *x, auto *y) -> llvm::Value * {
    if (width == 64)
      return mulHigh64(x, y, isSigned);
    llvm::Type *wide = integerLike(x->getType(), 2 * width);
    const auto extended = [&](auto *value) {
      return isSigned ? builder.CreateSExt(value, wide)
                      : builder.CreateZExt(value, wide);
    };
    auto *product = builder.CreateMul(extended(x), extended(y));
    return builder.CreateTrunc(builder.CreateLShr(product, width),
                               x->getType());
  });
}

/// Quotients of up to 32 bits, exact: the error of a division of doubles is
/// less than the distance of a quotient from the next integer.
llvm::Value *IrDomain::divideAsDoubles(llvm::Value *a, llvm::Value *b,
                                       bool isSigned) {
  llvm::Type *doubles = floatLike(a->getType(), Format::f64);
  const auto converted = [&](auto *value) {
    return isSigned ? builder.CreateSIToFP(value, doubles)
                    : builder.CreateUIToFP(value, doubles);
  };
  auto *quotient = builder.CreateFDiv(converted(a), converted(b));
  return isSigned ? builder.CreateFPToSI(quotient, a->getType())
                  : builder.CreateFPToUI(quotient, a->getType());
}

Lanes IrDomain::divide(const Lanes &a, const Lanes &b, bool isSigned) {
  const bool isVector = !a.shape.isUniform() || !b.shape.isUniform();
  const bool isByConstant = constantOf(b).has_value();
  if (isVector && !isByConstant && a.width() == 64)
    return notExpressible(64);
  return together(a, b, [&](auto *x, auto *y) {
    if (isVector && !isByConstant)
      return divideAsDoubles(x, y, isSigned);
    return isSigned ? builder.CreateSDiv(x, y) : builder.CreateUDiv(x, y);
  });
}

Lanes IrDomain::remainder(const Lanes &a, const Lanes &b, bool isSigned) {
  return subLanes(a, mulLanes(divide(a, b, isSigned), b));
}

Truth IrDomain::compare(llvm::CmpInst::Predicate predicate, const Lanes &a,
                        const Lanes &b) {
  if (a.shape.isUniform() && b.shape.isUniform())
    return {.value = builder.CreateICmp(predicate, a.value, b.value)};
  return {.value = builder.CreateICmp(predicate, asVector(builder, a),
                                      asVector(builder, b))};
}

Truth IrDomain::lessUnsignedLanes(const Lanes &a, const Lanes &b) {
  const auto format = wideFormat(a.width());
  if (!b.magnitudeOf || !format || !isConstant(a, infinityBits(*format)))
    return compare(llvm::CmpInst::ICMP_ULT, a, b);
  // A test for NaN.
  llvm::Value *number = asFloats(*format, b.magnitudeOf);
  return {.value = builder.CreateFCmpUNO(number, number),
          .isNanOf = b.magnitudeOf};
}

Truth IrDomain::logic(llvm::Instruction::BinaryOps operation, const Truth &a,
                      const Truth &b) {
  if (a.isUniform() && b.isUniform())
    return {.value = builder.CreateBinOp(operation, a.value, b.value)};
  return {.value = builder.CreateBinOp(operation, asVector(builder, a),
                                       asVector(builder, b))};
}

Truth IrDomain::select(Truth which, Truth a, Truth b) {
  if (a.isUniform() && b.isUniform() && which.isUniform())
    return {.value = builder.CreateSelect(which.value, a.value, b.value)};
  return {.value = builder.CreateSelect(which.value, asVector(builder, a),
                                        asVector(builder, b))};
}

Lanes IrDomain::selectLanes(const Truth &which, const Lanes &a,
                            const Lanes &b) {
  if (const auto *known = llvm::dyn_cast<llvm::ConstantInt>(which.value))
    return known->isOne() ? a : b;
  const bool isOneShape = a.shape == b.shape && a.shape.isScalar();
  Lanes result;
  if (which.isUniform() && isOneShape)
    result = {.value = builder.CreateSelect(which.value, a.value, b.value),
              .shape = a.shape};
  else
    result = {.value = builder.CreateSelect(which.value, asVector(builder, a),
                                            asVector(builder, b)),
              .shape = Shape::varying()};
  if (which.isNanOf && which.isNanOf == b.value &&
      isConstant(a, canonicalNan(Format::f32)) && a.width() == 32)
    result.raw = b.value;
  return result;
}

Lanes IrDomain::extend(const Lanes &a, unsigned width, bool isSigned) {
  if (a.width() == width)
    return a;
  llvm::Type *type = integerLike(a.value->getType(), width);
  auto *value = isSigned ? builder.CreateSExt(a.value, type)
                         : builder.CreateZExt(a.value, type);
  if (a.shape.kind != Shape::Kind::linear)
    return {.value = value, .shape = a.shape};
  // Evenly rising values stay so unless they wrap on the way to lane 31.
  const std::int64_t stride = a.shape.stride;
  const auto rise = std::uint64_t(laneCount - 1) *
                    std::uint64_t(isSigned || stride > 0 ? stride : -stride);
  const Intrinsic::ID checked = isSigned     ? Intrinsic::sadd_with_overflow
                                : stride > 0 ? Intrinsic::uadd_with_overflow
                                             : Intrinsic::usub_with_overflow;
  // So steep that the rise itself wraps.
  if (signExtended(rise, a.width()) != std::int64_t(rise)) {
    auto *vector = asVector(builder, a);
    llvm::Type *wide = vectorOf(builder.getIntNTy(width));
    return {.value = isSigned ? builder.CreateSExt(vector, wide)
                              : builder.CreateZExt(vector, wide),
            .shape = Shape::varying()};
  }
  auto *last = builder.CreateBinaryIntrinsic(
      checked, a.value,
      llvm::ConstantInt::get(a.value->getType(), rise, false, true));
  leaveIf(builder.CreateExtractValue(last, 1));
  return {.value = value, .shape = a.shape};
}

Lanes IrDomain::truncateTo(const Lanes &a, unsigned width) {
  if (a.width() == width)
    return a;
  llvm::Type *type = integerLike(a.value->getType(), width);
  auto *value = builder.CreateTrunc(a.value, type);
  if (a.shape.kind != Shape::Kind::linear)
    return {.value = value, .shape = a.shape};
  return {.value = value,
          .shape = Shape::linear(
              signExtended(std::uint64_t(a.shape.stride), width))};
}

Lanes IrDomain::intrinsic(Intrinsic::ID id, const Lanes &a) {
  return unary(
      a, [&](auto *value) { return builder.CreateUnaryIntrinsic(id, value); });
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

Lanes IrDomain::notExpressible(unsigned width) {
  isExpressible = false;
  return {.value = builder.getIntN(width, 0)};
}

bool IrDomain::hasArithmetic(Format format) const {
  return widthOf(format) >= 32;
}

llvm::Value *IrDomain::asFloats(Format format, llvm::Value *bits) {
  return builder.CreateBitCast(bits, floatLike(bits->getType(), format));
}

llvm::Value *IrDomain::asBits(llvm::Value *floats) {
  return builder.CreateBitCast(
      floats,
      integerLike(floats->getType(), floats->getType()->getScalarSizeInBits()));
}

Lanes IrDomain::rawOf(const Lanes &a) {
  return a.raw ? Lanes{.value = a.raw, .shape = a.shape} : a;
}

Lanes IrDomain::arithmetic(Format format, Rounding rounding,
                           llvm::Instruction::BinaryOps operation,
                           const Lanes &a, const Lanes &b) {
  if (!hasArithmetic(format) || rounding != Rounding::nearestEven)
    return notExpressible(a.width());
  return together(rawOf(a), rawOf(b), [&](auto *x, auto *y) {
    return asBits(builder.CreateBinOp(operation, asFloats(format, x),
                                      asFloats(format, y)));
  });
}

Lanes IrDomain::multiplyAdd(Format format, Rounding rounding, const Lanes &a,
                            const Lanes &b, const Lanes &c) {
  if (!hasArithmetic(format) || rounding != Rounding::nearestEven)
    return notExpressible(a.width());
  const bool isUniform =
      a.shape.isUniform() && b.shape.isUniform() && c.shape.isUniform();
  const auto floats = [&](const Lanes &lanes) {
    const Lanes raw = rawOf(lanes);
    return asFloats(format, isUniform ? raw.value : asVector(builder, raw));
  };
  auto *x = floats(a);
  auto *result = builder.CreateIntrinsic(x->getType(), Intrinsic::fma,
                                         {x, floats(b), floats(c)});
  return {.value = asBits(result),
          .shape = isUniform ? Shape::uniform() : Shape::varying()};
}

Lanes IrDomain::squareRoot(Format format, Rounding rounding, const Lanes &a) {
  if (!hasArithmetic(format) || rounding != Rounding::nearestEven)
    return notExpressible(a.width());
  return unary(rawOf(a), [&](auto *value) {
    return asBits(
        builder.CreateUnaryIntrinsic(Intrinsic::sqrt, asFloats(format, value)));
  });
}

Truth IrDomain::compareFloats(Format format, llvm::CmpInst::Predicate predicate,
                              const Lanes &a, const Lanes &b) {
  if (!hasArithmetic(format)) {
    isExpressible = false;
    return boolean(false);
  }
  const Lanes x = rawOf(a), y = rawOf(b);
  if (x.shape.isUniform() && y.shape.isUniform())
    return {.value = builder.CreateFCmp(predicate, asFloats(format, x.value),
                                        asFloats(format, y.value))};
  return {.value = builder.CreateFCmp(predicate,
                                      asFloats(format, asVector(builder, x)),
                                      asFloats(format, asVector(builder, y)))};
}

Lanes IrDomain::roundToIntegral(Format format, Rounding rounding,
                                const Lanes &a) {
  if (!hasArithmetic(format) || rounding == Rounding::nearestAway)
    return notExpressible(a.width());
  const Intrinsic::ID id = rounding == Rounding::towardZero ? Intrinsic::trunc
                           : rounding == Rounding::down     ? Intrinsic::floor
                           : rounding == Rounding::up ? Intrinsic::ceil
                                                      : Intrinsic::roundeven;
  return unary(rawOf(a), [&](auto *value) {
    return asBits(builder.CreateUnaryIntrinsic(id, asFloats(format, value)));
  });
}

/// f32 to bf16, to the nearest, without a thought for NaNs.
llvm::Value *IrDomain::toBrainFloat(llvm::Value *bits) {
  llvm::Type *type = bits->getType();
  auto *odd = builder.CreateAnd(builder.CreateLShr(bits, 16),
                                llvm::ConstantInt::get(type, 1));
  auto *rounded = builder.CreateAdd(
      bits, builder.CreateAdd(odd, llvm::ConstantInt::get(type, 0x7fff)));
  return builder.CreateTrunc(builder.CreateLShr(rounded, 16),
                             integerLike(type, 16));
}

Lanes IrDomain::convert(Format to, Format from, Rounding rounding,
                        const Lanes &a) {
  using enum Format;
  const bool isWidening = to == f64 || (to == f32 && from != f64);
  const bool usesHalf = to == f16 || from == f16;
  const bool isExpressible =
      (isWidening ||
       (rounding == Rounding::nearestEven && (to == f32 || from == f32))) &&
      (!usesHalf || (host.hasHalfConversion && to != f64 && from != f64)) &&
      !(from == bf16 && to == f64);
  if (!isExpressible)
    return notExpressible(widthOf(to));
  return unary(rawOf(a), [&](auto *value) -> llvm::Value * {
    if (from == bf16)
      return builder.CreateShl(
          builder.CreateZExt(value, integerLike(value->getType(), 32)), 16);
    if (to == bf16)
      return toBrainFloat(value);
    auto *number = asFloats(from, value);
    llvm::Type *type = floatLike(value->getType(), to);
    return asBits(isWidening ? builder.CreateFPExt(number, type)
                             : builder.CreateFPTrunc(number, type));
  });
}

Lanes IrDomain::fromInteger(Format format, Rounding rounding, const Lanes &a,
                            bool isSigned) {
  if (!hasArithmetic(format) || rounding != Rounding::nearestEven)
    return notExpressible(widthOf(format));
  return unary(a, [&](auto *value) {
    llvm::Type *type = floatLike(value->getType(), format);
    return asBits(isSigned ? builder.CreateSIToFP(value, type)
                           : builder.CreateUIToFP(value, type));
  });
}

Lanes IrDomain::toInteger(Format format, Rounding rounding, const Lanes &a,
                          unsigned width, bool isSigned) {
  if (!hasArithmetic(format))
    return notExpressible(width);
  const Lanes integral = roundToIntegral(format, rounding, a);
  return unary(integral, [&](auto *value) {
    auto *number = asFloats(format, value);
    llvm::Type *type = integerLike(value->getType(), width);
    return builder.CreateIntrinsic(isSigned ? Intrinsic::fptosi_sat
                                            : Intrinsic::fptoui_sat,
                                   {type, number->getType()}, {number});
  });
}

/// Those that the interpreter computes by IEEE operations on doubles; others
/// are a library's.
Lanes IrDomain::approximate(Format format, ApproxFunction function,
                            const Lanes &a) {
  const bool isRoot = function == ApproxFunction::squareRoot ||
                      function == ApproxFunction::reciprocalSquareRoot;
  const bool isReciprocal = function == ApproxFunction::reciprocal ||
                            function == ApproxFunction::reciprocalSquareRoot;
  if (!hasArithmetic(format) || (!isRoot && !isReciprocal))
    return notExpressible(a.width());
  return unary(rawOf(a), [&](auto *value) {
    llvm::Value *number = asFloats(format, value);
    llvm::Type *own = number->getType();
    llvm::Type *doubles = floatLike(own, Format::f64);
    if (format != Format::f64)
      number = builder.CreateFPExt(number, doubles);
    if (isRoot)
      number = builder.CreateUnaryIntrinsic(Intrinsic::sqrt, number);
    if (isReciprocal)
      number = builder.CreateFDiv(llvm::ConstantFP::get(doubles, 1.0), number);
    if (format != Format::f64)
      number = builder.CreateFPTrunc(number, own);
    return asBits(number);
  });
}
