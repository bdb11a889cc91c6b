// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/matrix-move.h"
#include "ptx/semantics/fragments.h"

#include <algorithm>

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::MatrixPlace;
using ptx::MatrixShape;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

namespace {

enum class Operand : std::uint8_t { a, b, accumulator };

Operand operandOf(Opcode opcode) {
  switch (opcode) {
  case Opcode::wmma_load_a:
    return Operand::a;
  case Opcode::wmma_load_b:
    return Operand::b;
  default:
    return Operand::accumulator;
  }
}

/// One of the matrices, in units of whole bytes: elements, or words of those
/// that are smaller than a byte. Such elements lie along k.
struct Units {
  Operand operand;
  MatrixShape shape; ///< in units
  std::uint32_t bits;
  std::uint32_t count; ///< in the registers of each lane

  [[nodiscard]] MatrixPlace placeOf(std::uint32_t lane,
                                    std::uint32_t index) const {
    switch (operand) {
    case Operand::a:
      return ptx::wmmaA(shape, bits, lane, index);
    case Operand::b:
      return ptx::wmmaB(shape, bits, lane, index);
    case Operand::accumulator:
      break;
    }
    return ptx::wmmaC(shape, lane, index);
  }
};

std::uint32_t rowsOf(Operand operand, MatrixShape shape) {
  return operand == Operand::b ? shape.k : shape.m;
}
std::uint32_t columnsOf(Operand operand, MatrixShape shape) {
  return operand == Operand::a ? shape.k : shape.n;
}

} // namespace

std::shared_ptr<const MatrixMove>
tessera::vgpu::makeMatrixMove(const ptx::Instruction &instruction) {
  const Type type = instruction.type();
  const MatrixShape shape =
      ptx::matrixShape(instruction.mnemonic.find(ptx::ModifierGroup::shape));
  const bool isRowMajor = instruction.has(Modifier::row);
  auto move = std::make_shared<MatrixMove>();
  move->mnemonic = instruction.mnemonic;

  Units units{.operand = operandOf(instruction.opcode()),
              .shape = shape,
              .bits = ptx::bitWidth(type),
              .count = 0};
  if (units.bits < 8) {
    move->strideUnits = 32 / units.bits;
    units.shape.k /= move->strideUnits;
    units.bits = 32;
  }
  const std::uint32_t rows = rowsOf(units.operand, units.shape);
  const std::uint32_t columns = columnsOf(units.operand, units.shape);
  units.count = units.operand == Operand::accumulator
                    ? rows * columns / warpSize
                    : ptx::wmmaElements(type == Type::f16, rows, columns);
  move->stride = isRowMajor ? columnsOf(units.operand, shape)
                            : rowsOf(units.operand, shape);
  move->unitBits = units.bits;
  move->registerBytes = std::max(4u, units.bits / 8);

  // Neighbours in a register that are neighbours in memory move together.
  const std::uint32_t packing = move->registerBytes * 8 / units.bits;
  const MatrixPlace first = units.placeOf(0, 0);
  const MatrixPlace second = units.placeOf(0, packing - 1);
  const bool movesTogether =
      isRowMajor ? first.row == second.row : first.column == second.column;
  const std::uint32_t run = movesTogether ? packing : 1;
  move->registers = units.count / packing;
  move->stepBytes = run * units.bits / 8;
  for (std::uint32_t index = 0; index < units.count; index += run)
    for (std::uint32_t lane = 0; lane < warpSize; ++lane) {
      const auto [row, column] = units.placeOf(lane, index);
      move->places.push_back(
          isRowMajor
              ? MatrixMove::Place{std::uint16_t(row), std::uint16_t(column)}
              : MatrixMove::Place{std::uint16_t(column), std::uint16_t(row)});
    }
  return move;
}
