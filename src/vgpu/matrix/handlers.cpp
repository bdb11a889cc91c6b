// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/handlers.h"
#include "vgpu/access.h"
#include "vgpu/matrix/mma-form.h"
#include "vgpu/text.h"

#include <algorithm>
#include <cstring>

using namespace tessera::vgpu;

bool tessera::vgpu::gatherWarp(Warp &warp, const Instr &instr,
                               const Instr *&next) {
  if (warp.exec == allLanes) {
    warp.current->converged = false;
    return true;
  }
  warp.isolate(instr);
  if (warp.current->mask != warp.live && !warp.current->converged) {
    next = warp.suspendGroup(instr, Wait::converge);
    return false;
  }
  // Lanes that have ended, never were, or are here in another call.
  next = warp.fault(instr, FaultKind::divergentBarrier,
                    concat("all 32 lanes of the warp must execute this "
                           "together; only lanes ",
                           hex(warp.exec), " do"),
                    firstLane(warp.exec));
  return false;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

const Instr *tessera::vgpu::executeMma(Warp &warp, const Instr &instr) {
  const Instr *next = nullptr;
  if (!gatherWarp(warp, instr, next))
    return next;
  const Function &function = *warp.current->frame->function;
  const MmaForm &form = *function.mmaForms[instr.width];
  const Slot *slot = function.slots.data() + instr.detail;
  const Slot *results = slot;
  slot += form.d.registers;

  alignas(64) double a[MmaForm::maxA], b[MmaForm::maxB], d[MmaForm::maxD];
  const auto take = [&](const Fragment &fragment, double *matrix) {
    for (std::uint32_t reg = 0; reg < fragment.registers; ++reg)
      fragment.take(reg, warp.lanes<std::byte>(*slot++), matrix);
  };
  take(form.a, a);
  take(form.b, b);
  take(form.c, d);
  const auto [m, n, k] = form.shape;
  for (std::uint32_t i = 0; i < form.products; ++i)
    multiplyAdd(form.arithmetic, form.shape, a + i * m * k, b + i * k * n,
                d + i * m * n);
  for (std::uint32_t reg = 0; reg < form.d.registers; ++reg)
    form.d.give(reg, d, warp.lanes<std::byte>(results[reg]));
  return &instr + 1;
}

//===----------------------------------------------------------------------===//
// 8x8 matrices of 16-bit elements
//===----------------------------------------------------------------------===//

namespace {

constexpr std::uint32_t matrixRows = 8, rowBytes = 16;

/// The rows of one matrix, by what register element of a lane holds what: a
/// lane holds two neighbours of a row, or of a column when transposed.
template <bool isTransposed, class Move> void forEachElement(Move move) {
  for (std::uint32_t lane = 0; lane < warpSize; ++lane)
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t outer = lane / 4, inner = lane % 4 * 2 + half;
      if constexpr (isTransposed)
        move(lane * 2 + half, inner, outer);
      else
        move(lane * 2 + half, outer, inner);
    }
}

/// Finds the rows: lane i has the address of row i, counted over the matrices.
bool resolveRows(Warp &warp, const Instr &instr, AccessKind kind,
                 Access &access) {
  const LaneMask all = warp.exec;
  if (const std::uint32_t rows = instr.width * matrixRows; rows < warpSize)
    warp.exec = (LaneMask(1) << rows) - 1;
  const bool found = resolveAccess(warp, instr, rowBytes, kind, access);
  warp.exec = all;
  return found;
}

using Elements = std::uint16_t[2 * warpSize]; ///< the halves of one register
using Rows = std::uint16_t[matrixRows][matrixRows];

template <bool isTransposed>
const Instr *executeLoadMatrix(Warp &warp, const Instr &instr) {
  const Instr *next = nullptr;
  if (!gatherWarp(warp, instr, next))
    return next;
  Access access;
  if (!resolveRows(warp, instr, AccessKind::read, access))
    return nullptr;
  const Slot *slots =
      warp.current->frame->function->slots.data() + instr.detail;
  // Registers may hold the addresses: all rows are read first.
  Rows rows[4];
  for (std::uint32_t i = 0; i < instr.width * matrixRows; ++i)
    std::memcpy(rows[i / matrixRows][i % matrixRows], access.at[i], rowBytes);
  for (std::uint32_t matrix = 0; matrix < instr.width; ++matrix) {
    Elements elements;
    forEachElement<isTransposed>(
        [&](std::uint32_t element, std::uint32_t row, std::uint32_t column) {
          elements[element] = rows[matrix][row][column];
        });
    std::memcpy(warp.lanes<std::byte>(slots[matrix]), elements,
                sizeof(elements));
  }
  return &instr + 1;
}

template <bool isTransposed>
const Instr *executeStoreMatrix(Warp &warp, const Instr &instr) {
  const Instr *next = nullptr;
  if (!gatherWarp(warp, instr, next))
    return next;
  Access access;
  if (!resolveRows(warp, instr, AccessKind::write, access))
    return nullptr;
  const Slot *slots =
      warp.current->frame->function->slots.data() + instr.detail;
  for (std::uint32_t matrix = 0; matrix < instr.width; ++matrix) {
    Elements elements;
    Rows rows;
    std::memcpy(elements, warp.lanes<std::byte>(slots[matrix]),
                sizeof(elements));
    forEachElement<isTransposed>(
        [&](std::uint32_t element, std::uint32_t row, std::uint32_t column) {
          rows[row][column] = elements[element];
        });
    for (std::uint32_t row = 0; row < matrixRows; ++row)
      std::memcpy(access.at[matrix * matrixRows + row], rows[row], rowBytes);
  }
  return &instr + 1;
}

} // namespace

Handler tessera::vgpu::loadMatrixHandler(bool isTransposed) {
  return isTransposed ? &executeLoadMatrix<true> : &executeLoadMatrix<false>;
}

Handler tessera::vgpu::storeMatrixHandler(bool isTransposed) {
  return isTransposed ? &executeStoreMatrix<true> : &executeStoreMatrix<false>;
}

const Instr *tessera::vgpu::executeTransposeMatrix(Warp &warp,
                                                   const Instr &instr) {
  const Instr *next = nullptr;
  if (!gatherWarp(warp, instr, next))
    return next;
  Elements from, to;
  std::memcpy(from, warp.lanes<std::byte>(instr.a), sizeof(from));
  forEachElement<true>(
      [&](std::uint32_t element, std::uint32_t row, std::uint32_t column) {
        to[element] = from[row * matrixRows + column];
      });
  std::memcpy(warp.lanes<std::byte>(instr.dst), to, sizeof(to));
  return &instr + 1;
}
