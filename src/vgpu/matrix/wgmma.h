// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of `wgmma.mma_async`: PTX ISA 9.0, section 9.7.15. When reads
// and writes take place is the caller's matter. A warp of the warpgroup
// computes its own 16 rows of D, which nobody else touches:
//
//   auto form = decodeWgmma(function, instruction);  // at load
//   ...
//   WgmmaMatrix a, b;
//   if (!readWgmmaA(*form, descriptor, warpIndex % 4, read, a)) fault...
//   if (!readWgmmaB(*form, descriptor, read, b)) fault...
//   multiplyWgmma(*form, a, b, scaleD, accumulators);
//
// B is the same for the four warps; it can be read once and used four times.
//
// Thread safety: a form is immutable; the functions have no state.

#ifndef TESSERA_VGPU_MATRIX_WGMMA_H
#define TESSERA_VGPU_MATRIX_WGMMA_H

#include "ptx/ast.h"
#include "ptx/semantics/fragments.h"
#include "vgpu/matrix/fragment.h"
#include "vgpu/matrix/multiply.h"
#include "vgpu/program.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tessera::vgpu {

/// What a `wgmma.mma_async` does, and where its operands are.
struct WgmmaForm {
  /// Of one warp: m is 16. For `.b1`, k counts words of 32 elements.
  ptx::MatrixShape shape;
  ptx::Type aType{}, bType{}, dType{};
  MatrixSum sum;
  bool aInRegisters = false; ///< else operand A is a descriptor, as B always is
  bool aIsTransposed = false, bIsTransposed = false; ///< not k-major
  bool aIsNegated = false, bIsNegated = false;       ///< imm-scale is -1
  bool saturates = false;

  /// Indices of the instruction's operands.
  static constexpr unsigned dOperand = 0, aOperand = 1, bOperand = 2;
  unsigned scaleOperand = 3; ///< predicate: whether D is added to

  Fragment a; ///< A when it is in registers
  Fragment d; ///< the accumulators of one warp
};

/// Decodes an instruction of opcode `wgmma_mma_async`; the error says which
/// operand is wrong. That the registers of A and D are 32 bits wide is for the
/// caller to check.
[[nodiscard]] std::expected<WgmmaForm, std::string>
decodeWgmma(const ptx::Function &function, const ptx::Instruction &instruction);

/// The host bytes of `bytes` bytes (16, at a multiple of 16) at an address of
/// the block's shared memory, until the next call; null when they may not be
/// read, after which nothing else is asked for: the callee records the fault.
using SharedReader = std::function<const std::byte *(std::uint64_t address,
                                                     std::uint32_t bytes)>;

/// A multiplicand as numbers, row by row: A of one warp is 16 by k, B is k by
/// n.
struct WgmmaMatrix {
  std::vector<double> values;
};

/// Reads the 16 rows of A that belong to warp `warpOfGroup` (0 to 3). False
/// when `read` has failed.
[[nodiscard]] bool readWgmmaA(const WgmmaForm &form, std::uint64_t descriptor,
                              std::uint32_t warpOfGroup,
                              const SharedReader &read, WgmmaMatrix &a);
/// A from registers: `registers[i]` points to the 32 lanes' values of the
/// operand's i-th register.
void takeWgmmaA(const WgmmaForm &form,
                std::span<const std::uint32_t *const> registers,
                WgmmaMatrix &a);
/// Reads B. False when `read` has failed.
[[nodiscard]] bool readWgmmaB(const WgmmaForm &form, std::uint64_t descriptor,
                              const SharedReader &read, WgmmaMatrix &b);

/// D = A * B + D for one warp, or D = A * B without `scaleD`.
/// `accumulators[i]` points to the 32 lanes' values of D's i-th register.
void multiplyWgmma(const WgmmaForm &form, const WgmmaMatrix &a,
                   const WgmmaMatrix &b, bool scaleD,
                   std::span<std::uint32_t *const> accumulators);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MATRIX_WGMMA_H
