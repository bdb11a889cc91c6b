// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How sums of products are rounded, on cases small enough to do by hand. The
// rules were found on an H200; tests/conformance holds its answers.

#include "vgpu/matrix/multiply.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace tessera::vgpu;
using tessera::ptx::MatrixShape;
using tessera::ptx::Type;

namespace {

/// Row 0 of A times column 0 of B, plus `d`; all other elements are zero.
double sumOf(const MatrixSum &sum, MatrixShape shape,
             const std::vector<double> &left, const std::vector<double> &right,
             double d) {
  std::vector<double> a(shape.m * shape.k), b(shape.k * shape.n),
      c(shape.m * shape.n);
  for (std::size_t k = 0; k < left.size(); ++k) {
    a[k] = left[k];
    b[k * shape.n] = right[k];
  }
  c[0] = d;
  multiplyAdd(sum, shape, a.data(), b.data(), c.data());
  return c[0];
}

constexpr MatrixShape k16{16, 8, 16}, k32{16, 8, 32};
const MatrixSum half = mmaSum(k16, Type::f16, Type::f16, Type::f32, Type::f32);

TEST(Multiply, TermsAreCutBelowTheLargest) {
  // 25 bits below the largest exponent are kept: two halves of the last kept
  // place are lost, two whole ones are not.
  EXPECT_EQ(sumOf(half, k16, {0x1p-13, 0x1p-13}, {0x1p-13, 0x1p-13}, 1), 1);
  EXPECT_EQ(sumOf(half, k16, {0x1p-13, 0x1p-13, 0x1p-13, 0x1p-13},
                  {0x1p-12, 0x1p-12, 0x1p-12, 0x1p-12}, 1),
            1 + 0x1p-23);
  // Towards zero, for negative terms, too.
  EXPECT_EQ(sumOf(half, k16, {-0x1p-13}, {0x1p-13}, 1), 1);
  EXPECT_EQ(sumOf(half, k16, {-0x1p-13}, {0x1p-12}, 1), 1 - 0x1p-24);
}

TEST(Multiply, ResultsAreCut) {
  EXPECT_EQ(sumOf(half, k16, {0x1p-12, 0x1p-12, 0x1p-12},
                  {0x1p-12, 0x1p-12, 0x1p-13}, 1),
            1 + 0x1p-23);
  EXPECT_EQ(sumOf(half, k16, {0x1p-12, 0x1p-12, 0x1p-12},
                  {-0x1p-12, -0x1p-12, -0x1p-13}, -1),
            -1 - 0x1p-23);
}

TEST(Multiply, HalvesAreRoundedToNearest) {
  const MatrixSum sum = mmaSum(k16, Type::f16, Type::f16, Type::f16, Type::f16);
  EXPECT_EQ(sumOf(sum, k16, {0x1p-6}, {0x1p-5}, 1), 1);
  EXPECT_EQ(sumOf(sum, k16, {0x1p-6, 0x1p-12}, {0x1p-5, 0x1p-12}, 1),
            1 + 0x1p-10);
  EXPECT_EQ(sumOf(sum, k16, {65504.0}, {1.0}, 65504),
            std::numeric_limits<double>::infinity());
}

TEST(Multiply, Fp8KeepsThirteenBitsInWgmma) {
  const MatrixSum sum = wgmmaSum(k32, Type::e4m3, Type::e4m3, Type::f32);
  EXPECT_EQ(sumOf(sum, k32, {0x1p-7}, {0x1p-6}, 1), 1 + 0x1p-13);
  EXPECT_EQ(sumOf(sum, k32, {0x1p-7, 0x1p-7}, {0x1p-7, 0x1p-7}, 1), 1);
}

TEST(Multiply, Fp8AddsTheAccumulatorLastInMma) {
  const MatrixSum sum =
      mmaSum(k32, Type::e4m3, Type::e4m3, Type::f32, Type::f32);
  // In one sum with 2^24, each of the ones would count; 2^24 + 2 is exact.
  EXPECT_EQ(sumOf(sum, k32, {1, 1}, {1, 1}, 0x1p24), 0x1p24 + 2);
  // To nearest, ties to even.
  EXPECT_EQ(sumOf(sum, k32, {1}, {1}, 0x1p24), 0x1p24);
  EXPECT_EQ(sumOf(sum, k32, {1, 1, 1}, {1, 1, 1}, 0x1p24), 0x1p24 + 4);
}

TEST(Multiply, QuadPairsAddSingles) {
  const MatrixShape shape{8, 8, 4};
  const MatrixSum sum =
      mmaSum(shape, Type::f16, Type::f16, Type::f32, Type::f32);
  EXPECT_EQ(sumOf(sum, shape, {4096, 1, 1}, {4096, 1, 1}, 0), 0x1p24);
  EXPECT_EQ(sumOf(sum, shape, {1, 1, 4096}, {1, 1, 4096}, 0), 0x1p24 + 2);
}

TEST(Multiply, SmallResultsKeepTheUnitsOfDenormals) {
  const MatrixSum sum =
      mmaSum(k16, Type::bf16, Type::bf16, Type::f32, Type::f32);
  EXPECT_EQ(sumOf(sum, k16, {0x1p-75}, {0x1.8p-75}, 0), 0);
  EXPECT_EQ(sumOf(sum, k16, {0x1p-74}, {0x1.8p-75}, 0), 0x1p-149);
}

TEST(Multiply, InfinitiesAndNaNs) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sumOf(half, k16, {infinity}, {2}, 1), infinity);
  EXPECT_TRUE(std::isnan(sumOf(half, k16, {infinity}, {2}, -infinity)));
  EXPECT_TRUE(std::isnan(sumOf(half, k16, {infinity}, {0.0}, 1)));
  EXPECT_EQ(sumOf(half, k16, {}, {}, -infinity), -infinity);
}

} // namespace
