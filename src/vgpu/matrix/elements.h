// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of matrices as numbers. Every multiplicand and accumulator of
// the tensor cores is exact in double precision, so that is what the virtual
// GPU calculates with; a word of 32 `.b1` elements counts as one number.
//
// No function here has state.

#ifndef TESSERA_VGPU_MATRIX_ELEMENTS_H
#define TESSERA_VGPU_MATRIX_ELEMENTS_H

#include "ptx/types.h"

#include <cstddef>
#include <cstdint>

namespace tessera::vgpu {

/// Decodes `bytes` bytes of elements that lie side by side, from the low bits
/// of each byte on.
using Unpack = void (*)(const void *from, std::size_t bytes, double *to);
/// Encodes numbers to `bytes` bytes of elements, rounding to nearest even. A
/// result that is not a number becomes the canonical NaN.
using Pack = void (*)(const double *from, std::size_t bytes, void *to);

/// Bits of one element as the arithmetic counts them: 32 for `.b1`.
[[nodiscard]] std::uint32_t elementBits(ptx::Type type);

/// Null for types that no matrix has.
[[nodiscard]] Unpack unpackOf(ptx::Type type);
/// For `.f16`, `.f32`, `.f64` and `.s32`, which wraps around or `saturates`;
/// null for other types.
[[nodiscard]] Pack packOf(ptx::Type type, bool saturates);

/// To the nearest `.f16`, ties to even.
[[nodiscard]] double roundToHalf(double value);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MATRIX_ELEMENTS_H
