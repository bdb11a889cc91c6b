// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/multiply.h"

#include <bit>
#include <cmath>
#include <cstddef>

using namespace tessera::vgpu;
using tessera::ptx::MatrixShape;
using tessera::ptx::Type;

// A fused multiply-add is an instruction of the hosts that matter; where it is
// none, the library's function gives the same results slowly.
#if defined(__x86_64__)
#define TESSERA_FUSED                                                          \
  __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define TESSERA_FUSED
#endif

namespace {

/// Columns that are calculated together: what fits vector registers.
constexpr std::uint32_t stripWidth = 8;

TESSERA_FUSED void multiplyProducts(MatrixShape shape, const double *a,
                                    const double *b, double *d) {
  const std::size_t n = shape.n;
  for (std::size_t strip = 0; strip < n; strip += stripWidth)
    for (std::size_t row = 0; row < shape.m; ++row) {
      double sums[stripWidth];
      double *to = d + row * n + strip;
      for (std::uint32_t i = 0; i < stripWidth; ++i)
        sums[i] = to[i];
      for (std::size_t k = 0; k < shape.k; ++k) {
        const double factor = a[row * shape.k + k];
        const double *from = b + k * n + strip;
        for (std::uint32_t i = 0; i < stripWidth; ++i)
          sums[i] = __builtin_fma(factor, from[i], sums[i]);
      }
      for (std::uint32_t i = 0; i < stripWidth; ++i)
        to[i] = sums[i];
    }
}

template <bool isXor>
void multiplyBits(MatrixShape shape, const double *a, const double *b,
                  double *d) {
  for (std::size_t row = 0; row < shape.m; ++row)
    for (std::size_t k = 0; k < shape.k; ++k) {
      const auto left = std::uint32_t(a[row * shape.k + k]);
      for (std::size_t column = 0; column < shape.n; ++column) {
        const auto right = std::uint32_t(b[k * shape.n + column]);
        d[row * shape.n + column] +=
            std::popcount(isXor ? left ^ right : left & right);
      }
    }
}

} // namespace

void tessera::vgpu::multiplyAdd(MatrixArithmetic arithmetic, MatrixShape shape,
                                const double *a, const double *b, double *d) {
  switch (arithmetic) {
  case MatrixArithmetic::product:
    return multiplyProducts(shape, a, b, d);
  case MatrixArithmetic::bitsAnd:
    return multiplyBits<false>(shape, a, b, d);
  case MatrixArithmetic::bitsXor:
    return multiplyBits<true>(shape, a, b, d);
  }
}

double tessera::vgpu::sumTolerance(Type type, std::uint32_t k) {
  // Each of the k + 1 terms loses less than one unit of the last kept place;
  // the largest term's mantissa lies below 4 (a product of two below 2).
  const double terms = k + 1;
  switch (type) {
  case Type::f16:
  case Type::bf16:
  case Type::tf32:
    return terms * 0x1p-22;
  case Type::e4m3:
  case Type::e5m2:
    return terms * 0x1p-12;
  default:
    return 0;
  }
}
