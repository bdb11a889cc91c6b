// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/wgmma.h"
#include "vgpu/matrix/descriptor.h"
#include "vgpu/text.h"

#include <algorithm>
#include <optional>

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::MatrixShape;
using ptx::Modifier;
using ptx::Type;

namespace {

constexpr std::uint32_t chunkBytes = 16;
constexpr std::uint32_t rowsOfWarp = 16;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// The constants that follow `scale-d`.
class Immediates {
public:
  Immediates(std::span<const ptx::Operand> operands) : rest(operands) {}
  /// The next one, which is `low` or `high`; `otherwise` when there is none.
  std::optional<std::int32_t> next(std::int32_t low, std::int32_t high,
                                   std::int32_t otherwise) {
    if (rest.empty())
      return otherwise;
    const auto bits = ptx::immediateBits(rest.front(), Type::s32);
    rest = rest.subspan(1);
    if (!bits)
      return std::nullopt;
    const auto value = std::int32_t(*bits);
    if (value != low && value != high)
      return std::nullopt;
    return value;
  }

private:
  std::span<const ptx::Operand> rest;
};

using Problem = std::optional<std::string>;

Problem decodeImmediates(WgmmaForm &form,
                         std::span<const ptx::Operand> operands) {
  Immediates immediates(operands);
  const auto scaleA = immediates.next(-1, 1, 1);
  const auto scaleB = immediates.next(-1, 1, 1);
  if (!scaleA || !scaleB)
    return "imm-scale-a and imm-scale-b must be 1 or -1";
  form.aIsNegated = *scaleA < 0;
  form.bIsNegated = *scaleB < 0;
  const auto transposeA =
      form.aInRegisters ? std::optional(0) : immediates.next(0, 1, 0);
  const auto transposeB = immediates.next(0, 1, 0);
  if (!transposeA || !transposeB)
    return "imm-trans-a and imm-trans-b must be 0 or 1";
  form.aIsTransposed = *transposeA != 0;
  form.bIsTransposed = *transposeB != 0;
  return std::nullopt;
}

std::size_t fragmentSize(const ptx::Operand &operand) {
  const auto *vector = operand.getIf<ptx::VectorOperand>();
  return vector ? vector->elements.count : 1;
}

std::uint32_t indexIn(ptx::MatrixPlace place, std::uint32_t columns) {
  return place.row * columns + place.column;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// A matrix in shared memory: `rows` rows along m or n from `firstRow` on, by
/// `k` elements.
struct SharedMatrix {
  MatrixDescriptor descriptor;
  bool isTransposed = false;
  bool isNegated = false;
  std::uint32_t bits = 0; ///< of an element
  Unpack unpack = nullptr;
  std::uint32_t firstRow = 0, rows = 0, k = 0;
};

/// Reads a matrix chunk by chunk and hands each element to `put(row, k,
/// value)`. False when `read` has failed.
template <class Put>
bool readMatrix(const SharedMatrix &matrix, const SharedReader &read, Put put) {
  const std::uint32_t perChunk = chunkBytes * 8 / matrix.bits;
  const double sign = matrix.isNegated ? -1 : 1;
  double values[chunkBytes];
  const auto fetch = [&](std::uint32_t address) {
    const std::byte *from = read(address, chunkBytes);
    if (from)
      matrix.unpack(from, chunkBytes, values);
    return from != nullptr;
  };
  if (!matrix.isTransposed) {
    for (std::uint32_t row = 0; row < matrix.rows; ++row)
      for (std::uint32_t chunk = 0; chunk < matrix.k / perChunk; ++chunk) {
        if (!fetch(matrix.descriptor.chunkAlongK(matrix.firstRow + row, chunk)))
          return false;
        for (std::uint32_t i = 0; i < perChunk; ++i)
          put(row, chunk * perChunk + i, sign * values[i]);
      }
    return true;
  }
  const std::uint32_t firstChunk = matrix.firstRow / perChunk;
  for (std::uint32_t k = 0; k < matrix.k; ++k)
    for (std::uint32_t chunk = 0; chunk < matrix.rows / perChunk; ++chunk) {
      if (!fetch(matrix.descriptor.chunkAcrossK(firstChunk + chunk, k)))
        return false;
      for (std::uint32_t i = 0; i < perChunk; ++i)
        put(chunk * perChunk + i, k, sign * values[i]);
    }
  return true;
}

} // namespace

std::expected<WgmmaForm, std::string>
tessera::vgpu::decodeWgmma(const ptx::Function &function,
                           const ptx::Instruction &instruction) {
  const auto operands = function.operandsOf(instruction);
  WgmmaForm form;
  form.shape =
      ptx::matrixShape(instruction.mnemonic.find(ptx::ModifierGroup::shape));
  form.shape.m = rowsOfWarp;
  form.dType = instruction.type(0);
  form.aType = instruction.type(1);
  form.bType = instruction.type(2);
  form.saturates = instruction.has(Modifier::satfinite);
  if (form.aType == Type::b1) {
    form.sum.kind = MatrixSum::Kind::bitsAnd;
    form.shape.k /= 32;
  } else
    form.sum = wgmmaSum(form.shape, form.aType, form.bType, form.dType);
  if (!form.shape || !unpackOf(form.aType) || !unpackOf(form.bType) ||
      !packOf(form.dType, form.saturates) ||
      operands.size() <= form.scaleOperand)
    return std::unexpected("this form is not supported");

  form.d = makeFragment(
      form.dType, form.saturates, form.shape.m * form.shape.n / warpSize,
      [&](std::uint32_t lane, std::uint32_t index) {
        return indexIn(ptx::fragmentC(form.shape, lane, index), form.shape.n);
      });
  if (fragmentSize(operands[WgmmaForm::dOperand]) != form.d.registers)
    return std::unexpected(
        concat("D has ", form.d.registers, " registers in each lane"));

  const ptx::Operand &a = operands[WgmmaForm::aOperand];
  form.aInRegisters = a.is<ptx::VectorOperand>();
  if (form.aInRegisters) {
    form.a = makeFragment(
        form.aType, false, form.shape.m * form.shape.k / warpSize,
        [&](std::uint32_t lane, std::uint32_t index) {
          return indexIn(
              ptx::fragmentA(form.shape, elementBits(form.aType), lane, index),
              form.shape.k);
        });
    if (fragmentSize(a) != form.a.registers)
      return std::unexpected(
          concat("A has ", form.a.registers, " registers in each lane"));
  }
  if (Problem problem =
          decodeImmediates(form, operands.subspan(form.scaleOperand + 1)))
    return std::unexpected(std::move(*problem));
  return form;
}

bool tessera::vgpu::readWgmmaA(const WgmmaForm &form, std::uint64_t descriptor,
                               std::uint32_t warpOfGroup,
                               const SharedReader &read, WgmmaMatrix &a) {
  a.values.resize(std::size_t(form.shape.m) * form.shape.k);
  const SharedMatrix matrix{.descriptor = MatrixDescriptor::decode(descriptor),
                            .isTransposed = form.aIsTransposed,
                            .isNegated = form.aIsNegated,
                            .bits = elementBits(form.aType),
                            .unpack = unpackOf(form.aType),
                            .firstRow = warpOfGroup * rowsOfWarp,
                            .rows = form.shape.m,
                            .k = form.shape.k};
  double *to = a.values.data();
  return readMatrix(matrix, read,
                    [&](std::uint32_t row, std::uint32_t k, double value) {
                      to[row * form.shape.k + k] = value;
                    });
}

void tessera::vgpu::takeWgmmaA(const WgmmaForm &form,
                               std::span<const std::uint32_t *const> registers,
                               WgmmaMatrix &a) {
  a.values.resize(std::size_t(form.shape.m) * form.shape.k);
  for (std::uint32_t reg = 0; reg < form.a.registers; ++reg)
    form.a.take(reg, registers[reg], a.values.data());
  if (form.aIsNegated)
    for (double &value : a.values)
      value = -value;
}

bool tessera::vgpu::readWgmmaB(const WgmmaForm &form, std::uint64_t descriptor,
                               const SharedReader &read, WgmmaMatrix &b) {
  b.values.resize(std::size_t(form.shape.k) * form.shape.n);
  const SharedMatrix matrix{.descriptor = MatrixDescriptor::decode(descriptor),
                            .isTransposed = form.bIsTransposed,
                            .isNegated = form.bIsNegated,
                            .bits = elementBits(form.bType),
                            .unpack = unpackOf(form.bType),
                            .firstRow = 0,
                            .rows = form.shape.n,
                            .k = form.shape.k};
  double *to = b.values.data();
  return readMatrix(matrix, read,
                    [&](std::uint32_t column, std::uint32_t k, double value) {
                      to[k * form.shape.n + column] = value;
                    });
}

void tessera::vgpu::multiplyWgmma(
    const WgmmaForm &form, const WgmmaMatrix &a, const WgmmaMatrix &b,
    bool scaleD, std::span<std::uint32_t *const> accumulators) {
  std::vector<double> d(std::size_t(form.shape.m) * form.shape.n);
  if (scaleD)
    for (std::uint32_t reg = 0; reg < form.d.registers; ++reg)
      form.d.take(reg, accumulators[reg], d.data());
  multiplyAdd(form.sum, form.shape, a.values.data(), b.values.data(), d.data());
  for (std::uint32_t reg = 0; reg < form.d.registers; ++reg)
    form.d.give(reg, d.data(), accumulators[reg]);
}
