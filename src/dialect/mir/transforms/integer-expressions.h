// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on integers as the analyses of this folder see them: the same for
// the `llvm` and `arith` dialects.

#ifndef TESSERA_DIALECT_MIR_TRANSFORMS_INTEGEREXPRESSIONS_H
#define TESSERA_DIALECT_MIR_TRANSFORMS_INTEGEREXPRESSIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"

#include <optional>

namespace tessera::mir {

/// U and S stand for unsigned and signed.
enum class ExpressionKind {
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
  ExpressionKind kind;
  llvm::SmallVector<mlir::Value, 3> operands;
  bool noSignedWrap = false;
  bool noUnsignedWrap = false;

  /// The values that the expression has for operands in `ranges`, `width` bits
  /// wide.
  [[nodiscard]] mlir::ConstantIntRanges
  inferRange(llvm::ArrayRef<mlir::ConstantIntRanges> ranges,
             unsigned width) const;
};

/// How `value` is computed, where that is an operation on scalar integers.
[[nodiscard]] std::optional<Expression> getExpression(mlir::Value value);

/// The comparison of integers that `op` makes, if it makes one.
[[nodiscard]] std::optional<mlir::arith::CmpIPredicate>
getPredicate(mlir::Operation *op);

[[nodiscard]] std::optional<llvm::APInt> getConstant(mlir::Value value);

/// Whether `value` is the boolean constant `expected`.
[[nodiscard]] bool isBoolean(mlir::Value value, bool expected);

/// Booleans often go through memory as bytes: the boolean that was extended
/// before `condition` was truncated or compared with zero from it. `inverted`
/// flips when the comparison says "is zero".
[[nodiscard]] mlir::Value stripBooleanCasts(mlir::Value condition,
                                            bool &inverted);

/// What the special register that `op` reads can hold: thread indices and block
/// sizes, by the kernel's block shape where it is known, lanes, the warp size.
[[nodiscard]] std::optional<mlir::ConstantIntRanges>
getRegisterRange(mlir::Operation *op);

} // namespace tessera::mir

#endif // TESSERA_DIALECT_MIR_TRANSFORMS_INTEGEREXPRESSIONS_H
