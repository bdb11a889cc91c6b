// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/transforms/value-facts.h"

#include "dialect/mir/mir.h"
#include "dialect/mir/transforms/integer-expressions.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tessera::mir;
using Kind = ExpressionKind;

/// The bits of `value`; lengths of slices have 64.
static unsigned getWidth(Value value) {
  return value.getType().isInteger() ? value.getType().getIntOrFloatBitWidth()
                                     : 64;
}

/// Whether `value` and `other` are the same extension of `valueSource` and
/// `otherSource`, so that their order is that of the sources.
static bool matchExtensions(Kind kind, Value value, Value other,
                            Value &valueSource, Value &otherSource) {
  std::optional<Expression> a = getExpression(value), b = getExpression(other);
  if (!a || !b || a->kind != kind || b->kind != kind ||
      a->operands[0].getType() != b->operands[0].getType())
    return false;
  valueSource = a->operands[0];
  otherSource = b->operands[0];
  return true;
}

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

SmallVector<ValueFacts::Fact, 8> ValueFacts::getFactsAbout(Value value) const {
  SmallVector<Fact, 8> result;
  auto known = factsOf.find(value);
  if (ignoresFacts || known == factsOf.end())
    return result;
  ArrayRef<unsigned> indices = known->second;
  for (unsigned index : indices.take_back(maxFacts))
    result.push_back(facts[index]);
  return result;
}

void ValueFacts::rewind(size_t mark) {
  while (facts.size() > mark) {
    Fact fact = facts.pop_back_val();
    factsOf[fact.lhs].pop_back();
    factsOf[fact.rhs].pop_back();
  }
}

void ValueFacts::add(Order order, Value lhs, Value rhs) {
  Fact fact{order, term(lhs), term(rhs)};
  if (fact.lhs == fact.rhs)
    return;
  auto index = static_cast<unsigned>(facts.size());
  facts.push_back(fact);
  factsOf[fact.lhs].push_back(index);
  factsOf[fact.rhs].push_back(index);
}

/// `predicate` as one of our orders, perhaps with the sides exchanged.
static std::optional<std::pair<Order, bool>>
toOrder(arith::CmpIPredicate predicate) {
  constexpr bool asIs = false, exchanged = true;
  switch (predicate) {
  case arith::CmpIPredicate::ult:
    return {{Order::ult, asIs}};
  case arith::CmpIPredicate::ule:
    return {{Order::ule, asIs}};
  case arith::CmpIPredicate::ugt:
    return {{Order::ult, exchanged}};
  case arith::CmpIPredicate::uge:
    return {{Order::ule, exchanged}};
  case arith::CmpIPredicate::slt:
    return {{Order::slt, asIs}};
  case arith::CmpIPredicate::sle:
    return {{Order::sle, asIs}};
  case arith::CmpIPredicate::sgt:
    return {{Order::slt, exchanged}};
  case arith::CmpIPredicate::sge:
    return {{Order::sle, exchanged}};
  case arith::CmpIPredicate::eq:
  case arith::CmpIPredicate::ne:
    return std::nullopt;
  }
  llvm_unreachable("covered switch");
}

void ValueFacts::addComparison(arith::CmpIPredicate predicate, Value lhs,
                               Value rhs) {
  if (predicate == arith::CmpIPredicate::eq) {
    for (Order order : {Order::ule, Order::sle}) {
      add(order, lhs, rhs);
      add(order, rhs, lhs);
    }
  } else if (auto order = toOrder(predicate)) {
    auto [kind, isExchanged] = *order;
    add(kind, isExchanged ? rhs : lhs, isExchanged ? lhs : rhs);
  }
}

void ValueFacts::addCondition(Value condition, bool holds) {
  bool inverted = false;
  condition = stripBooleanCasts(condition, inverted);
  holds ^= inverted;
  Operation *op = condition.getDefiningOp();
  if (!op)
    return;
  if (std::optional<arith::CmpIPredicate> predicate = getPredicate(op))
    return addComparison(holds ? *predicate
                               : arith::invertPredicate(*predicate),
                         op->getOperand(0), op->getOperand(1));

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
  if (depth == 0)
    return ConstantIntRanges::maxRange(width);
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
  return expression->inferRange(ranges, width);
}

namespace {

/// How a block argument changes from one iteration of a loop to the next.
struct Movement {
  bool neverSinks = true;
  bool neverSinksSigned = true;
  bool neverRises = true;
  bool needsNonNegativeStart = false; ///< for `neverRises`

  /// Adds the step by which `argument` becomes `next`. Returns false when that
  /// is no step of a known direction.
  bool add(BlockArgument argument, Value next);
};

bool Movement::add(BlockArgument argument, Value next) {
  std::optional<Expression> step = getExpression(next);
  if (!step || step->operands[0] != argument)
    return false;
  std::optional<APInt> amount = step->operands.size() == 2
                                    ? getConstant(step->operands[1])
                                    : std::nullopt;
  switch (step->kind) {
  case Kind::add:
    neverSinks &= step->noUnsignedWrap;
    neverSinksSigned &= step->noSignedWrap && amount && amount->isNonNegative();
    neverRises = false;
    return true;
  case Kind::sub:
    neverRises &= step->noUnsignedWrap;
    break;
  case Kind::shrU:
  case Kind::divU:
    break;
  case Kind::shrS:
    needsNonNegativeStart = true;
    break;
  case Kind::divS:
    neverRises &= amount && amount->isStrictlyPositive();
    needsNonNegativeStart = true;
    break;
  default:
    return false;
  }
  neverSinks = neverSinksSigned = false;
  return true;
}

} // namespace

ConstantIntRanges ValueFacts::rangeOfIncoming(Block *from, Block *to,
                                              Value value, unsigned depth) {
  // Facts are about the latest instances of values. What comes from the
  // iteration before is an earlier one.
  llvm::SaveAndRestore guard(ignoresFacts,
                             ignoresFacts || dominance.dominates(to, from));
  return rangeOf(term(value), depth);
}

ConstantIntRanges ValueFacts::rangeOfBlockArgument(BlockArgument argument,
                                                   unsigned depth) {
  auto unknown = ConstantIntRanges::maxRange(getWidth(argument));
  Block *block = argument.getOwner();
  if (block->isEntryBlock() || !openArguments.insert(argument).second)
    return unknown;
  llvm::scope_exit close([&] { openArguments.erase(argument); });

  std::optional<ConstantIntRanges> start;
  std::optional<Movement> movement;
  for (auto pred = block->pred_begin(), end = block->pred_end(); pred != end;
       ++pred) {
    auto branch = dyn_cast<BranchOpInterface>((*pred)->getTerminator());
    Value incoming =
        branch ? branch.getSuccessorOperands(
                     pred.getSuccessorIndex())[argument.getArgNumber()]
               : Value();
    if (!incoming)
      return unknown;
    if (incoming == argument)
      continue;
    Movement next = movement.value_or(Movement());
    if (next.add(argument, incoming)) {
      movement = next;
      continue;
    }
    ConstantIntRanges range =
        rangeOfIncoming(*pred, block, incoming, depth - 1);
    start = start ? start->rangeUnion(range) : range;
  }
  if (!start || !movement)
    return start.value_or(unknown);
  bool neverRises = movement->neverRises && (!movement->needsNonNegativeStart ||
                                             start->smin().isNonNegative());
  return ConstantIntRanges(
      movement->neverSinks ? start->umin() : unknown.umin(),
      neverRises ? start->umax() : unknown.umax(),
      movement->neverSinksSigned ? start->smin() : unknown.smin(),
      unknown.smax());
}

/// The values that are in `order` with some value of `other`: on its left side,
/// or on its right.
static ConstantIntRanges getOrdered(Order order, bool isLeft,
                                    const ConstantIntRanges &other) {
  unsigned width = other.umin().getBitWidth();
  auto unknown = ConstantIntRanges::maxRange(width);
  switch (order) {
  case Order::ult:
    if (isLeft ? other.umax().isZero() : other.umin().isMaxValue())
      return unknown;
    return isLeft ? ConstantIntRanges::fromUnsigned(APInt::getZero(width),
                                                    other.umax() - 1)
                  : ConstantIntRanges::fromUnsigned(other.umin() + 1,
                                                    APInt::getMaxValue(width));
  case Order::ule:
    return isLeft ? ConstantIntRanges::fromUnsigned(APInt::getZero(width),
                                                    other.umax())
                  : ConstantIntRanges::fromUnsigned(other.umin(),
                                                    APInt::getMaxValue(width));
  case Order::slt:
    if (isLeft ? other.smax().isMinSignedValue()
               : other.smin().isMaxSignedValue())
      return unknown;
    return isLeft
               ? ConstantIntRanges::fromSigned(APInt::getSignedMinValue(width),
                                               other.smax() - 1)
               : ConstantIntRanges::fromSigned(other.smin() + 1,
                                               APInt::getSignedMaxValue(width));
  case Order::sle:
    return isLeft
               ? ConstantIntRanges::fromSigned(APInt::getSignedMinValue(width),
                                               other.smax())
               : ConstantIntRanges::fromSigned(other.smin(),
                                               APInt::getSignedMaxValue(width));
  }
  llvm_unreachable("covered switch");
}

ConstantIntRanges ValueFacts::restrictByFacts(Value value,
                                              ConstantIntRanges range,
                                              unsigned depth) {
  ConstantIntRanges restricted = range;
  for (const Fact &fact : getFactsAbout(value)) {
    bool isLeft = fact.lhs == value;
    Value other = isLeft ? fact.rhs : fact.lhs;
    if (getWidth(other) != getWidth(value))
      continue;
    // Facts about facts would be costly: the other side by its definition only.
    std::optional<APInt> constant = getConstant(other);
    ConstantIntRanges bound =
        constant ? ConstantIntRanges::constant(*constant)
                 : rangeByDefinition(other, std::min(depth, 2u) - 1);
    restricted = restricted.intersection(getOrdered(fact.order, isLeft, bound));
  }
  // What one view tells, the other knows where signs are known.
  restricted = restricted
                   .intersection(ConstantIntRanges::fromSigned(
                       restricted.smin(), restricted.smax()))
                   .intersection(ConstantIntRanges::fromUnsigned(
                       restricted.umin(), restricted.umax()));
  // Contradictory facts: control does not come here.
  bool isEmpty = restricted.umin().ugt(restricted.umax()) ||
                 restricted.smin().sgt(restricted.smax());
  return isEmpty ? range : restricted;
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
  return llvm::any_of(getFactsAbout(lhs), [&](const Fact &fact) {
    if (fact.lhs != lhs)
      return false;
    bool isSigned = fact.order == Order::slt || fact.order == Order::sle;
    bool isStrict = fact.order == Order::ult || fact.order == Order::slt;
    // From 0 on, the signed order is the unsigned one.
    if (isSigned && !isNonNegative(lhs, depth))
      return false;
    return isStrict ? isAtMost(fact.rhs, rhs, depth)
                    : isBelow(fact.rhs, rhs, depth);
  });
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
  for (const Fact &fact : getFactsAbout(lhs)) {
    bool isUnsigned = fact.order == Order::ult || fact.order == Order::ule;
    if (isUnsigned && fact.lhs == lhs && isAtMost(fact.rhs, rhs, depth - 1))
      return true;
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
  if (std::optional<arith::CmpIPredicate> predicate = getPredicate(op)) {
    auto order =
        toOrder(inverted ? arith::invertPredicate(*predicate) : *predicate);
    if (!order)
      return false;
    auto [kind, isExchanged] = *order;
    return isImplied(kind, term(op->getOperand(isExchanged ? 1 : 0)),
                     term(op->getOperand(isExchanged ? 0 : 1)), depth);
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
