// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/async/handlers.h"
#include "vgpu/decoder.h"
#include "vgpu/matrix/wgmma.h"
#include "vgpu/text.h"

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::Modifier;
using ptx::ModifierGroup;
using ptx::Opcode;
using ptx::StateSpace;
using ptx::Type;

namespace {

/// The state spaces of an instruction, in the order they are written: a copy's
/// destination comes before its source.
std::vector<StateSpace> spacesOf(const ptx::Instruction &instruction) {
  std::vector<StateSpace> spaces;
  for (Modifier modifier : instruction.mnemonic.modifiers())
    if (ptx::modifierGroup(modifier) == ModifierGroup::space)
      spaces.push_back(ptx::modifierSpace(modifier));
  return spaces;
}

Modifier reductionOf(const ptx::Instruction &instruction) {
  const Modifier operation =
      instruction.mnemonic.find(ModifierGroup::operation);
  return operation != Modifier::none
             ? operation
             : instruction.mnemonic.find(ModifierGroup::booleanOp);
}

std::int64_t countOf(const ptx::Operand &operand) {
  return std::int64_t(ptx::immediateBits(operand, Type::u32).value_or(0));
}

} // namespace

Instr &FunctionDecoder::emitAsync(Handler handler, AsyncCall call) {
  Instr &instr = emit(handler);
  instr.detail = std::uint32_t(function.asyncCalls.size());
  function.asyncCalls.push_back(std::move(call));
  return instr;
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

FunctionDecoder::Problem
FunctionDecoder::decodeMbarrier(const ptx::Instruction &instruction,
                                Handler handler, std::uint16_t width) {
  auto operands = operandsOf(instruction);
  Slot state;
  if (!operands.front().is<ptx::Address>()) {
    if (!operands.front().is<ptx::Sink>()) {
      const auto to = result(operands.front(), Type::b64);
      if (!to)
        return to.error();
      state = *to;
    }
    operands = operands.subspan(1);
  }
  AddressOperand place;
  if (Problem problem =
          address(place, operands[0], instruction.mnemonic.space()))
    return problem;
  Slot number;
  if (operands.size() > 1) {
    const auto read = source(operands[1], Type::u32);
    if (!read)
      return read.error();
    number = *read;
  }
  Instr &instr = emit(handler);
  static_cast<AddressOperand &>(instr) = place;
  instr.width = width;
  instr.dst = state;
  instr.b = number;
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodePhaseTest(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const PhaseForm form{.byParity = instruction.has(Modifier::parity),
                       .mayWait =
                           instruction.opcode() == Opcode::mbarrier_try_wait};
  const auto to = result(operands[0], Type::pred);
  if (!to)
    return to.error();
  AddressOperand place;
  if (Problem problem =
          address(place, operands[1], instruction.mnemonic.space()))
    return problem;
  const auto phase = source(operands[2], form.byParity ? Type::u32 : Type::b64);
  if (!phase)
    return phase.error();
  Instr &instr = emit(&executeMbarrierTest);
  static_cast<AddressOperand &>(instr) = place;
  instr.width = form.pack();
  instr.dst = *to;
  instr.b = *phase;
  mayWait.back() = true;
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodePendingCount(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const auto to = result(operands[0], Type::u32);
  if (!to)
    return to.error();
  const auto state = source(operands[1], Type::b64);
  if (!state)
    return state.error();
  Instr &instr = emit(&executePendingCount);
  instr.dst = *to;
  instr.a = *state;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

FunctionDecoder::Problem
FunctionDecoder::decodeCopyAsync(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const std::vector<StateSpace> spaces = spacesOf(instruction);
  AsyncCall call;
  if (Problem problem = address(call.to, operands[0], spaces[0]))
    return problem;
  if (Problem problem = address(call.from, operands[1], spaces[1]))
    return problem;
  const std::int64_t bytes = countOf(operands[2]);
  const bool fits = instruction.has(Modifier::cg)
                        ? bytes == 16
                        : bytes == 4 || bytes == 8 || bytes == 16;
  if (!fits)
    return concat(bytes, " bytes cannot be copied at a time");

  std::size_t last = operands.size();
  if (instruction.has(Modifier::L2_cache_hint))
    --last;
  if (last > 3) {
    const auto *ref = operands[3].getIf<ptx::RegisterRef>();
    if (ref && ast.registers[ref->index].type == Type::pred) {
      const auto ignored = predicate(operands[3]);
      if (!ignored)
        return ignored.error();
      call.ignored = ignored->slot;
      call.ignoredNegated = ignored->negated;
    } else {
      const auto size = source(operands[3], Type::u32);
      if (!size)
        return size.error();
      call.sourceBytes = *size;
    }
  }
  emitAsync(&executeCopyAsync, std::move(call)).offset = bytes;
  return std::nullopt;
}

/// [to], [from], bytes, [mbarrier]?, then blocks, policy and byte mask as the
/// modifiers say; a prefetch has no target.
FunctionDecoder::Problem
FunctionDecoder::decodeBulkCopy(const ptx::Instruction &instruction) {
  auto operands = operandsOf(instruction);
  const std::vector<StateSpace> spaces = spacesOf(instruction);
  AsyncCall call;
  BulkTarget target = BulkTarget::prefetch;
  if (instruction.opcode() != Opcode::cp_async_bulk_prefetch) {
    target = spaces[0] == StateSpace::global ? BulkTarget::global
                                             : BulkTarget::shared;
    if (Problem problem = address(call.to, operands[0], spaces[0]))
      return problem;
    operands = operands.subspan(1);
  }
  if (Problem problem = address(call.from, operands[0], spaces.back()))
    return problem;
  const auto bytes = source(operands[1], Type::u32);
  if (!bytes)
    return bytes.error();
  call.bytes = *bytes;
  operands = operands.subspan(2);
  if (target == BulkTarget::shared) {
    if (Problem problem = address(call.mbarrier, operands[0], spaces[0]))
      return problem;
    operands = operands.subspan(1);
  }
  if (instruction.has(Modifier::multicast_cluster)) {
    const auto blocks = source(operands[0], Type::u16);
    if (!blocks)
      return blocks.error();
    call.blocks = *blocks;
  }
  if (instruction.has(Modifier::cp_mask)) {
    const auto mask = source(operands.back(), Type::u16);
    if (!mask)
      return mask.error();
    call.byteMask = *mask;
  }
  if (instruction.opcode() == Opcode::cp_reduce_async_bulk) {
    call.combine =
        combineFunction(reductionOf(instruction), instruction.type());
    if (!call.combine) {
      emit(&executeUnsupported);
      return std::nullopt;
    }
  }
  emitAsync(&executeBulkCopy, std::move(call)).width = std::uint16_t(target);
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::tensorAddress(AsyncCall &call, AddressOperand &map,
                               const ptx::Operand &operand) {
  const auto *written = operand.getIf<ptx::Address>();
  const ptx::VectorOperand *parts = nullptr;
  if (written && written->parts.count == 1)
    parts = ast.operandsIn(written->parts)[0].getIf<ptx::VectorOperand>();
  if (!parts)
    return "a tensor map and coordinates are expected";
  ptx::Address plain = *written;
  plain.parts = {};
  ptx::Operand base = operand;
  base.value = plain;
  if (Problem problem = address(map, base, StateSpace::generic))
    return problem;
  for (const ptx::Operand &element : ast.operandsIn(parts->elements)) {
    const auto coordinate = source(element, Type::s32);
    if (!coordinate)
      return coordinate.error();
    call.coordinates.push_back(*coordinate);
  }
  return std::nullopt;
}

/// [to], [map, coordinates], [mbarrier], blocks?, policy? or [map,
/// coordinates], [from], policy?
FunctionDecoder::Problem
FunctionDecoder::decodeTensorCopy(const ptx::Instruction &instruction) {
  const Modifier mode = instruction.mnemonic.find(ModifierGroup::layout);
  if (mode != Modifier::none && mode != Modifier::tile) {
    emit(&executeUnsupported);
    return std::nullopt;
  }
  const auto operands = operandsOf(instruction);
  const std::vector<StateSpace> spaces = spacesOf(instruction);
  AsyncCall call;
  BulkTarget target = BulkTarget::prefetch;
  if (instruction.opcode() == Opcode::cp_async_bulk_prefetch_tensor) {
    if (Problem problem = tensorAddress(call, call.from, operands[0]))
      return problem;
  } else if (spaces[0] == StateSpace::global) {
    target = BulkTarget::global;
    if (Problem problem = tensorAddress(call, call.to, operands[0]))
      return problem;
    if (Problem problem = address(call.from, operands[1], spaces[1]))
      return problem;
    call.reduction = reductionOf(instruction);
  } else {
    target = BulkTarget::shared;
    if (Problem problem = address(call.to, operands[0], spaces[0]))
      return problem;
    if (Problem problem = tensorAddress(call, call.from, operands[1]))
      return problem;
    if (Problem problem = address(call.mbarrier, operands[2], spaces[0]))
      return problem;
    if (instruction.has(Modifier::multicast_cluster)) {
      const auto blocks = source(operands[3], Type::u16);
      if (!blocks)
        return blocks.error();
      call.blocks = *blocks;
    }
  }
  emitAsync(&executeTensorCopy, std::move(call)).width = std::uint16_t(target);
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeStoreAsync(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const StateSpace space = StateSpace::sharedCluster;
  const Type type = instruction.type();
  AsyncCall call;
  if (Problem problem = address(call.to, operands[0], space))
    return problem;
  if (Problem problem = address(call.mbarrier, operands[2], space))
    return problem;
  const auto values = elements(operands[1], type);
  if (!values)
    return values.error();
  const std::uint32_t bytes = ptx::byteSize(type);
  for (const Value &one : *values) {
    if (!one.slot || one.bytes != bytes)
      return "the registers are not as wide as the type";
    call.values.push_back(one.slot);
  }
  if (instruction.opcode() == Opcode::red_async) {
    call.combine = combineFunction(reductionOf(instruction), type);
    if (!call.combine) {
      emit(&executeUnsupported);
      return std::nullopt;
    }
  }
  emitAsync(&executeStoreAsync, std::move(call)).width = std::uint16_t(bytes);
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeWgmma(const ptx::Instruction &instruction) {
  auto form = vgpu::decodeWgmma(ast, instruction);
  if (!form)
    return form.error();
  const auto operands = operandsOf(instruction);
  WgmmaCall call;
  if (Problem problem =
          fragment(operands[WgmmaForm::dOperand], form->d.registers,
                   form->d.registerBytes, call.accumulators))
    return problem;
  if (form->aInRegisters) {
    if (Problem problem =
            fragment(operands[WgmmaForm::aOperand], form->a.registers,
                     form->a.registerBytes, call.a))
      return problem;
  } else {
    const auto a = source(operands[WgmmaForm::aOperand], Type::b64);
    if (!a)
      return a.error();
    call.a.push_back(*a);
  }
  const auto b = source(operands[WgmmaForm::bOperand], Type::b64);
  if (!b)
    return b.error();
  call.b = *b;
  const auto scale = predicate(operands[form->scaleOperand]);
  if (!scale)
    return scale.error();
  call.scaleD = scale->slot;
  call.scaleNegated = scale->negated;
  call.form = std::make_shared<const WgmmaForm>(*std::move(form));
  emit(&executeWgmma).detail = std::uint32_t(function.wgmmaCalls.size());
  function.wgmmaCalls.push_back(std::move(call));
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeGroup(const ptx::Instruction &instruction,
                             AsyncKind kind, std::int64_t waitsFor) {
  const bool readOnly = instruction.has(Modifier::read);
  Instr &instr = emit(&executeWaitGroup);
  instr.width = std::uint16_t(unsigned(kind) | (readOnly ? waitsForReads : 0));
  instr.offset = waitsFor;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Which is which
//===----------------------------------------------------------------------===//

FunctionDecoder::Problem
FunctionDecoder::decodeAsync(const ptx::Instruction &instruction) {
  using Kind = MbarrierChange::Kind;
  const auto operands = operandsOf(instruction);
  const auto change = [&](Kind kind) {
    const bool drops = instruction.opcode() == Opcode::mbarrier_arrive_drop;
    const bool expects =
        kind == Kind::arrive && instruction.has(Modifier::expect_tx);
    const ChangeForm form{.kind = expects ? Kind::expectArrive
                                  : drops ? Kind::drop
                                          : kind,
                          .drops = drops,
                          .mayNotComplete =
                              instruction.has(Modifier::noComplete)};
    return decodeMbarrier(instruction, &executeMbarrierChange, form.pack());
  };
  const auto commit = [&](AsyncKind kind) -> Problem {
    emit(&executeCommitGroup).width = std::uint16_t(kind);
    return std::nullopt;
  };

  switch (instruction.opcode()) {
  case Opcode::mbarrier_init:
    return decodeMbarrier(instruction, &executeMbarrierInit, 0);
  case Opcode::mbarrier_inval:
    return decodeMbarrier(instruction, &executeMbarrierInvalidate, 0);
  case Opcode::mbarrier_expect_tx:
    return change(Kind::expect);
  case Opcode::mbarrier_complete_tx:
    return change(Kind::complete);
  case Opcode::mbarrier_arrive:
  case Opcode::mbarrier_arrive_drop:
    return change(Kind::arrive);
  case Opcode::mbarrier_test_wait:
  case Opcode::mbarrier_try_wait:
    return decodePhaseTest(instruction);
  case Opcode::mbarrier_pending_count:
    return decodePendingCount(instruction);
  case Opcode::cp_async:
    return decodeCopyAsync(instruction);
  case Opcode::cp_async_mbarrier_arrive:
    return decodeMbarrier(instruction, &executeCopyArrive,
                          instruction.has(Modifier::noinc));
  case Opcode::cp_async_commit_group:
    return commit(AsyncKind::copy);
  case Opcode::cp_async_wait_group:
    return decodeGroup(instruction, AsyncKind::copy, countOf(operands[0]));
  case Opcode::cp_async_wait_all:
    return decodeGroup(instruction, AsyncKind::copy, -1);
  case Opcode::cp_async_bulk:
  case Opcode::cp_async_bulk_prefetch:
  case Opcode::cp_reduce_async_bulk:
    return decodeBulkCopy(instruction);
  case Opcode::cp_async_bulk_tensor:
  case Opcode::cp_async_bulk_prefetch_tensor:
  case Opcode::cp_reduce_async_bulk_tensor:
    return decodeTensorCopy(instruction);
  case Opcode::cp_async_bulk_commit_group:
    return commit(AsyncKind::bulk);
  case Opcode::cp_async_bulk_wait_group:
    return decodeGroup(instruction, AsyncKind::bulk, countOf(operands[0]));
  case Opcode::wgmma_mma_async:
    return decodeWgmma(instruction);
  case Opcode::wgmma_commit_group:
    return commit(AsyncKind::matrix);
  case Opcode::wgmma_wait_group:
    return decodeGroup(instruction, AsyncKind::matrix, countOf(operands[0]));
  case Opcode::wgmma_fence:
    emit(&executeFence);
    return std::nullopt;
  case Opcode::st_async:
  case Opcode::red_async:
    return decodeStoreAsync(instruction);
  default:
    emit(&executeUnsupported);
    return std::nullopt;
  }
}
