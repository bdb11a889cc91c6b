// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about integer values at one point of a function: the
// conditions that control has passed on its way there, and what follows from
// how values are computed.

#ifndef TESSERA_DIALECT_MIR_TRANSFORMS_VALUEFACTS_H
#define TESSERA_DIALECT_MIR_TRANSFORMS_VALUEFACTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tessera::mir {

/// Orders of integers; the others are these with the sides exchanged.
enum class Order { ult, ule, slt, sle };

/// Facts are pushed as a walk over the dominator tree goes down and dropped as
/// it comes back up. A fact about a slice is one about its length.
class ValueFacts {
public:
  explicit ValueFacts(mlir::DominanceInfo &dominance) : dominance(dominance) {}

  /// The number of facts, to return to with `rewind`.
  [[nodiscard]] size_t mark() const { return facts.size(); }
  void rewind(size_t mark);

  /// Notes that `lhs` is in `order` with `rhs`.
  void add(Order order, mlir::Value lhs, mlir::Value rhs);

  /// Notes what follows from the boolean `condition` being `holds`.
  void addCondition(mlir::Value condition, bool holds);

  /// Whether `lhs` is certainly below `rhs`, both unsigned.
  [[nodiscard]] bool isBelow(mlir::Value lhs, mlir::Value rhs) {
    return isBelow(term(lhs), term(rhs), maxDepth);
  }

  /// Whether `lhs` is certainly not above `rhs`, both unsigned.
  [[nodiscard]] bool isAtMost(mlir::Value lhs, mlir::Value rhs) {
    return isAtMost(term(lhs), term(rhs), maxDepth);
  }

  /// Whether the boolean `condition` certainly holds.
  [[nodiscard]] bool holds(mlir::Value condition) {
    return holds(condition, maxDepth);
  }

  /// The values that `value` can have.
  [[nodiscard]] mlir::ConstantIntRanges rangeOf(mlir::Value value) {
    return rangeOf(term(value), maxDepth);
  }

private:
  struct Fact {
    Order order;
    mlir::Value lhs, rhs;
  };

  /// How many definitions or facts a proof may go through in a row.
  static constexpr unsigned maxDepth = 6;

  /// How many facts about one value a proof looks at.
  static constexpr unsigned maxFacts = 32;

  /// What facts about `value` are kept under: lengths of slices under the value
  /// that made the slice so long, or else the slice; checked indices under the
  /// index.
  [[nodiscard]] static mlir::Value term(mlir::Value value);

  bool isBelow(mlir::Value lhs, mlir::Value rhs, unsigned depth);
  bool isBelowByFacts(mlir::Value lhs, mlir::Value rhs, unsigned depth);
  bool isBelowByDefinition(mlir::Value lhs, mlir::Value rhs, unsigned depth);
  bool isAtMost(mlir::Value lhs, mlir::Value rhs, unsigned depth);
  bool isNonNegative(mlir::Value value, unsigned depth);
  bool holds(mlir::Value condition, unsigned depth);
  bool isImplied(Order order, mlir::Value lhs, mlir::Value rhs, unsigned depth);

  mlir::ConstantIntRanges rangeOf(mlir::Value value, unsigned depth);
  mlir::ConstantIntRanges rangeByDefinition(mlir::Value value, unsigned depth);
  mlir::ConstantIntRanges rangeOfBlockArgument(mlir::BlockArgument argument,
                                               unsigned depth);
  mlir::ConstantIntRanges rangeOfIncoming(mlir::Block *from, mlir::Block *to,
                                          mlir::Value value, unsigned depth);
  mlir::ConstantIntRanges restrictByFacts(mlir::Value value,
                                          mlir::ConstantIntRanges range,
                                          unsigned depth);

  void addComparison(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                     mlir::Value rhs);

  /// The latest facts with `value` on either side.
  [[nodiscard]] llvm::SmallVector<Fact, 8>
  getFactsAbout(mlir::Value value) const;

  mlir::DominanceInfo &dominance;
  llvm::SmallVector<Fact> facts;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> factsOf;
  llvm::SmallPtrSet<mlir::Value, 8>
      openArguments; ///< block arguments being looked at
  bool ignoresFacts = false;
};

} // namespace tessera::mir

#endif // TESSERA_DIALECT_MIR_TRANSFORMS_VALUEFACTS_H
