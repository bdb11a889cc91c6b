// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that execute warp-level matrix instructions. All of them need
// the 32 lanes of their warp together; see `gatherWarp`.

#ifndef TESSERA_VGPU_MATRIX_HANDLERS_H
#define TESSERA_VGPU_MATRIX_HANDLERS_H

#include "vgpu/warp.h"

namespace tessera::vgpu {

/// For an instruction that all 32 lanes of a warp execute together: true when
/// they are here. Else the executing lanes have been made to wait for the
/// others, or, when those cannot come any more, a fault has been recorded; the
/// handler returns `next`.
[[nodiscard]] bool gatherWarp(Warp &warp, const Instr &instr,
                              const Instr *&next);

/// width: into `Function::mmaForms`; detail: the registers of D, A, B and C in
/// `Function::slots`.
const Instr *executeMma(Warp &warp, const Instr &instr);

/// `wmma.load` and `wmma.store`: width: into `Function::matrixMoves`; the
/// registers from `Function::slots[detail]` on; b: stride in elements; space,
/// addressBase, a, offset, cache.
const Instr *executeWmmaLoad(Warp &warp, const Instr &instr);
const Instr *executeWmmaStore(Warp &warp, const Instr &instr);

/// `ldmatrix` and `stmatrix`: width: 8x8 matrices of 16-bit elements; the
/// registers from `Function::slots[detail]` on; space, addressBase, a, offset,
/// cache.
[[nodiscard]] Handler loadMatrixHandler(bool isTransposed);
[[nodiscard]] Handler storeMatrixHandler(bool isTransposed);
/// `movmatrix`: dst, a.
const Instr *executeTransposeMatrix(Warp &warp, const Instr &instr);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MATRIX_HANDLERS_H
