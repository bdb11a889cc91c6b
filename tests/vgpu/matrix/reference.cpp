// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tessera::vgpu::test {

using ptx::Type;

namespace {

struct Place {
  std::uint32_t row, column;
};

/// The names of the manual's formulas.
struct Thread {
  std::uint32_t lane;
  [[nodiscard]] std::uint32_t group() const { return lane >> 2; }
  [[nodiscard]] std::uint32_t inGroup() const { return lane % 4; }
};

Place placeOfA(const MmaCase &mma, Thread thread, std::uint32_t i) {
  const RegisterMatrix &a = mma.a;
  if (mma.isQuadPair()) {
    const std::uint32_t four = thread.lane < 16 ? 0 : 4;
    return mma.aIsRowMajor ? Place{thread.lane % 4 + four, i}
                           : Place{i % 4 + four, thread.lane % 4};
  }
  const std::uint32_t packing = a.packing(), reg = i / packing;
  const std::uint32_t column = thread.inGroup() * packing + i % packing;
  if (a.rows == 8)
    return {thread.group(), column};
  // Registers take turns between the upper and the lower eight rows, and every
  // two of them cover a further 16 bytes (four elements of .f64) of the rows.
  return {thread.group() + (reg % 2 ? 8 : 0), column + reg / 2 * 4 * packing};
}

Place placeOfB(const MmaCase &mma, Thread thread, std::uint32_t i) {
  const RegisterMatrix &b = mma.b;
  if (mma.isQuadPair()) {
    const std::uint32_t four = thread.lane < 16 ? 0 : 4;
    return mma.bIsRowMajor ? Place{thread.lane % 4, i % 4 + four}
                           : Place{i, thread.lane % 4 + four};
  }
  const std::uint32_t packing = b.packing();
  return {thread.inGroup() * packing + i % packing + i / packing * 4 * packing,
          thread.group()};
}

Place placeOfC(const MmaCase &mma, const RegisterMatrix &matrix, Thread thread,
               std::uint32_t i) {
  if (mma.isQuadPair()) {
    const std::uint32_t four = thread.lane < 16 ? 0 : 4;
    if (matrix.type == Type::f16)
      return {thread.lane % 4 + four, i};
    const std::uint32_t x = (thread.lane & 0b1) + (i & 0b10);
    return {x + four, (i & 0b100) + (thread.lane & 0b10) + (i & 0b1)};
  }
  return {thread.group() + (i < 2 ? 0 : 8), thread.inGroup() * 2 + i % 2};
}

/// All operands of a case, by quad pair where there are several products.
struct Operands {
  std::vector<Matrix> a, b, c;
};

std::uint32_t productOf(const MmaCase &mma, std::uint32_t lane) {
  return mma.isQuadPair() ? lane % 16 / 4 : 0;
}

template <class PlaceOf>
std::vector<Matrix> gather(const MmaCase &mma, const RegisterMatrix &matrix,
                           std::span<const std::uint32_t> words,
                           PlaceOf placeOf) {
  std::vector<Matrix> products(
      4, Matrix(matrix.type, matrix.rows, matrix.columns));
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    for (std::uint32_t i = 0; i < matrix.elements; ++i) {
      const Place place = placeOf(Thread{lane}, i);
      products[productOf(mma, lane)].at(place.row, place.column) =
          elementAt(matrix, words, lane, i);
    }
  return products;
}

} // namespace

std::uint64_t elementAt(const RegisterMatrix &matrix,
                        std::span<const std::uint32_t> words,
                        std::uint32_t lane, std::uint32_t index) {
  const std::uint32_t width = bitsOf(matrix.type);
  if (width == 64) {
    std::uint64_t bits;
    std::memcpy(&bits, &words[64 * index + 2 * lane], sizeof(bits));
    return bits;
  }
  const std::uint32_t word = words[32 * (index / matrix.packing()) + lane];
  const std::uint64_t mask = (std::uint64_t(1) << width) - 1;
  return word >> index % matrix.packing() * width & mask;
}

void setElement(const RegisterMatrix &matrix, std::span<std::uint32_t> words,
                std::uint32_t lane, std::uint32_t index, std::uint64_t bits) {
  const std::uint32_t width = bitsOf(matrix.type);
  if (width == 64) {
    std::memcpy(&words[64 * index + 2 * lane], &bits, sizeof(bits));
    return;
  }
  const std::uint32_t shift = index % matrix.packing() * width;
  const std::uint64_t mask = ((std::uint64_t(1) << width) - 1) << shift;
  std::uint32_t &word = words[32 * (index / matrix.packing()) + lane];
  word = std::uint32_t((word & ~mask) | (bits << shift & mask));
}

Expected expectedElement(const MmaCase &mma, const Matrix &a, const Matrix &b,
                         const Matrix &c, std::uint32_t row,
                         std::uint32_t column) {
  Expected expected{.value = c.value(row, column)};
  expected.largest = magnitudeOf(c.type, expected.value);
  for (std::uint32_t k = 0; k < a.columns; ++k) {
    const double left = a.value(row, k), right = b.value(k, column);
    double product = left * right;
    if (mma.bitOperation == BitOperation::exclusiveOr)
      product = left != right;
    expected.largest =
        std::max(expected.largest,
                 magnitudeOf(a.type, left) * magnitudeOf(b.type, right));
    expected.value = mma.a.type == Type::f64
                         ? std::fma(left, right, expected.value)
                         : expected.value + product;
  }
  if (mma.d.type == Type::s32 && mma.saturates)
    expected.value = std::clamp(expected.value, -0x1p31, 0x1p31 - 1);
  else if (mma.d.type == Type::s32)
    expected.value = std::int32_t(std::uint32_t(std::int64_t(expected.value)));
  expected.isDefined = !std::isnan(expected.value);
  return expected;
}

namespace {

/// Bits from the start of a matrix in memory.
std::uint64_t bitOffset(const MemoryMatrix &matrix, std::uint32_t row,
                        std::uint32_t column) {
  const std::uint64_t index = matrix.isRowMajor
                                  ? std::uint64_t(row) * matrix.stride + column
                                  : std::uint64_t(column) * matrix.stride + row;
  return index * bitsOf(matrix.type);
}

} // namespace

std::uint64_t elementAt(const MemoryMatrix &matrix,
                        std::span<const std::byte> memory, std::uint32_t row,
                        std::uint32_t column) {
  const std::uint64_t at = bitOffset(matrix, row, column);
  const std::uint32_t width = bitsOf(matrix.type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &memory[matrix.offset + at / 8], std::max(1u, width / 8));
  return width < 8 ? bits >> at % 8 & ((1u << width) - 1) : bits;
}

void setElement(const MemoryMatrix &matrix, std::span<std::byte> memory,
                std::uint32_t row, std::uint32_t column, std::uint64_t bits) {
  const std::uint64_t at = bitOffset(matrix, row, column);
  const std::uint32_t width = bitsOf(matrix.type);
  std::byte &first = memory[matrix.offset + at / 8];
  if (width >= 8)
    std::memcpy(&first, &bits, width / 8);
  else
    first = (first & ~std::byte(((1u << width) - 1) << at % 8)) |
            std::byte(bits << at % 8);
}

std::vector<Expected> expectedOf(const MmaCase &mma,
                                 std::span<const std::uint32_t> in) {
  const auto a = gather(mma, mma.a, in, [&](Thread thread, std::uint32_t i) {
    return placeOfA(mma, thread, i);
  });
  in = in.subspan(32 * mma.a.words());
  const auto b = gather(mma, mma.b, in, [&](Thread thread, std::uint32_t i) {
    return placeOfB(mma, thread, i);
  });
  in = in.subspan(32 * mma.b.words());
  const auto c = gather(mma, mma.c, in, [&](Thread thread, std::uint32_t i) {
    return placeOfC(mma, mma.c, thread, i);
  });
  std::vector<Expected> all;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    for (std::uint32_t i = 0; i < mma.d.elements; ++i) {
      const std::uint32_t product = productOf(mma, lane);
      const Place place = placeOfC(mma, mma.d, Thread{lane}, i);
      all.push_back(expectedElement(mma, a[product], b[product], c[product],
                                    place.row, place.column));
    }
  return all;
}

bool isWithin(const MmaCase &mma, const Expected &expected, double got) {
  const std::uint32_t k = mma.a.columns;
  return isWithin(mmaSum({mma.d.rows, mma.d.columns, k}, mma.a.type, mma.b.type,
                         mma.c.type, mma.d.type),
                  k, mma.d.type, expected, got);
}

bool isWithin(const MatrixSum &sum, std::uint32_t k, Type d,
              const Expected &expected, double got) {
  // Partial sums may leave the range of .f16 though the result does not.
  if (sum.addsLast && d == Type::f16 && k * expected.largest >= largestOf(d))
    return true;
  if (!expected.isDefined)
    return std::isnan(got);
  const double tolerance = sumTolerance(sum, k);
  if (tolerance == 0 || std::isinf(expected.value))
    return got == expected.value;
  const double bound = unitOf(d, expected.value) + tolerance * expected.largest;
  // What rounds to infinity is as good as the largest number.
  if (std::isinf(got))
    return std::fabs(expected.value) + bound >= largestOf(d);
  return std::fabs(got - expected.value) <= bound;
}

} // namespace tessera::vgpu::test
