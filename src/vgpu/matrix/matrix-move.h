// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `wmma.load` and `wmma.store` do: PTX ISA 9.0, sections 9.7.14.3 and
// 9.7.14.4. A form is a list of steps; in each, every lane moves a few bytes
// between memory and one of its registers.
//
// Thread safety: a form is immutable once made.

#ifndef TESSERA_VGPU_MATRIX_MATRIX_MOVE_H
#define TESSERA_VGPU_MATRIX_MATRIX_MOVE_H

#include "ptx/ast.h"
#include "vgpu/program.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::vgpu {

struct MatrixMove {
  ptx::Mnemonic mnemonic;
  std::uint32_t registers = 0; ///< of each lane
  std::uint32_t registerBytes = 4;
  std::uint32_t stepBytes = 4;   ///< that a lane moves in one step
  std::uint32_t unitBits = 0;    ///< of what places and strides count
  std::uint32_t strideUnits = 1; ///< elements of the `stride` operand in a unit
  std::uint32_t stride = 0;      ///< without the operand, in elements

  /// For each step and lane: the row or column of memory, and the unit in it.
  struct Place {
    std::uint16_t line, unit;
  };
  std::vector<Place> places;

  [[nodiscard]] std::uint32_t stepsPerRegister() const {
    return registerBytes / stepBytes;
  }
};

/// Null when the virtual GPU has no such form.
[[nodiscard]] std::shared_ptr<const MatrixMove>
makeMatrixMove(const ptx::Instruction &instruction);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MATRIX_MATRIX_MOVE_H
