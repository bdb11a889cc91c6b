// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cases of cases.h have to give: matrices are laid out by the formulas
// of PTX ISA 9.0, section 9.7.14.5, and multiplied by plain loops.

#ifndef TESSERA_TESTS_VGPU_MATRIX_REFERENCE_H
#define TESSERA_TESTS_VGPU_MATRIX_REFERENCE_H

#include "cases.h"
#include "vgpu/matrix/multiply.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::vgpu::test {

/// A matrix of encoded elements, row by row.
struct Matrix {
  ptx::Type type{};
  std::uint32_t rows = 0, columns = 0;
  std::vector<std::uint64_t> bits;

  Matrix(ptx::Type type, std::uint32_t rows, std::uint32_t columns)
      : type(type), rows(rows), columns(columns),
        bits(std::size_t(rows) * columns) {}
  Matrix(ptx::Type type, std::uint32_t rows, std::uint32_t columns,
         Random &random)
      : Matrix(type, rows, columns) {
    for (std::uint64_t &element : bits)
      element = randomElement(type, random);
  }
  [[nodiscard]] std::uint64_t &at(std::uint32_t row, std::uint32_t column) {
    return bits[std::size_t(row) * columns + column];
  }
  [[nodiscard]] std::uint64_t at(std::uint32_t row,
                                 std::uint32_t column) const {
    return bits[std::size_t(row) * columns + column];
  }
  [[nodiscard]] double value(std::uint32_t row, std::uint32_t column) const {
    return valueOf(type, at(row, column));
  }
};

/// One element of D.
struct Expected {
  double value = 0;      ///< in exact arithmetic (`.f64`: the chain of k)
  double largest = 0;    ///< among the products and C: see `magnitudeOf`
  bool isDefined = true; ///< false where infinities or NaNs make it NaN
};

/// The values of a case's registers, as cases.h has them.
using Words = std::vector<std::uint32_t>;

/// Reads and writes element `index` of a lane in the words of one operand.
[[nodiscard]] std::uint64_t elementAt(const RegisterMatrix &matrix,
                                      std::span<const std::uint32_t> words,
                                      std::uint32_t lane, std::uint32_t index);
void setElement(const RegisterMatrix &matrix, std::span<std::uint32_t> words,
                std::uint32_t lane, std::uint32_t index, std::uint64_t bits);

/// For each element of D (lane by lane): what it has to be, given the words of
/// A, B and C.
[[nodiscard]] std::vector<Expected>
expectedOf(const MmaCase &mma, std::span<const std::uint32_t> in);

/// One element of D, given matrices.
[[nodiscard]] Expected expectedElement(const MmaCase &mma, const Matrix &a,
                                       const Matrix &b, const Matrix &c,
                                       std::uint32_t row, std::uint32_t column);

/// Reads and writes an element of a matrix in memory.
[[nodiscard]] std::uint64_t elementAt(const MemoryMatrix &matrix,
                                      std::span<const std::byte> memory,
                                      std::uint32_t row, std::uint32_t column);
void setElement(const MemoryMatrix &matrix, std::span<std::byte> memory,
                std::uint32_t row, std::uint32_t column, std::uint64_t bits);

/// Whether a result is what sums with the stated tolerance allow; integers and
/// `.f64` have none.
[[nodiscard]] bool isWithin(const MmaCase &mma, const Expected &expected,
                            double got);
/// The same for a sum of `k` products.
[[nodiscard]] bool isWithin(const MatrixSum &sum, std::uint32_t k, ptx::Type d,
                            const Expected &expected, double got);

} // namespace tessera::vgpu::test

#endif // TESSERA_TESTS_VGPU_MATRIX_REFERENCE_H
