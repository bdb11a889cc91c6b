// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel for every form of the warp-level matrix instructions. Kernels have
// two pointer parameters, `in` and `out`, and run as one warp; each lane loads
// its registers of A, B and C from `in`, executes the instruction, and stores
// its registers of D to `out`. Arrays are by register, then by lane: register r
// of 32 bits of lane l is word 32 * r + l.

#ifndef TESSERA_TESTS_VGPU_MATRIX_CASES_H
#define TESSERA_TESTS_VGPU_MATRIX_CASES_H

#include "numbers.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::vgpu::test {

/// A matrix operand in registers.
struct RegisterMatrix {
  ptx::Type type{};
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t elements = 0; ///< of each lane

  [[nodiscard]] std::uint32_t packing() const {
    return bitsOf(type) < 32 ? 32 / bitsOf(type) : 1;
  }
  [[nodiscard]] std::uint32_t registers() const { return elements / packing(); }
  /// 32-bit words of each lane.
  [[nodiscard]] std::uint32_t words() const {
    return registers() * (bitsOf(type) == 64 ? 2 : 1);
  }
};

enum class BitOperation : std::uint8_t { none, exclusiveOr, conjunction };

/// `mma.sync`.
struct MmaCase {
  std::string mnemonic;
  std::string kernel; ///< its name
  std::string entry;  ///< its PTX text, without the head of a module
  RegisterMatrix a, b, c, d;
  bool saturates = false;
  bool aIsRowMajor = true, bIsRowMajor = false;
  BitOperation bitOperation = BitOperation::none;

  /// `.m8n8k4` of `.f16`: four products, one by each quad pair.
  [[nodiscard]] bool isQuadPair() const {
    return a.type == ptx::Type::f16 && a.columns == 4;
  }
  [[nodiscard]] std::uint32_t inputWords() const {
    return a.words() + b.words() + c.words();
  }
};

[[nodiscard]] const std::vector<MmaCase> &mmaCases();

/// A matrix in memory, at a multiple of 32 bytes.
struct MemoryMatrix {
  ptx::Type type{};
  std::uint32_t rows = 0, columns = 0;
  bool isRowMajor = true;
  std::uint32_t stride = 0; ///< elements between rows, or columns
  std::uint32_t offset = 0; ///< bytes

  [[nodiscard]] std::uint32_t bytes() const;
};

/// `wmma.load` of A, B and C from `in`, `wmma.mma`, `wmma.store` of D to `out`.
struct WmmaCase {
  MmaCase product; ///< what it computes; registers do not count
  MemoryMatrix a, b, c, d;
};

[[nodiscard]] const std::vector<WmmaCase> &wmmaCases();

/// "{%a0, %a1}".
[[nodiscard]] std::string registerList(std::string_view name,
                                       std::uint32_t count);
/// A kernel with parameters `in` and `out`, loaded to `%in` and `%out`; the
/// addresses of a lane's first words are in `%in4` and `%out4`, those of its
/// first 64-bit numbers in `%in8` and `%out8`.
[[nodiscard]] std::string entryText(const std::string &name,
                                    const std::string &declarations,
                                    const std::string &body);
/// The head of a module.
[[nodiscard]] std::string moduleHead();

} // namespace tessera::vgpu::test

#endif // TESSERA_TESTS_VGPU_MATRIX_CASES_H
