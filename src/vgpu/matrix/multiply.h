// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of a matrix instruction on matrices that lie in plain arrays,
// row by row.
//
// How results differ from a real GPU's. Integers, single bits and `.f64` (a
// chain of fused multiply-adds by rising k) are the same bit for bit. For the
// other types products are exact here and there; here they are summed in
// double precision and rounded once, to nearest even. The hardware aligns the
// products and the accumulator to the largest of them and cuts what falls
// below a fixed number of bits, before it adds them. `sumTolerance` bounds the
// difference.

#ifndef TESSERA_VGPU_MATRIX_MULTIPLY_H
#define TESSERA_VGPU_MATRIX_MULTIPLY_H

#include "ptx/semantics/fragments.h"

#include <cstdint>

namespace tessera::vgpu {

/// What combines two elements.
enum class MatrixArithmetic : std::uint8_t {
  product,
  bitsAnd, ///< the number of ones in `a & b`, for words
  bitsXor, ///< the number of ones in `a ^ b`, for words
};

/// d += a * b, where `a` is m by k, `b` k by n and `d` m by n.
void multiplyAdd(MatrixArithmetic arithmetic, ptx::MatrixShape shape,
                 const double *a, const double *b, double *d);

/// For an instruction with multiplicands of `type` and results of `.f32`: how
/// far a real GPU's result may be from the virtual GPU's, as a fraction of the
/// largest magnitude among the products and the accumulator; the final
/// rounding of the result (one unit of its last place) comes on top. 0 for
/// types that are exact.
[[nodiscard]] double sumTolerance(ptx::Type type, std::uint32_t k);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MATRIX_MULTIPLY_H
