// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/handlers.h"
#include "vgpu/access.h"
#include "vgpu/matrix/matrix-move.h"
#include "vgpu/matrix/mma-form.h"
#include "vgpu/text.h"

#include <algorithm>
#include <cfenv>
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
  if (form.roundingMode != FE_TONEAREST)
    std::fesetround(form.roundingMode);
  for (std::uint32_t i = 0; i < form.products; ++i)
    multiplyAdd(form.sum, form.shape, a + i * m * k, b + i * k * n,
                d + i * m * n);
  if (form.roundingMode != FE_TONEAREST)
    std::fesetround(FE_TONEAREST);
  for (std::uint32_t reg = 0; reg < form.d.registers; ++reg)
    form.d.give(reg, d, warp.lanes<std::byte>(results[reg]));
  return &instr + 1;
}

//===----------------------------------------------------------------------===//
// wmma
//===----------------------------------------------------------------------===//

namespace {

/// What all lanes agree on; null when they do not.
template <class T> const T *commonValue(const T (&values)[warpSize]) {
  const bool isCommon = std::ranges::all_of(
      values, [&](const T &value) { return value == values[0]; });
  return isCommon ? &values[0] : nullptr;
}

/// Calls `move(in memory, in the register, bytes)` for each piece of a matrix.
template <class Move>
const Instr *moveMatrix(Warp &warp, const Instr &instr, AccessKind kind,
                        Move move) {
  const Instr *next = nullptr;
  if (!gatherWarp(warp, instr, next))
    return next;
  const Function &function = *warp.current->frame->function;
  const MatrixMove &form = *function.matrixMoves[instr.width];
  std::uint64_t addresses[warpSize];
  computeAddresses(warp, instr, addresses);
  std::uint32_t strides[warpSize];
  std::memcpy(strides, warp.lanes<std::byte>(instr.b), sizeof(strides));
  const auto *base = commonValue(addresses);
  const auto *stride = commonValue(strides);
  if (!base || !stride)
    return warp.fault(instr, FaultKind::invalidSync,
                      "the lanes of a warp name different matrices", 0);
  if (*stride % form.strideUnits != 0)
    return warp.fault(instr, FaultKind::misaligned,
                      concat("a stride of ", *stride,
                             " elements is not a multiple of ",
                             form.strideUnits),
                      0);

  const std::uint64_t start = *base;
  const std::uint64_t unitBytes = form.unitBits / 8;
  const std::uint64_t lineBytes = *stride / form.strideUnits * unitBytes;
  const Slot *slots = function.slots.data() + instr.detail;
  const MatrixMove::Place *place = form.places.data();
  for (std::uint32_t reg = 0; reg < form.registers; ++reg)
    for (std::uint32_t step = 0; step < form.stepsPerRegister(); ++step) {
      for (std::uint64_t &address : addresses) {
        address = start + place->line * lineBytes + place->unit * unitBytes;
        ++place;
      }
      Access access;
      if (!resolveAddresses(warp, instr, instr, addresses,
                            AccessForm::natural(form.stepBytes, kind), access))
        return nullptr;
      auto *lanes = warp.lanes<std::byte>(slots[reg]) + step * form.stepBytes;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        move(access.at[lane], lanes + lane * form.registerBytes,
             form.stepBytes);
    }
  return &instr + 1;
}

} // namespace

const Instr *tessera::vgpu::executeWmmaLoad(Warp &warp, const Instr &instr) {
  return moveMatrix(warp, instr, AccessKind::read,
                    [](std::byte *memory, std::byte *reg, std::size_t bytes) {
                      std::memcpy(reg, memory, bytes);
                    });
}

const Instr *tessera::vgpu::executeWmmaStore(Warp &warp, const Instr &instr) {
  return moveMatrix(warp, instr, AccessKind::write,
                    [](std::byte *memory, std::byte *reg, std::size_t bytes) {
                      std::memcpy(memory, reg, bytes);
                    });
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
