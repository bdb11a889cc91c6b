// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/multiply.h"
#include "vgpu/matrix/elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

using namespace tessera::vgpu;
using tessera::ptx::MatrixShape;
using tessera::ptx::Type;

// Fused multiply-adds and roundings are instructions of the hosts that matter;
// where they are none, the library's functions give the same results slowly.
#if defined(__x86_64__)
#define TESSERA_VECTORS                                                        \
  __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define TESSERA_VECTORS
#endif

namespace {

/// Columns that are calculated together: what fits vector registers.
constexpr std::uint32_t stripWidth = 8;

//===----------------------------------------------------------------------===//
// Exact sums
//===----------------------------------------------------------------------===//

TESSERA_VECTORS void multiplyExact(MatrixShape shape, const double *a,
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

TESSERA_VECTORS void multiplySingles(MatrixShape shape, const double *a,
                                     const double *b, double *d) {
  for (std::size_t row = 0; row < shape.m; ++row)
    for (std::size_t column = 0; column < shape.n; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < shape.k; ++k)
        sum = __builtin_fmaf(float(a[row * shape.k + k]),
                             float(b[k * shape.n + column]), sum);
      double &to = d[row * shape.n + column];
      to = double(sum + float(to));
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

//===----------------------------------------------------------------------===//
// Aligned sums
//===----------------------------------------------------------------------===//

/// Exponents of what takes no part in a sum, and of infinities and NaNs. Sums
/// of two of them stay beyond the limits.
constexpr int zeroExponent = -4000, specialExponent = 20000;
constexpr int leastExponent = -1000, largestExponent = 1000;

inline int exponentOf(double value, int least) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int field = int(bits >> 52 & 0x7ff);
  const int exponent = std::max(field - 1023, least);
  return field == 0       ? zeroExponent
         : field == 0x7ff ? specialExponent
                          : exponent;
}

inline double powerOfTwo(int exponent) {
  return std::bit_cast<double>(std::uint64_t(exponent + 1023) << 52);
}

/// The number without what lies below `fraction` bits of its significand, or of
/// that of the least normal `.f32`.
double cutSingle(double value, int fraction) {
  constexpr double leastNormal = 0x1p-126, limit = 0x1p128;
  if (std::fabs(value) >= limit)
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  if (std::fabs(value) < leastNormal) {
    const double unit = powerOfTwo(-126 - fraction);
    return std::trunc(value / unit) * unit;
  }
  const std::uint64_t cut = (std::uint64_t(1) << (52 - fraction)) - 1;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~cut);
}

double bringTo(SumPrecision precision, double value) {
  switch (precision) {
  case SumPrecision::single:
    return cutSingle(value, 23);
  case SumPrecision::reduced:
    return cutSingle(value, 13);
  case SumPrecision::half:
    break;
  }
  return roundToHalf(value);
}

/// A and B with the exponents of their elements.
struct AlignedFactors {
  MatrixShape shape;
  const double *a, *b;
  std::vector<int> aExponents, bExponents;
};

/// Adds the products `firstK` to `endK` of one row and a strip of columns to
/// `sums`.
TESSERA_VECTORS void addBlock(const MatrixSum &sum,
                              const AlignedFactors &factors, std::size_t row,
                              std::size_t strip, std::size_t firstK,
                              std::size_t endK, double *sums) {
  const std::size_t n = factors.shape.n;
  const double *a = factors.a + row * factors.shape.k;
  const int *aExponents = factors.aExponents.data() + row * factors.shape.k;
  const double *b = factors.b + strip;
  const int *bExponents = factors.bExponents.data() + strip;

  int top[stripWidth];
  for (std::uint32_t i = 0; i < stripWidth; ++i)
    top[i] = exponentOf(sums[i], sum.leastD);
  for (std::size_t k = firstK; k < endK; ++k)
    for (std::uint32_t i = 0; i < stripWidth; ++i)
      top[i] = std::max(top[i], aExponents[k] + bExponents[k * n + i]);

  double scales[stripWidth], totals[stripWidth], plain[stripWidth];
  for (std::uint32_t i = 0; i < stripWidth; ++i) {
    const int bounded = std::clamp(top[i], leastExponent, largestExponent - 1);
    scales[i] = powerOfTwo(sum.fractionBits - bounded);
    totals[i] = __builtin_trunc(sums[i] * scales[i]);
    plain[i] = sums[i];
  }
  for (std::size_t k = firstK; k < endK; ++k)
    for (std::uint32_t i = 0; i < stripWidth; ++i) {
      const double product = a[k] * b[k * n + i];
      totals[i] += __builtin_trunc(product * scales[i]);
      plain[i] += product;
    }
  for (std::uint32_t i = 0; i < stripWidth; ++i) {
    // Nothing but zeros, or something that is no number.
    const bool isPlain = top[i] < leastExponent || top[i] >= largestExponent;
    sums[i] =
        isPlain ? plain[i] : bringTo(sum.precision, totals[i] / scales[i]);
  }
}

/// `.f32` and `.f16` additions to nearest even.
double addTo(SumPrecision precision, double sum, double d) {
  return precision == SumPrecision::half ? sum + d
                                         : double(float(sum) + float(d));
}

void multiplyAligned(const MatrixSum &sum, MatrixShape shape, const double *a,
                     const double *b, double *d) {
  AlignedFactors factors{.shape = shape,
                         .a = a,
                         .b = b,
                         .aExponents = std::vector<int>(shape.m * shape.k),
                         .bExponents = std::vector<int>(shape.k * shape.n)};
  for (std::size_t i = 0; i < factors.aExponents.size(); ++i)
    factors.aExponents[i] = exponentOf(a[i], sum.leastA);
  for (std::size_t i = 0; i < factors.bExponents.size(); ++i)
    factors.bExponents[i] = exponentOf(b[i], sum.leastB);

  for (std::size_t row = 0; row < shape.m; ++row)
    for (std::size_t strip = 0; strip < shape.n; strip += stripWidth) {
      double sums[stripWidth] = {};
      double *to = d + row * shape.n + strip;
      if (!sum.addsLast)
        std::copy_n(to, stripWidth, sums);
      for (std::size_t k = 0; k < shape.k; k += sum.block)
        addBlock(sum, factors, row, strip, k,
                 std::min<std::size_t>(k + sum.block, shape.k), sums);
      for (std::uint32_t i = 0; i < stripWidth; ++i)
        to[i] = sum.addsLast ? addTo(sum.precision, sums[i], to[i]) : sums[i];
    }
}

int leastExponentOf(Type type) {
  switch (type) {
  case Type::f16:
  case Type::e5m2:
    return -14;
  case Type::e4m3:
    return -6;
  default:
    return -126;
  }
}

bool isFp8(Type type) { return type == Type::e4m3 || type == Type::e5m2; }

bool isRounded(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::tf32 ||
         isFp8(type);
}

} // namespace

MatrixSum tessera::vgpu::mmaSum(MatrixShape shape, Type a, Type b, Type c,
                                Type d) {
  if (!isRounded(a))
    return {};
  if (shape == MatrixShape{8, 8, 4})
    return {.kind = MatrixSum::Kind::singles};
  MatrixSum sum{.kind = MatrixSum::Kind::aligned,
                .block = shape.k,
                .precision =
                    d == Type::f16 ? SumPrecision::half : SumPrecision::single,
                .leastA = leastExponentOf(a),
                .leastB = leastExponentOf(b),
                .leastD = leastExponentOf(c)};
  // Such products are made of two of .f16, without an accumulator.
  if (isFp8(a)) {
    sum.block = shape.k / 2;
    sum.addsLast = true;
    sum.leastA = sum.leastB = leastExponentOf(Type::f16);
  }
  return sum;
}

MatrixSum tessera::vgpu::wgmmaSum(MatrixShape shape, Type a, Type b, Type d) {
  if (!isRounded(a))
    return {};
  const SumPrecision wide =
      isFp8(a) ? SumPrecision::reduced : SumPrecision::single;
  return {.kind = MatrixSum::Kind::aligned,
          .block = shape.k,
          .fractionBits = isFp8(a) ? 13 : 25,
          .precision = d == Type::f16 ? SumPrecision::half : wide,
          .leastA = leastExponentOf(a),
          .leastB = leastExponentOf(b),
          .leastD = leastExponentOf(d)};
}

std::uint32_t tessera::vgpu::sumPosition(const MatrixSum &sum,
                                         MatrixShape shape, std::uint32_t k) {
  // Where one product is made of two, each register of A and B gives one half
  // of its elements to each.
  if (!sum.addsLast)
    return k;
  return k % 4 / 2 * (shape.k / 2) + k / 4 * 2 + k % 2;
}

void tessera::vgpu::multiplyAdd(const MatrixSum &sum, MatrixShape shape,
                                const double *a, const double *b, double *d) {
  switch (sum.kind) {
  case MatrixSum::Kind::exact:
    return multiplyExact(shape, a, b, d);
  case MatrixSum::Kind::bitsAnd:
    return multiplyBits<false>(shape, a, b, d);
  case MatrixSum::Kind::bitsXor:
    return multiplyBits<true>(shape, a, b, d);
  case MatrixSum::Kind::singles:
    return multiplySingles(shape, a, b, d);
  case MatrixSum::Kind::aligned:
    return multiplyAligned(sum, shape, a, b, d);
  }
}

double tessera::vgpu::sumTolerance(const MatrixSum &sum, std::uint32_t k) {
  switch (sum.kind) {
  case MatrixSum::Kind::aligned:
    // Each term loses less than one unit of the last kept place, and each block
    // one of its result.
    return (k + 1) * std::ldexp(1, 2 - sum.fractionBits) +
           k / sum.block *
               (sum.precision == SumPrecision::half      ? 0x1p-10
                : sum.precision == SumPrecision::reduced ? 0x1p-12
                                                         : 0x1p-22) *
               k;
  case MatrixSum::Kind::singles:
    return (k + 1) * k * 0x1p-23;
  default:
    return 0;
  }
}
