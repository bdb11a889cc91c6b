// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests know about the elements of matrices, from the definitions of
// the formats and independently of the virtual GPU.

#ifndef TESSERA_TESTS_VGPU_MATRIX_NUMBERS_H
#define TESSERA_TESTS_VGPU_MATRIX_NUMBERS_H

#include "ptx/types.h"

#include <cstdint>
#include <random>
#include <vector>

namespace tessera::vgpu::test {

using Random = std::mt19937;

/// Bits of an element in a register or in memory; 1 for `.b1`.
std::uint32_t bitsOf(ptx::Type type);
/// The number that the low bits of `bits` stand for.
double valueOf(ptx::Type type, std::uint64_t bits);
/// An element whose magnitude is moderate: sums of many products are neither
/// infinite nor lost. `.tf32` elements have arbitrary low bits.
std::uint64_t randomElement(ptx::Type type, Random &random);
/// Zeros, denormals, the largest numbers, infinities and NaNs of a format;
/// the extremes of an integer.
std::vector<std::uint64_t> specialElements(ptx::Type type);
/// The largest finite number of a format.
double largestOf(ptx::Type type);
/// The magnitude of a number as sums are aligned: denormals count as the least
/// normal number.
double magnitudeOf(ptx::Type type, double value);
/// One unit of the last place of a result of `type` near `value`.
double unitOf(ptx::Type type, double value);

} // namespace tessera::vgpu::test

#endif // TESSERA_TESTS_VGPU_MATRIX_NUMBERS_H
