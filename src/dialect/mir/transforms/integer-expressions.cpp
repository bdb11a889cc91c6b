// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/transforms/integer-expressions.h"

#include "dialect/mir/mir.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera::mir;
using intrange::OverflowFlags;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static std::optional<ExpressionKind> getKind(Operation *op) {
  using Result = std::optional<ExpressionKind>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<LLVM::AddOp, arith::AddIOp>(
          [](auto) { return ExpressionKind::add; })
      .Case<LLVM::SubOp, arith::SubIOp>(
          [](auto) { return ExpressionKind::sub; })
      .Case<LLVM::MulOp, arith::MulIOp>(
          [](auto) { return ExpressionKind::mul; })
      .Case<LLVM::AndOp, arith::AndIOp>(
          [](auto) { return ExpressionKind::bitAnd; })
      .Case<LLVM::OrOp, arith::OrIOp>(
          [](auto) { return ExpressionKind::bitOr; })
      .Case<LLVM::XOrOp, arith::XOrIOp>(
          [](auto) { return ExpressionKind::bitXor; })
      .Case<LLVM::ShlOp, arith::ShLIOp>(
          [](auto) { return ExpressionKind::shl; })
      .Case<LLVM::LShrOp, arith::ShRUIOp>(
          [](auto) { return ExpressionKind::shrU; })
      .Case<LLVM::AShrOp, arith::ShRSIOp>(
          [](auto) { return ExpressionKind::shrS; })
      .Case<LLVM::UDivOp, arith::DivUIOp>(
          [](auto) { return ExpressionKind::divU; })
      .Case<LLVM::SDivOp, arith::DivSIOp>(
          [](auto) { return ExpressionKind::divS; })
      .Case<LLVM::URemOp, arith::RemUIOp>(
          [](auto) { return ExpressionKind::remU; })
      .Case<LLVM::SRemOp, arith::RemSIOp>(
          [](auto) { return ExpressionKind::remS; })
      .Case<LLVM::UMinOp, arith::MinUIOp>(
          [](auto) { return ExpressionKind::minU; })
      .Case<LLVM::UMaxOp, arith::MaxUIOp>(
          [](auto) { return ExpressionKind::maxU; })
      .Case<LLVM::SMinOp, arith::MinSIOp>(
          [](auto) { return ExpressionKind::minS; })
      .Case<LLVM::SMaxOp, arith::MaxSIOp>(
          [](auto) { return ExpressionKind::maxS; })
      .Case<LLVM::ZExtOp, arith::ExtUIOp>(
          [](auto) { return ExpressionKind::extU; })
      .Case<LLVM::SExtOp, arith::ExtSIOp>(
          [](auto) { return ExpressionKind::extS; })
      .Case<LLVM::TruncOp, arith::TruncIOp>(
          [](auto) { return ExpressionKind::trunc; })
      .Case<LLVM::SelectOp, arith::SelectOp>(
          [](auto) { return ExpressionKind::select; })
      .Default([](auto) { return std::nullopt; });
}

std::optional<Expression> tessera::mir::getExpression(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<IntegerType>(value.getType()))
    return std::nullopt;
  std::optional<ExpressionKind> kind = getKind(op);
  if (!kind)
    return std::nullopt;
  Expression expression{*kind, llvm::to_vector<3>(op->getOperands())};
  if (auto flags = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op)) {
    expression.noSignedWrap = flags.hasNoSignedWrap();
    expression.noUnsignedWrap = flags.hasNoUnsignedWrap();
  } else if (auto flags =
                 dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op)) {
    expression.noSignedWrap = flags.hasNoSignedWrap();
    expression.noUnsignedWrap = flags.hasNoUnsignedWrap();
  }
  return expression;
}

ConstantIntRanges Expression::inferRange(ArrayRef<ConstantIntRanges> ranges,
                                         unsigned width) const {
  auto flags = (noSignedWrap ? OverflowFlags::Nsw : OverflowFlags::None) |
               (noUnsignedWrap ? OverflowFlags::Nuw : OverflowFlags::None);
  switch (kind) {
  case ExpressionKind::add:
    return intrange::inferAdd(ranges, flags);
  case ExpressionKind::sub:
    return intrange::inferSub(ranges, flags);
  case ExpressionKind::mul:
    return intrange::inferMul(ranges, flags);
  case ExpressionKind::shl:
    return intrange::inferShl(ranges, flags);
  case ExpressionKind::bitAnd:
    return intrange::inferAnd(ranges);
  case ExpressionKind::bitOr:
    return intrange::inferOr(ranges);
  case ExpressionKind::bitXor:
    return intrange::inferXor(ranges);
  case ExpressionKind::shrU:
    return intrange::inferShrU(ranges);
  case ExpressionKind::shrS:
    return intrange::inferShrS(ranges);
  case ExpressionKind::divU:
    return intrange::inferDivU(ranges);
  case ExpressionKind::divS:
    return intrange::inferDivS(ranges);
  case ExpressionKind::remU:
    return intrange::inferRemU(ranges);
  case ExpressionKind::remS:
    return intrange::inferRemS(ranges);
  case ExpressionKind::minU:
    return intrange::inferMinU(ranges);
  case ExpressionKind::maxU:
    return intrange::inferMaxU(ranges);
  case ExpressionKind::minS:
    return intrange::inferMinS(ranges);
  case ExpressionKind::maxS:
    return intrange::inferMaxS(ranges);
  case ExpressionKind::extU:
    return intrange::extUIRange(ranges[0], width);
  case ExpressionKind::extS:
    return intrange::extSIRange(ranges[0], width);
  case ExpressionKind::trunc:
    return intrange::truncRange(ranges[0], width);
  case ExpressionKind::select:
    return ranges[1].rangeUnion(ranges[2]);
  }
  llvm_unreachable("covered switch");
}

//===----------------------------------------------------------------------===//
// Comparisons, constants, booleans
//===----------------------------------------------------------------------===//

std::optional<arith::CmpIPredicate> tessera::mir::getPredicate(Operation *op) {
  // The two enumerations agree.
  static_assert(
      int(LLVM::ICmpPredicate::slt) == int(arith::CmpIPredicate::slt) &&
      int(LLVM::ICmpPredicate::uge) == int(arith::CmpIPredicate::uge));
  if (op->getNumOperands() != 2 ||
      !isa<IntegerType>(op->getOperand(0).getType()))
    return std::nullopt;
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op))
    return static_cast<arith::CmpIPredicate>(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate();
  return std::nullopt;
}

std::optional<APInt> tessera::mir::getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  return std::nullopt;
}

bool tessera::mir::isBoolean(Value value, bool expected) {
  std::optional<APInt> constant = getConstant(value);
  return constant && constant->getBitWidth() == 1 &&
         constant->isOne() == expected;
}

Value tessera::mir::stripBooleanCasts(Value condition, bool &inverted) {
  while (Operation *op = condition.getDefiningOp()) {
    Value wide;
    bool flips = false;
    std::optional<Expression> expression = getExpression(condition);
    std::optional<arith::CmpIPredicate> predicate = getPredicate(op);
    if (expression && expression->kind == ExpressionKind::trunc) {
      wide = expression->operands[0];
    } else if (predicate == arith::CmpIPredicate::eq ||
               predicate == arith::CmpIPredicate::ne) {
      std::optional<APInt> zero = getConstant(op->getOperand(1));
      if (!zero || !zero->isZero())
        return condition;
      wide = op->getOperand(0);
      flips = predicate == arith::CmpIPredicate::eq;
    } else {
      return condition;
    }
    std::optional<Expression> extension = getExpression(wide);
    if (!extension || extension->kind != ExpressionKind::extU ||
        !extension->operands[0].getType().isInteger(1))
      return condition;
    condition = extension->operands[0];
    inverted ^= flips;
  }
  return condition;
}

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

/// Limits of block shapes on every architecture from sm_75 on.
static constexpr std::int64_t maxBlock[3] = {1024, 1024, 64};

static ConstantIntRanges getBlockRange(Operation *op, unsigned dimension,
                                       bool isSize) {
  std::int64_t low = 1, high = maxBlock[dimension];
  if (auto kernel = op->getParentOfType<KernelOp>()) {
    if (auto block = kernel.getBlock())
      low = high = (*block)[dimension];
    else if (auto threads = kernel.getMaxThreads())
      high = std::min<std::int64_t>(high, *threads);
  }
  return isSize
             ? ConstantIntRanges::fromUnsigned(APInt(32, low), APInt(32, high))
             : ConstantIntRanges::fromUnsigned(APInt(32, 0),
                                               APInt(32, high - 1));
}

std::optional<ConstantIntRanges> tessera::mir::getRegisterRange(Operation *op) {
  using Result = std::optional<ConstantIntRanges>;
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isInteger(32))
    return std::nullopt;
  return TypeSwitch<Operation *, Result>(op)
      .Case([](NVVM::ThreadIdXOp op) {
        return getBlockRange(op, 0, /*isSize=*/false);
      })
      .Case([](NVVM::ThreadIdYOp op) {
        return getBlockRange(op, 1, /*isSize=*/false);
      })
      .Case([](NVVM::ThreadIdZOp op) {
        return getBlockRange(op, 2, /*isSize=*/false);
      })
      .Case([](NVVM::BlockDimXOp op) {
        return getBlockRange(op, 0, /*isSize=*/true);
      })
      .Case([](NVVM::BlockDimYOp op) {
        return getBlockRange(op, 1, /*isSize=*/true);
      })
      .Case([](NVVM::BlockDimZOp op) {
        return getBlockRange(op, 2, /*isSize=*/true);
      })
      .Case([](NVVM::LaneIdOp) {
        return ConstantIntRanges::fromUnsigned(APInt(32, 0), APInt(32, 31));
      })
      .Case([](NVVM::WarpSizeOp) {
        return ConstantIntRanges::constant(APInt(32, 32));
      })
      .Default([](auto) { return std::nullopt; });
}
