// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a warp-level matrix product does: `mma` and its relatives.
//
// Thread safety: a form is immutable once made.

#ifndef TESSERA_VGPU_MATRIX_MMA_FORM_H
#define TESSERA_VGPU_MATRIX_MMA_FORM_H

#include "ptx/ast.h"
#include "vgpu/matrix/fragment.h"
#include "vgpu/matrix/multiply.h"

#include <cfenv>
#include <memory>

namespace tessera::vgpu {

struct MmaForm {
  ptx::Mnemonic mnemonic;
  ptx::MatrixShape shape;     ///< of one product; for `.b1`, k counts words
  std::uint32_t products = 1; ///< that the warp computes at once
  MatrixSum sum;
  int roundingMode = FE_TONEAREST; ///< of <cfenv>, for `.f64`
  /// The arrays of A, B and D: the products after each other, each row by row.
  Fragment a, b, c, d;

  /// No form needs larger arrays, in elements.
  static constexpr std::uint32_t maxA = 2048, maxB = 1024, maxD = 512;
};

/// Null when the virtual GPU has no such form.
[[nodiscard]] std::shared_ptr<const MmaForm>
makeMmaForm(const ptx::Instruction &instruction);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MATRIX_MMA_FORM_H
