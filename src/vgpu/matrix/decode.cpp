// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding of warp-level matrix instructions.

#include "vgpu/decoder.h"
#include "vgpu/matrix/handlers.h"
#include "vgpu/matrix/mma-form.h"
#include "vgpu/text.h"

#include <algorithm>
#include <limits>

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
    return decodeMma(instruction);
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

FunctionDecoder::Problem
FunctionDecoder::decodeMma(const ptx::Instruction &instruction) {
  const auto known = std::ranges::find(
      function.mmaForms, instruction.mnemonic,
      [](const auto &form) -> const ptx::Mnemonic & { return form->mnemonic; });
  const auto index = std::size_t(known - function.mmaForms.begin());
  if (known == function.mmaForms.end()) {
    auto form = makeMmaForm(instruction);
    if (!form || index > std::numeric_limits<std::uint16_t>::max()) {
      emit(&executeUnsupported);
      return std::nullopt;
    }
    function.mmaForms.push_back(std::move(form));
  }
  const MmaForm &form = *function.mmaForms[index];
  const auto operands = operandsOf(instruction);
  std::vector<Slot> slots;
  const Fragment *const fragments[] = {&form.d, &form.a, &form.b, &form.c};
  for (std::size_t i = 0; i < std::size(fragments); ++i)
    if (Problem problem = fragment(operands[i], fragments[i]->registers,
                                   fragments[i]->registerBytes, slots))
      return problem;
  Instr &instr = emit(&executeMma);
  instr.width = std::uint16_t(index);
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
  Instr place;
  if (Problem problem = address(place, operands[isLoad ? 1 : 0],
                                instruction.mnemonic.space()))
    return problem;
  Instr &instr = emit(isLoad ? loadMatrixHandler(isTransposed)
                             : storeMatrixHandler(isTransposed));
  instr.a = place.a;
  instr.addressBase = place.addressBase;
  instr.space = place.space;
  instr.offset = place.offset;
  instr.cache = program.memoryInstructions++;
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
