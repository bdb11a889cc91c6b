// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of a matrix instruction on matrices that lie in plain arrays,
// row by row.
//
// Integers, single bits and `.f64` (a chain of fused multiply-adds by rising k)
// are exact by definition. How the sums of the other types are rounded, the
// manual leaves open. `MatrixSum` describes what an H200 does, bit for bit:
// recorded answers of every form are in tests/conformance. Its results may
// differ from the exact sum by what `sumTolerance` says.

#ifndef TESSERA_VGPU_MATRIX_MULTIPLY_H
#define TESSERA_VGPU_MATRIX_MULTIPLY_H

#include "ptx/semantics/fragments.h"

#include <cstdint>

namespace tessera::vgpu {

/// What is kept of a sum.
enum class SumPrecision : std::uint8_t {
  single,  ///< `.f32`, cut
  reduced, ///< `.f32` with 13 bits of fraction, cut
  half,    ///< `.f16`, rounded to nearest even
};

/// How the elements of two matrices are combined.
struct MatrixSum {
  enum class Kind : std::uint8_t {
    exact,   ///< fused multiply-adds in double precision, by rising k
    bitsAnd, ///< the number of ones in `a & b`, for words
    bitsXor, ///< the number of ones in `a ^ b`, for words
    singles, ///< fused multiply-adds in `.f32`, by rising k; then D is added
    aligned, ///< see below
  };
  Kind kind = Kind::exact;

  // A block of products and what has been summed before are aligned to the
  // largest exponent among them, cut `fractionBits` below it, and added without
  // error; the sum is then brought to `precision`.
  std::uint32_t block = 0; ///< products that are added at once
  int fractionBits = 25;
  SumPrecision precision = SumPrecision::single;
  /// Blocks begin at 0; D is added last, in its own type and to nearest even.
  bool addsLast = false;
  /// The least exponents of the types: of smaller numbers, too.
  int leastA = 0, leastB = 0, leastD = 0;
};

/// The sum of a warp's products of these types: `mma` and `wmma`.
[[nodiscard]] MatrixSum mmaSum(ptx::MatrixShape shape, ptx::Type a, ptx::Type b,
                               ptx::Type c, ptx::Type d);
/// The same for `wgmma`.
[[nodiscard]] MatrixSum wgmmaSum(ptx::MatrixShape shape, ptx::Type a,
                                 ptx::Type b, ptx::Type d);

/// The place along k that element `k` of a multiplicand is summed at.
[[nodiscard]] std::uint32_t
sumPosition(const MatrixSum &sum, ptx::MatrixShape shape, std::uint32_t k);

/// d += a * b, where `a` is m by k, `b` k by n and `d` m by n; n is a multiple
/// of 8.
void multiplyAdd(const MatrixSum &sum, ptx::MatrixShape shape, const double *a,
                 const double *b, double *d);

/// How far a result of `.f32` may be from the exact sum: as a fraction of the
/// largest magnitude among the products and the accumulator, on top of one unit
/// of the result's last place. 0 where sums are exact.
[[nodiscard]] double sumTolerance(const MatrixSum &sum, std::uint32_t k);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MATRIX_MULTIPLY_H
