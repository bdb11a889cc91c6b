// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding of warp-level matrix instructions.

#include "vgpu/decoder.h"
#include "vgpu/matrix/handlers.h"
#include "vgpu/matrix/matrix-move.h"
#include "vgpu/matrix/mma-form.h"
#include "vgpu/text.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

FunctionDecoder::Problem
FunctionDecoder::decodeMatrix(const ptx::Instruction &instruction) {
  switch (instruction.opcode()) {
  case Opcode::ldmatrix:
  case Opcode::stmatrix:
    return decodeMoveMatrices(instruction);
  case Opcode::movmatrix:
    return decodeTransposeMatrix(instruction);
  case Opcode::mma:
  case Opcode::wmma_mma:
    return decodeMma(instruction);
  case Opcode::wmma_load_a:
  case Opcode::wmma_load_b:
  case Opcode::wmma_load_c:
  case Opcode::wmma_store_d:
    return decodeMatrixMove(instruction);
  default:
    emit(&executeUnsupported);
    return std::nullopt;
  }
}

FunctionDecoder::Problem FunctionDecoder::fragment(const ptx::Operand &operand,
                                                   std::uint32_t registers,
                                                   std::uint32_t bytes,
                                                   std::vector<Slot> &slots) {
  const auto values = elements(operand, bytes == 8 ? Type::b64 : Type::b32);
  if (!values)
    return values.error();
  if (values->size() != registers)
    return concat("a matrix has ", registers,
                  " registers in each lane here, not ", values->size());
  for (const Value &value : *values) {
    if (value.slot && value.bytes != bytes)
      return concat("the registers of a matrix must be ", 8 * bytes,
                    " bits wide here");
    slots.push_back(value.slot ? value.slot : scratch);
  }
  return std::nullopt;
}

namespace {

/// The index of an instruction's form among those that a function has; `make`
/// makes a new one. Empty when there is no such form.
template <class Form, class Make>
std::optional<std::uint16_t>
formIndex(std::vector<std::shared_ptr<const Form>> &forms,
          const ptx::Instruction &instruction, Make make) {
  const auto known = std::ranges::find(
      forms, instruction.mnemonic,
      [](const auto &form) -> const ptx::Mnemonic & { return form->mnemonic; });
  const auto index = std::size_t(known - forms.begin());
  if (known == forms.end()) {
    auto form = make(instruction);
    if (!form || index > std::numeric_limits<std::uint16_t>::max())
      return std::nullopt;
    forms.push_back(std::move(form));
  }
  return std::uint16_t(index);
}

} // namespace

FunctionDecoder::Problem
FunctionDecoder::decodeMma(const ptx::Instruction &instruction) {
  const auto index = formIndex(function.mmaForms, instruction, &makeMmaForm);
  if (!index) {
    emit(&executeUnsupported);
    return std::nullopt;
  }
  const MmaForm &form = *function.mmaForms[*index];
  const auto operands = operandsOf(instruction);
  std::vector<Slot> slots;
  const Fragment *const fragments[] = {&form.d, &form.a, &form.b, &form.c};
  for (std::size_t i = 0; i < std::size(fragments); ++i)
    if (Problem problem = fragment(operands[i], fragments[i]->registers,
                                   fragments[i]->registerBytes, slots))
      return problem;
  Instr &instr = emit(&executeMma);
  instr.width = *index;
  instr.detail = std::uint32_t(function.slots.size());
  function.slots.insert(function.slots.end(), slots.begin(), slots.end());
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeMatrixMove(const ptx::Instruction &instruction) {
  const auto index =
      formIndex(function.matrixMoves, instruction, &makeMatrixMove);
  if (!index) {
    emit(&executeUnsupported);
    return std::nullopt;
  }
  const MatrixMove &form = *function.matrixMoves[*index];
  const bool isStore = instruction.opcode() == Opcode::wmma_store_d;
  const auto operands = operandsOf(instruction);
  std::vector<Slot> slots;
  if (Problem problem = fragment(operands[isStore ? 1 : 0], form.registers,
                                 form.registerBytes, slots))
    return problem;
  Slot stride = constants.number(form.stride, 4);
  if (operands.size() > 2) {
    const auto written = source(operands[2], Type::u32);
    if (!written)
      return written.error();
    stride = *written;
  }
  AddressOperand place;
  if (Problem problem = address(place, operands[isStore ? 0 : 1],
                                instruction.mnemonic.space()))
    return problem;
  Instr &instr = emit(isStore ? &executeWmmaStore : &executeWmmaLoad);
  static_cast<AddressOperand &>(instr) = place;
  instr.b = stride;
  instr.width = *index;
  instr.detail = std::uint32_t(function.slots.size());
  function.slots.insert(function.slots.end(), slots.begin(), slots.end());
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeMoveMatrices(const ptx::Instruction &instruction) {
  if (!instruction.has(Modifier::m8n8) || instruction.type() != Type::b16) {
    emit(&executeUnsupported);
    return std::nullopt;
  }
  const bool isLoad = instruction.opcode() == Opcode::ldmatrix;
  const bool isTransposed = instruction.has(Modifier::trans);
  const std::uint32_t count = instruction.has(Modifier::x4)   ? 4
                              : instruction.has(Modifier::x2) ? 2
                                                              : 1;
  const auto operands = operandsOf(instruction);
  std::vector<Slot> slots;
  if (Problem problem = fragment(operands[isLoad ? 0 : 1], count, 4, slots))
    return problem;
  AddressOperand place;
  if (Problem problem = address(place, operands[isLoad ? 1 : 0],
                                instruction.mnemonic.space()))
    return problem;
  Instr &instr = emit(isLoad ? loadMatrixHandler(isTransposed)
                             : storeMatrixHandler(isTransposed));
  static_cast<AddressOperand &>(instr) = place;
  instr.width = std::uint16_t(count);
  instr.detail = std::uint32_t(function.slots.size());
  function.slots.insert(function.slots.end(), slots.begin(), slots.end());
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeTransposeMatrix(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const auto to = result(operands[0], Type::b32);
  if (!to)
    return to.error();
  const auto from = source(operands[1], Type::b32);
  if (!from)
    return from.error();
  Instr &instr = emit(&executeTransposeMatrix);
  instr.dst = *to;
  instr.a = *from;
  return std::nullopt;
}
