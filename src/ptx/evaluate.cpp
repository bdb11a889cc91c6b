// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/evaluate.h"

#include "ptx/warp-function.h"

#include <algorithm>

using namespace tessera::ptx;

namespace {

/// The part of a vector's type that each of its elements has.
Type elementType(Type type, std::size_t count) {
  switch (bitWidth(type) / count) {
  case 8:
    return Type::b8;
  case 16:
    return Type::b16;
  case 32:
    return Type::b32;
  case 64:
    return Type::b64;
  default:
    return Type::none;
  }
}

/// Appends the slots of one operand.
void addSlots(const Function &function, const OperandSpec &spec,
              const Mnemonic &mnemonic, const Operand &operand,
              std::vector<WarpOperation::Slot> &slots) {
  Type type = spec.typeFor(mnemonic);
  bool isResult = spec.access != Access::read;
  if (const auto *vector = operand.getIf<VectorOperand>()) {
    Type part = elementType(type, vector->elements.count);
    for (const Operand &element : function.operandsIn(vector->elements))
      slots.push_back({&element, part, isResult});
    return;
  }
  if (spec.kind != OperandKind::pair) {
    slots.push_back({&operand, type, isResult});
    return;
  }
  const Operand *first = &operand, *second = nullptr;
  if (const auto *pair = operand.getIf<PairOperand>()) {
    auto elements = function.operandsIn(pair->elements);
    first = &elements[0];
    second = &elements[1];
  }
  slots.push_back({first, type, isResult});
  slots.push_back({second, Type::pred, isResult});
}

FunctionInfo findFunction(const Mnemonic &mnemonic, unsigned resultCount,
                          unsigned sourceCount) {
  switch (mnemonic.opcode) {
  case Opcode::mov:
    return moveFunction(mnemonic, resultCount, sourceCount);
  case Opcode::setp:
    return setpFunction(mnemonic);
  case Opcode::set:
    return setFunction(mnemonic);
  case Opcode::cvt:
  case Opcode::cvt_pack:
    return convertFunction(mnemonic);
  default:
    break;
  }
  for (auto find : {integerFunction, bitsFunction})
    if (FunctionInfo info = find(mnemonic); info.run)
      return info;
  return floatFunction(mnemonic, sourceCount);
}

/// Whether the table's row and the meaning agree about the operands.
bool agrees(const FunctionInfo &info,
            const std::vector<WarpOperation::Slot> &slots) {
  if (info.operandCount != slots.size())
    return false;
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].isResult != (i < info.resultCount) ||
        bitWidth(slots[i].type) != info.widths[i])
      return false;
  return true;
}

} // namespace

std::expected<WarpOperation, std::string>
tessera::ptx::resolve(const Function &function,
                      const Instruction &instruction) {
  const Mnemonic &mnemonic = instruction.mnemonic;
  auto fail = [&](std::string_view why) {
    return std::unexpected("'" + mnemonic.str() + "' " + std::string(why));
  };
  if (opcodeClass(mnemonic.opcode) != OpcodeClass::compute &&
      mnemonic.opcode != Opcode::mov)
    return fail("does not compute its results from its operands alone");

  WarpOperation operation;
  const InstructionForm &form = formOf(mnemonic);
  auto operands = function.operandsOf(instruction);
  for (std::size_t i = 0; i < operands.size(); ++i)
    addSlots(function, form.operands[i], mnemonic, operands[i],
             operation.slots);
  auto results = unsigned(std::ranges::count(operation.slots, true,
                                             &WarpOperation::Slot::isResult));
  FunctionInfo info = findFunction(mnemonic, results,
                                   unsigned(operation.slots.size()) - results);
  if (!info.run)
    return fail("is not executed by this version");
  if (!agrees(info, operation.slots))
    return fail("has operands that do not fit its meaning");
  operation.run = info.run;
  return operation;
}
