// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 32 values of a register while code for them is made. What is the same in
// all lanes, or rises evenly from lane to lane, is one scalar; only the rest
// is a vector. Nothing is said of lanes that do not execute.

#ifndef TESSERA_VGPU_JIT_LANES_H
#define TESSERA_VGPU_JIT_LANES_H

#include "llvm/IR/IRBuilder.h"

#include <cstdint>

namespace tessera::vgpu::jit {

using Builder = llvm::IRBuilder<>;

/// How values vary from lane to lane.
struct Shape {
  enum class Kind : std::uint8_t {
    unknown, ///< no value yet: below all others
    uniform, ///< the same in all lanes
    linear,  ///< lane i has `i * stride` more than lane 0
    varying,
  };
  Kind kind = Kind::unknown;
  std::int64_t stride = 0;

  static Shape uniform() { return {Kind::uniform, 0}; }
  static Shape varying() { return {Kind::varying, 0}; }
  /// Uniform when `stride` is 0.
  static Shape linear(std::int64_t stride) {
    return stride ? Shape{Kind::linear, stride} : uniform();
  }
  [[nodiscard]] bool isScalar() const { return kind != Kind::varying; }
  [[nodiscard]] bool isUniform() const { return kind == Kind::uniform; }
  friend bool operator==(const Shape &, const Shape &) = default;
  /// The least shape above both.
  friend Shape join(const Shape &a, const Shape &b) {
    if (a.kind == Kind::unknown || a == b)
      return b;
    return b.kind == Kind::unknown ? a : varying();
  }
};

/// The values of a register: integers of 8 to 64 bits.
struct Lanes {
  /// The value of lane 0 when the shape is scalar, else a vector of 32.
  llvm::Value *value = nullptr;
  Shape shape = Shape::uniform();
  /// f32 only: the same number before its NaNs were made canonical. What
  /// treats all NaNs alike uses it, so that most are never made so.
  llvm::Value *raw = nullptr;
  /// `value` without its sign, of this number.
  llvm::Value *magnitudeOf = nullptr;

  [[nodiscard]] unsigned width() const {
    return value->getType()->getScalarSizeInBits();
  }
};

/// 32 truth values: an i1 when they are all the same, else a vector.
struct Truth {
  llvm::Value *value = nullptr;
  /// The value that was tested for NaN.
  llvm::Value *isNanOf = nullptr;

  [[nodiscard]] bool isUniform() const {
    return !value->getType()->isVectorTy();
  }
};

inline constexpr unsigned laneCount = 32;

[[nodiscard]] llvm::FixedVectorType *vectorOf(llvm::Type *element);
/// `<0, stride, 2 * stride, …>`.
[[nodiscard]] llvm::Constant *laneMultiples(llvm::Type *element,
                                            std::int64_t stride);
/// The values as a vector, whatever their shape.
[[nodiscard]] llvm::Value *asVector(Builder &builder, const Lanes &lanes);
[[nodiscard]] llvm::Value *asVector(Builder &builder, const Truth &truth);
/// A bit per lane, in an i32.
[[nodiscard]] llvm::Value *asMask(Builder &builder, const Truth &truth);
[[nodiscard]] Truth fromMask(Builder &builder, llvm::Value *mask);

} // namespace tessera::vgpu::jit

#endif // TESSERA_VGPU_JIT_LANES_H
