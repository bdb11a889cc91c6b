// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/transforms/value-facts.h"

#include "dialect/mir/mir.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera::mir;
using intrange::OverflowFlags;

//===----------------------------------------------------------------------===//
// Integer operations, of whichever dialect
//===----------------------------------------------------------------------===//

namespace {

enum class Kind {
  add,
  sub,
  mul,
  bitAnd,
  bitOr,
  bitXor,
  shl,
  shrU,
  shrS,
  divU,
  divS,
  remU,
  remS,
  minU,
  maxU,
  minS,
  maxS,
  extU,
  extS,
  trunc,
  select,
};

struct Expression {
  Kind kind;
  SmallVector<Value, 3> operands;
  bool noSignedWrap = false;
  bool noUnsignedWrap = false;

  [[nodiscard]] OverflowFlags overflowFlags() const {
    auto flags = OverflowFlags::None;
    if (noSignedWrap)
      flags = flags | OverflowFlags::Nsw;
    if (noUnsignedWrap)
      flags = flags | OverflowFlags::Nuw;
    return flags;
  }
};

std::optional<Kind> getKind(Operation *op) {
  using Result = std::optional<Kind>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<LLVM::AddOp, arith::AddIOp>([](auto) { return Kind::add; })
      .Case<LLVM::SubOp, arith::SubIOp>([](auto) { return Kind::sub; })
      .Case<LLVM::MulOp, arith::MulIOp>([](auto) { return Kind::mul; })
      .Case<LLVM::AndOp, arith::AndIOp>([](auto) { return Kind::bitAnd; })
      .Case<LLVM::OrOp, arith::OrIOp>([](auto) { return Kind::bitOr; })
      .Case<LLVM::XOrOp, arith::XOrIOp>([](auto) { return Kind::bitXor; })
      .Case<LLVM::ShlOp, arith::ShLIOp>([](auto) { return Kind::shl; })
      .Case<LLVM::LShrOp, arith::ShRUIOp>([](auto) { return Kind::shrU; })
      .Case<LLVM::AShrOp, arith::ShRSIOp>([](auto) { return Kind::shrS; })
      .Case<LLVM::UDivOp, arith::DivUIOp>([](auto) { return Kind::divU; })
      .Case<LLVM::SDivOp, arith::DivSIOp>([](auto) { return Kind::divS; })
      .Case<LLVM::URemOp, arith::RemUIOp>([](auto) { return Kind::remU; })
      .Case<LLVM::SRemOp, arith::RemSIOp>([](auto) { return Kind::remS; })
      .Case<LLVM::UMinOp, arith::MinUIOp>([](auto) { return Kind::minU; })
      .Case<LLVM::UMaxOp, arith::MaxUIOp>([](auto) { return Kind::maxU; })
      .Case<LLVM::SMinOp, arith::MinSIOp>([](auto) { return Kind::minS; })
      .Case<LLVM::SMaxOp, arith::MaxSIOp>([](auto) { return Kind::maxS; })
      .Case<LLVM::ZExtOp, arith::ExtUIOp>([](auto) { return Kind::extU; })
      .Case<LLVM::SExtOp, arith::ExtSIOp>([](auto) { return Kind::extS; })
      .Case<LLVM::TruncOp, arith::TruncIOp>([](auto) { return Kind::trunc; })
      .Case<LLVM::SelectOp, arith::SelectOp>([](auto) { return Kind::select; })
      .Default([](auto) { return std::nullopt; });
}

/// How `value` is computed, where that is an operation on integers.
std::optional<Expression> getExpression(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<IntegerType>(value.getType()))
    return std::nullopt;
  std::optional<Kind> kind = getKind(op);
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

std::optional<APInt> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  return std::nullopt;
}

/// The bits of `value`; lengths of slices have 64.
unsigned getWidth(Value value) {
  return value.getType().isInteger() ? value.getType().getIntOrFloatBitWidth()
                                     : 64;
}

/// Whether `value` and `other` are the same extension of `valueSource` and
/// `otherSource`, so that their order is that of the sources.
bool matchExtensions(Kind kind, Value value, Value other, Value &valueSource,
                     Value &otherSource) {
  std::optional<Expression> a = getExpression(value), b = getExpression(other);
  if (!a || !b || a->kind != kind || b->kind != kind ||
      a->operands[0].getType() != b->operands[0].getType())
    return false;
  valueSource = a->operands[0];
  otherSource = b->operands[0];
  return true;
}

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

/// Limits of block shapes on every architecture from sm_75 on.
constexpr std::int64_t maxBlock[3] = {1024, 1024, 64};

ConstantIntRanges getBlockRange(Operation *op, unsigned dimension,
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

std::optional<ConstantIntRanges> getRegisterRange(Operation *op) {
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

} // namespace

//===----------------------------------------------------------------------===//
// Collecting facts
//===----------------------------------------------------------------------===//

Value ValueFacts::term(Value value) {
  while (true) {
    if (auto length = value.getDefiningOp<SliceLenOp>()) {
      value = length.getSlice();
      continue;
    }
    if (auto check = value.getDefiningOp<BoundsCheckOp>()) {
      value = check.getIndex();
      continue;
    }
    Value length =
        getElementType(value.getType()) ? getKnownLength(value) : Value();
    if (!length)
      return value;
    value = length;
  }
}

void ValueFacts::rewind(size_t mark) {
  while (facts.size() > mark) {
    Fact fact = facts.pop_back_val();
    factsOf[fact.lhs].pop_back();
    if (fact.rhs != fact.lhs)
      factsOf[fact.rhs].pop_back();
  }
}

void ValueFacts::add(Order order, Value lhs, Value rhs) {
  Fact fact{order, term(lhs), term(rhs)};
  auto index = static_cast<unsigned>(facts.size());
  facts.push_back(fact);
  factsOf[fact.lhs].push_back(index);
  if (fact.rhs != fact.lhs)
    factsOf[fact.rhs].push_back(index);
}

namespace {

/// `predicate` as one of our orders, with the sides exchanged where that needs
/// it; nothing for `ne`. Equality is an order in both directions.
struct Comparison {
  SmallVector<Order, 2> orders;
  bool exchanged = false;
  bool bothWays = false;
};

enum class Predicate { eq, ne, ult, ule, ugt, uge, slt, sle, sgt, sge };

Predicate negate(Predicate predicate) {
  switch (predicate) {
  case Predicate::eq:
    return Predicate::ne;
  case Predicate::ne:
    return Predicate::eq;
  case Predicate::ult:
    return Predicate::uge;
  case Predicate::ule:
    return Predicate::ugt;
  case Predicate::ugt:
    return Predicate::ule;
  case Predicate::uge:
    return Predicate::ult;
  case Predicate::slt:
    return Predicate::sge;
  case Predicate::sle:
    return Predicate::sgt;
  case Predicate::sgt:
    return Predicate::sle;
  case Predicate::sge:
    return Predicate::slt;
  }
  llvm_unreachable("covered switch");
}

Comparison toOrders(Predicate predicate) {
  switch (predicate) {
  case Predicate::eq:
    return {{Order::ule, Order::sle}, false, true};
  case Predicate::ne:
    return {};
  case Predicate::ult:
    return {{Order::ult}};
  case Predicate::ule:
    return {{Order::ule}};
  case Predicate::ugt:
    return {{Order::ult}, true};
  case Predicate::uge:
    return {{Order::ule}, true};
  case Predicate::slt:
    return {{Order::slt}};
  case Predicate::sle:
    return {{Order::sle}};
  case Predicate::sgt:
    return {{Order::slt}, true};
  case Predicate::sge:
    return {{Order::sle}, true};
  }
  llvm_unreachable("covered switch");
}

std::optional<Predicate> getPredicate(Operation *op) {
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op)) {
    switch (compare.getPredicate()) {
    case LLVM::ICmpPredicate::eq:
      return Predicate::eq;
    case LLVM::ICmpPredicate::ne:
      return Predicate::ne;
    case LLVM::ICmpPredicate::ult:
      return Predicate::ult;
    case LLVM::ICmpPredicate::ule:
      return Predicate::ule;
    case LLVM::ICmpPredicate::ugt:
      return Predicate::ugt;
    case LLVM::ICmpPredicate::uge:
      return Predicate::uge;
    case LLVM::ICmpPredicate::slt:
      return Predicate::slt;
    case LLVM::ICmpPredicate::sle:
      return Predicate::sle;
    case LLVM::ICmpPredicate::sgt:
      return Predicate::sgt;
    case LLVM::ICmpPredicate::sge:
      return Predicate::sge;
    }
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::eq:
      return Predicate::eq;
    case arith::CmpIPredicate::ne:
      return Predicate::ne;
    case arith::CmpIPredicate::ult:
      return Predicate::ult;
    case arith::CmpIPredicate::ule:
      return Predicate::ule;
    case arith::CmpIPredicate::ugt:
      return Predicate::ugt;
    case arith::CmpIPredicate::uge:
      return Predicate::uge;
    case arith::CmpIPredicate::slt:
      return Predicate::slt;
    case arith::CmpIPredicate::sle:
      return Predicate::sle;
    case arith::CmpIPredicate::sgt:
      return Predicate::sgt;
    case arith::CmpIPredicate::sge:
      return Predicate::sge;
    }
  }
  return std::nullopt;
}

/// Booleans often go through memory as bytes: the boolean that was extended
/// before `condition` was truncated or compared with zero from it. `inverted`
/// flips when the comparison says "is zero".
Value stripBooleanCasts(Value condition, bool &inverted) {
  while (Operation *op = condition.getDefiningOp()) {
    Value wide;
    bool flips = false;
    std::optional<Expression> expression = getExpression(condition);
    std::optional<Predicate> predicate = getPredicate(op);
    if (expression && expression->kind == Kind::trunc) {
      wide = expression->operands[0];
    } else if (predicate == Predicate::eq || predicate == Predicate::ne) {
      std::optional<APInt> zero = getConstant(op->getOperand(1));
      if (!zero || !zero->isZero())
        return condition;
      wide = op->getOperand(0);
      flips = predicate == Predicate::eq;
    } else {
      return condition;
    }
    std::optional<Expression> extension = getExpression(wide);
    if (!extension || extension->kind != Kind::extU ||
        !extension->operands[0].getType().isInteger(1))
      return condition;
    condition = extension->operands[0];
    inverted ^= flips;
  }
  return condition;
}

bool isBoolean(Value value, bool expected) {
  std::optional<APInt> constant = getConstant(value);
  return constant && constant->getBitWidth() == 1 &&
         constant->isOne() == expected;
}

} // namespace

void ValueFacts::addComparison(Operation *op, bool holds) {
  if (!isa<IntegerType>(op->getOperand(0).getType()))
    return;
  Predicate predicate = *getPredicate(op);
  Comparison comparison = toOrders(holds ? predicate : negate(predicate));
  Value lhs = op->getOperand(comparison.exchanged ? 1 : 0);
  Value rhs = op->getOperand(comparison.exchanged ? 0 : 1);
  for (Order order : comparison.orders) {
    add(order, lhs, rhs);
    if (comparison.bothWays)
      add(order, rhs, lhs);
  }
}

void ValueFacts::addCondition(Value condition, bool holds) {
  bool inverted = false;
  condition = stripBooleanCasts(condition, inverted);
  holds ^= inverted;
  Operation *op = condition.getDefiningOp();
  if (!op)
    return;
  if (getPredicate(op))
    return addComparison(op, holds);

  std::optional<Expression> expression = getExpression(condition);
  if (!expression)
    return;
  ArrayRef<Value> operands = expression->operands;
  bool isConjunction = expression->kind == Kind::bitAnd && holds;
  bool isDisjunction = expression->kind == Kind::bitOr && !holds;
  if (isConjunction || isDisjunction) {
    addCondition(operands[0], holds);
    addCondition(operands[1], holds);
  } else if (expression->kind == Kind::bitXor && isBoolean(operands[1], true)) {
    addCondition(operands[0], !holds);
  } else if (expression->kind == Kind::select &&
             isBoolean(operands[holds ? 2 : 1], !holds)) {
    // `c ? a : false` holds: both do. `c ? true : b` does not: neither does.
    addCondition(operands[0], holds);
    addCondition(operands[holds ? 1 : 2], holds);
  }
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

ConstantIntRanges ValueFacts::rangeOf(Value value, unsigned depth) {
  if (std::optional<APInt> constant = getConstant(value))
    return ConstantIntRanges::constant(*constant);
  if (depth == 0)
    return ConstantIntRanges::maxRange(getWidth(value));
  return restrictByFacts(value, rangeByDefinition(value, depth), depth);
}

ConstantIntRanges ValueFacts::rangeByDefinition(Value value, unsigned depth) {
  unsigned width = getWidth(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return rangeOfBlockArgument(argument, depth);
  if (std::optional<ConstantIntRanges> range =
          getRegisterRange(value.getDefiningOp()))
    return *range;
  std::optional<Expression> expression = getExpression(value);
  if (!expression)
    return ConstantIntRanges::maxRange(width);

  SmallVector<ConstantIntRanges, 3> ranges;
  for (Value operand : expression->operands)
    ranges.push_back(rangeOf(term(operand), depth - 1));
  switch (expression->kind) {
  case Kind::add:
    return intrange::inferAdd(ranges, expression->overflowFlags());
  case Kind::sub:
    return intrange::inferSub(ranges, expression->overflowFlags());
  case Kind::mul:
    return intrange::inferMul(ranges, expression->overflowFlags());
  case Kind::shl:
    return intrange::inferShl(ranges, expression->overflowFlags());
  case Kind::bitAnd:
    return intrange::inferAnd(ranges);
  case Kind::bitOr:
    return intrange::inferOr(ranges);
  case Kind::bitXor:
    return intrange::inferXor(ranges);
  case Kind::shrU:
    return intrange::inferShrU(ranges);
  case Kind::shrS:
    return intrange::inferShrS(ranges);
  case Kind::divU:
    return intrange::inferDivU(ranges);
  case Kind::divS:
    return intrange::inferDivS(ranges);
  case Kind::remU:
    return intrange::inferRemU(ranges);
  case Kind::remS:
    return intrange::inferRemS(ranges);
  case Kind::minU:
    return intrange::inferMinU(ranges);
  case Kind::maxU:
    return intrange::inferMaxU(ranges);
  case Kind::minS:
    return intrange::inferMinS(ranges);
  case Kind::maxS:
    return intrange::inferMaxS(ranges);
  case Kind::extU:
    return intrange::extUIRange(ranges[0], width);
  case Kind::extS:
    return intrange::extSIRange(ranges[0], width);
  case Kind::trunc:
    return intrange::truncRange(ranges[0], width);
  case Kind::select:
    return ranges[1].rangeUnion(ranges[2]);
  }
  llvm_unreachable("covered switch");
}

/// An incoming value of a block argument that is the argument moved by a
/// constant without wrapping: the argument stays on one side of where it
/// starts.
static bool restrictByStep(BlockArgument argument, Value incoming,
                           bool &neverSinks, bool &neverSinksSigned,
                           bool &neverRises) {
  std::optional<Expression> step = getExpression(incoming);
  if (!step || (step->kind != Kind::add && step->kind != Kind::sub) ||
      step->operands[0] != argument)
    return false;
  std::optional<APInt> distance = getConstant(step->operands[1]);
  if (!distance)
    return false;
  bool isAdd = step->kind == Kind::add;
  neverSinks &= isAdd && step->noUnsignedWrap;
  neverSinksSigned &= isAdd && step->noSignedWrap && distance->isNonNegative();
  neverRises &= !isAdd && step->noUnsignedWrap;
  return true;
}

ConstantIntRanges ValueFacts::rangeOfBlockArgument(BlockArgument argument,
                                                   unsigned depth) {
  unsigned width = getWidth(argument);
  auto unknown = ConstantIntRanges::maxRange(width);
  Block *block = argument.getOwner();
  if (block->isEntryBlock() || !openArguments.insert(argument).second)
    return unknown;
  llvm::scope_exit close([&] { openArguments.erase(argument); });

  // What the argument is when control first comes here, and how it moves.
  std::optional<ConstantIntRanges> start;
  bool neverSinks = true, neverSinksSigned = true, neverRises = true,
       moves = false;
  for (auto pred = block->pred_begin(), end = block->pred_end(); pred != end;
       ++pred) {
    auto branch = dyn_cast<BranchOpInterface>((*pred)->getTerminator());
    if (!branch)
      return unknown;
    Value incoming = branch.getSuccessorOperands(
        pred.getSuccessorIndex())[argument.getArgNumber()];
    if (!incoming)
      return unknown;
    if (incoming == argument)
      continue;
    if (restrictByStep(argument, incoming, neverSinks, neverSinksSigned,
                       neverRises)) {
      moves = true;
      continue;
    }
    ConstantIntRanges range = rangeOf(term(incoming), depth - 1);
    start = start ? start->rangeUnion(range) : range;
  }
  if (!start)
    return unknown;
  if (!moves)
    return *start;
  return ConstantIntRanges(neverSinks ? start->umin() : unknown.umin(),
                           neverRises ? start->umax() : unknown.umax(),
                           neverSinksSigned ? start->smin() : unknown.smin(),
                           unknown.smax());
}

ConstantIntRanges ValueFacts::restrictByFacts(Value value,
                                              ConstantIntRanges range,
                                              unsigned depth) {
  auto known = factsOf.find(value);
  if (known == factsOf.end())
    return range;
  unsigned width = getWidth(value);
  APInt umin = range.umin(), umax = range.umax(), smin = range.smin(),
        smax = range.smax();
  for (unsigned index : known->second) {
    Fact fact = facts[index];
    if (fact.lhs == fact.rhs)
      continue;
    bool isLhs = fact.lhs == value;
    Value other = isLhs ? fact.rhs : fact.lhs;
    if (getWidth(other) != width)
      continue;
    ConstantIntRanges bound =
        getConstant(other) ? ConstantIntRanges::constant(*getConstant(other))
                           : rangeByDefinition(other, std::min(depth, 2u) - 1);
    switch (fact.order) {
    case Order::ult:
      if (isLhs && !bound.umax().isZero())
        umax = llvm::APIntOps::umin(umax, bound.umax() - 1);
      else if (!isLhs && !bound.umin().isMaxValue())
        umin = llvm::APIntOps::umax(umin, bound.umin() + 1);
      break;
    case Order::ule:
      if (isLhs)
        umax = llvm::APIntOps::umin(umax, bound.umax());
      else
        umin = llvm::APIntOps::umax(umin, bound.umin());
      break;
    case Order::slt:
      if (isLhs && !bound.smax().isMinSignedValue())
        smax = llvm::APIntOps::smin(smax, bound.smax() - 1);
      else if (!isLhs && !bound.smin().isMaxSignedValue())
        smin = llvm::APIntOps::smax(smin, bound.smin() + 1);
      break;
    case Order::sle:
      if (isLhs)
        smax = llvm::APIntOps::smin(smax, bound.smax());
      else
        smin = llvm::APIntOps::smax(smin, bound.smin());
      break;
    }
  }
  // Contradictory facts: control does not come here.
  if (umin.ugt(umax) || smin.sgt(smax))
    return range;
  // Each view tells something about the other where signs are known.
  return ConstantIntRanges(umin, umax, smin, smax)
      .intersection(ConstantIntRanges::fromSigned(smin, smax))
      .intersection(ConstantIntRanges::fromUnsigned(umin, umax));
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

bool ValueFacts::isNonNegative(Value value, unsigned depth) {
  return rangeOf(value, depth).smin().isNonNegative();
}

bool ValueFacts::isBelow(Value lhs, Value rhs, unsigned depth) {
  if (getWidth(lhs) != getWidth(rhs))
    return false;
  if (rangeOf(lhs, depth).umax().ult(rangeOf(rhs, depth).umin()))
    return true;
  return depth != 0 && (isBelowByFacts(lhs, rhs, depth - 1) ||
                        isBelowByDefinition(lhs, rhs, depth - 1));
}

bool ValueFacts::isBelowByFacts(Value lhs, Value rhs, unsigned depth) {
  auto known = factsOf.find(lhs);
  if (known == factsOf.end())
    return false;
  for (unsigned index : llvm::to_vector(known->second)) {
    Fact fact = facts[index];
    if (fact.lhs != lhs || fact.rhs == lhs)
      continue;
    switch (fact.order) {
    case Order::ult:
      if (isAtMost(fact.rhs, rhs, depth))
        return true;
      break;
    case Order::ule:
      if (isBelow(fact.rhs, rhs, depth))
        return true;
      break;
    case Order::slt:
      // 0 <= lhs < fact.rhs, signed: the same as unsigned.
      if (isNonNegative(lhs, depth) && isAtMost(fact.rhs, rhs, depth))
        return true;
      break;
    case Order::sle:
      if (isNonNegative(lhs, depth) && isBelow(fact.rhs, rhs, depth))
        return true;
      break;
    }
  }
  return false;
}

bool ValueFacts::isBelowByDefinition(Value lhs, Value rhs, unsigned depth) {
  Value lhsSource, rhsSource;
  if (matchExtensions(Kind::extU, lhs, rhs, lhsSource, rhsSource))
    return isBelow(lhsSource, rhsSource, depth);
  if (matchExtensions(Kind::extS, lhs, rhs, lhsSource, rhsSource) &&
      isNonNegative(rhsSource, depth) && isBelow(lhsSource, rhsSource, depth))
    return true;

  // `lhs + distance` is known to be below, and the sum does not wrap.
  for (Operation *user : lhs.getUsers()) {
    if (user->getNumResults() != 1 || !factsOf.contains(user->getResult(0)))
      continue;
    std::optional<Expression> sum = getExpression(user->getResult(0));
    if (!sum || sum->kind != Kind::add)
      continue;
    bool wraps = false;
    if (!sum->noUnsignedWrap)
      (void)rangeOf(term(sum->operands[0]), depth)
          .umax()
          .uadd_ov(rangeOf(term(sum->operands[1]), depth).umax(), wraps);
    if (!wraps && isBelowByFacts(user->getResult(0), rhs, depth))
      return true;
  }

  std::optional<Expression> expression = getExpression(lhs);
  if (!expression)
    return false;
  auto operandIsBelow = [&](unsigned i) {
    return isBelow(term(expression->operands[i]), rhs, depth);
  };
  switch (expression->kind) {
  case Kind::bitAnd:
  case Kind::minU:
    return operandIsBelow(0) || operandIsBelow(1);
  case Kind::remU:
    return isAtMost(term(expression->operands[1]), rhs, depth) ||
           operandIsBelow(0);
  case Kind::divU:
  case Kind::shrU:
    return operandIsBelow(0);
  case Kind::sub:
    return expression->noUnsignedWrap && operandIsBelow(0);
  case Kind::select:
    return operandIsBelow(1) && operandIsBelow(2);
  default:
    return false;
  }
}

bool ValueFacts::isAtMost(Value lhs, Value rhs, unsigned depth) {
  if (lhs == rhs)
    return true;
  if (getWidth(lhs) != getWidth(rhs))
    return false;
  if (rangeOf(lhs, depth).umax().ule(rangeOf(rhs, depth).umin()))
    return true;
  if (depth == 0)
    return false;
  auto known = factsOf.find(lhs);
  if (known != factsOf.end()) {
    for (unsigned index : llvm::to_vector(known->second)) {
      Fact fact = facts[index];
      bool isUnsigned = fact.order == Order::ult || fact.order == Order::ule;
      if (isUnsigned && fact.lhs == lhs && fact.rhs != lhs &&
          isAtMost(fact.rhs, rhs, depth - 1))
        return true;
    }
  }
  Value lhsSource, rhsSource;
  if (matchExtensions(Kind::extU, lhs, rhs, lhsSource, rhsSource))
    return isAtMost(lhsSource, rhsSource, depth - 1);
  std::optional<Expression> expression = getExpression(lhs);
  if (!expression)
    return false;
  if (expression->kind == Kind::minU || expression->kind == Kind::bitAnd)
    return isAtMost(term(expression->operands[0]), rhs, depth - 1) ||
           isAtMost(term(expression->operands[1]), rhs, depth - 1);
  if (expression->kind == Kind::shrU || expression->kind == Kind::divU)
    return isAtMost(term(expression->operands[0]), rhs, depth - 1);
  return false;
}

bool ValueFacts::isImplied(Order order, Value lhs, Value rhs, unsigned depth) {
  switch (order) {
  case Order::ult:
    return isBelow(lhs, rhs, depth);
  case Order::ule:
    return isAtMost(lhs, rhs, depth);
  case Order::slt:
    return rangeOf(lhs, depth).smax().slt(rangeOf(rhs, depth).smin());
  case Order::sle:
    return lhs == rhs ||
           rangeOf(lhs, depth).smax().sle(rangeOf(rhs, depth).smin());
  }
  llvm_unreachable("covered switch");
}

bool ValueFacts::holds(Value condition, unsigned depth) {
  bool inverted = false;
  condition = stripBooleanCasts(condition, inverted);
  if (isBoolean(condition, !inverted))
    return true;
  Operation *op = condition.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (std::optional<Predicate> predicate = getPredicate(op)) {
    if (!isa<IntegerType>(op->getOperand(0).getType()))
      return false;
    Comparison comparison =
        toOrders(inverted ? negate(*predicate) : *predicate);
    if (comparison.orders.empty() || comparison.bothWays)
      return false;
    Value lhs = term(op->getOperand(comparison.exchanged ? 1 : 0));
    Value rhs = term(op->getOperand(comparison.exchanged ? 0 : 1));
    return isImplied(comparison.orders.front(), lhs, rhs, depth);
  }
  std::optional<Expression> expression = getExpression(condition);
  if (!expression || inverted)
    return false;
  if (expression->kind == Kind::bitAnd)
    return holds(expression->operands[0], depth - 1) &&
           holds(expression->operands[1], depth - 1);
  if (expression->kind == Kind::bitOr)
    return holds(expression->operands[0], depth - 1) ||
           holds(expression->operands[1], depth - 1);
  return false;
}
