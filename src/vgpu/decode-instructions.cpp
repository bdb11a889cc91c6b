// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/builtins.h"
#include "vgpu/decoder.h"
#include "vgpu/text.h"

#include <algorithm>

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::Modifier;
using ptx::Opcode;
using ptx::StateSpace;
using ptx::Type;

namespace {

/// As many operands as `executeCompute` has room for.
constexpr std::size_t maxComputeOperands = 16;

bool isStrong(const ptx::Instruction &instruction) {
  return instruction.has(Modifier::volatile_) ||
         instruction.has(Modifier::relaxed) ||
         instruction.has(Modifier::acquire) ||
         instruction.has(Modifier::release) || instruction.has(Modifier::mmio);
}

MemorySpace memorySpace(StateSpace space) {
  switch (space) {
  case StateSpace::shared:
  case StateSpace::sharedCta:
    return MemorySpace::shared;
  case StateSpace::sharedCluster:
    return MemorySpace::sharedCluster;
  case StateSpace::local:
    return MemorySpace::local;
  case StateSpace::param:
  case StateSpace::paramEntry:
  case StateSpace::paramFunc:
    return MemorySpace::param;
  default:
    return MemorySpace::global;
  }
}

/// Where the window of a state space begins in the generic address space.
std::uint64_t windowBase(MemorySpace space) {
  switch (space) {
  case MemorySpace::shared:
  case MemorySpace::sharedCluster:
    return window::shared;
  case MemorySpace::local:
    return window::local;
  default:
    return 0; // parameters are addressed generically throughout
  }
}

/// The two results of `a|b`, or the one.
std::pair<const ptx::Operand *, const ptx::Operand *>
resultPair(const ptx::Function &ast, const ptx::Operand &operand) {
  const auto *pair = operand.getIf<ptx::PairOperand>();
  if (!pair)
    return {&operand, nullptr};
  const auto both = ast.operandsIn(pair->elements);
  return {&both[0], &both[1]};
}

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool FunctionDecoder::isReadable(const Value &value, Type type) {
  if (!value.slot)
    return false;
  if (type == Type::pred)
    return value.bytes == 0;
  return value.bytes >= std::max(1u, ptx::bitWidth(type) / 8);
}

FunctionDecoder::Problem
FunctionDecoder::decodeCompute(const ptx::Instruction &instruction) {
  const auto operation = ptx::resolve(ast, instruction);
  if (!operation || operation->slots.size() > maxComputeOperands) {
    emit(&executeUnsupported);
    return std::nullopt;
  }
  ComputeCall call;
  call.run = operation->run;
  for (const ptx::WarpOperation::Slot &place : operation->slots) {
    ComputeOperand &operand = call.operands.emplace_back();
    if (!place.operand)
      continue;
    const auto read = value(*place.operand, place.type);
    if (!read)
      return read.error();
    if (!place.isResult && !isReadable(*read, place.type))
      return "a source is narrower than it is read";
    if (place.isResult && read->slot &&
        (read->bytes == 0) != (place.type == Type::pred))
      return "a result is of the wrong kind";
    operand = {read->slot, read->bytes, read->negated};
  }
  Instr &instr = emit(&executeCompute);
  instr.dst = carry;
  instr.detail = std::uint32_t(function.computes.size());
  function.computes.push_back(std::move(call));
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeMove128(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const auto read = [&](const ptx::Operand &operand) {
    const bool isPair = operand.is<ptx::VectorOperand>();
    return elements(operand, isPair ? Type::b64 : Type::b128);
  };
  const auto to = read(operands[0]), from = read(operands[1]);
  if (!to)
    return to.error();
  if (!from)
    return from.error();
  const auto fits = [](const std::vector<Value> &values, bool mayLack) {
    const std::uint32_t bytes = values.size() == 2 ? 8 : 16;
    return values.size() <= 2 && std::ranges::all_of(values, [&](auto &value) {
             return value.slot ? value.bytes == bytes : mayLack;
           });
  };
  if (!fits(*to, to->size() == 2) || !fits(*from, false))
    return "the operands are not 128 bits wide";
  Instr &instr = emit(&executeMove128);
  instr.width =
      std::uint16_t((to->size() == 2 ? 1 : 0) | (from->size() == 2 ? 2 : 0));
  instr.dst = to->front().slot;
  instr.dst2 = to->back().slot;
  instr.a = from->front().slot;
  instr.b = from->back().slot;
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeAddressConversion(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  if (instruction.type() != Type::u64)
    return "only 64-bit addresses are supported by the virtual GPU";
  const auto to = result(operands[0], Type::u64);
  if (!to)
    return to.error();
  const auto from = source(operands[1], Type::u64);
  if (!from)
    return from.error();
  const std::uint64_t base =
      windowBase(memorySpace(instruction.mnemonic.space()));
  Instr &instr = emit(&executeAddOffset64);
  instr.dst = *to;
  instr.a = *from;
  instr.offset = std::int64_t(instruction.has(Modifier::to) ? 0 - base : base);
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeIsSpace(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const auto to = result(operands[0], Type::pred);
  if (!to)
    return to.error();
  const auto from = source(operands[1], Type::u64);
  if (!from)
    return from.error();
  const StateSpace space = instruction.mnemonic.space();
  Instr &instr = emit(&executeIsSpace);
  instr.dst = *to;
  instr.a = *from;
  instr.addressBase = AddressBase::lanes64;
  instr.space = memorySpace(space);
  instr.width = space == StateSpace::const_;
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeClusterAddress(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const bool isRank = instruction.opcode() == Opcode::getctarank;
  const Type type = instruction.type();
  const auto to = result(operands[0], isRank ? Type::u32 : type);
  if (!to)
    return to.error();
  const auto from = source(operands[1], type);
  if (!from)
    return from.error();
  Slot rank;
  if (!isRank) {
    const auto read = source(operands[2], Type::u32);
    if (!read)
      return read.error();
    rank = *read;
  }
  const bool isWide = type == Type::u64;
  Instr &instr =
      emit(isRank ? (isWide ? &executeRank64 : &executeRank32)
                  : (isWide ? &executeMapRank64 : &executeMapRank32));
  instr.dst = *to;
  instr.a = *from;
  instr.b = rank;
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeResultOnly(const ptx::Instruction &instruction,
                                  Handler handler) {
  const auto to = result(operandsOf(instruction)[0], Type::u32);
  if (!to)
    return to.error();
  emit(handler).dst = *to;
  return std::nullopt;
}

/// Cache policies change nothing here: any value will do.
FunctionDecoder::Problem
FunctionDecoder::decodePolicy(const ptx::Instruction &instruction) {
  const auto to = result(operandsOf(instruction)[0], Type::b64);
  if (!to)
    return to.error();
  Instr &instr = emit(&executeZero);
  instr.dst = *to;
  instr.width = 8;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

FunctionDecoder::Problem
FunctionDecoder::decodeLoad(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const auto results = elements(operands[0], instruction.type());
  if (!results)
    return results.error();
  MemoryForm form{.type = instruction.type(),
                  .isStrong = isStrong(instruction)};
  for (const Value &result : *results)
    form.registerBytes = std::max(form.registerBytes, result.bytes);
  if (form.registerBytes == 0) // nobody wants any of it
    form.registerBytes = ptx::byteSize(form.type);
  const Handler handler = loadHandler(form);
  if (!handler)
    return "the registers cannot hold what is loaded";

  AddressOperand place;
  if (Problem problem =
          address(place, operands[1], instruction.mnemonic.space()))
    return problem;
  Instr &instr = emit(handler);
  static_cast<AddressOperand &>(instr) = place;
  instr.width = std::uint16_t(results->size());
  instr.detail = std::uint32_t(function.slots.size());
  for (const Value &result : *results)
    function.slots.push_back(result.slot);
  mayWait.back() = form.isStrong;
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeStore(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const Type type = instruction.type();
  auto sources = elements(operands[1], type);
  if (!sources)
    return sources.error();
  MemoryForm form{.type = type, .isStrong = isStrong(instruction)};
  for (const Value &source : *sources) {
    if (!source.slot)
      return "nothing cannot be stored";
    form.registerBytes = std::max(form.registerBytes, source.bytes);
  }
  if (const auto *vector = operands[1].getIf<ptx::VectorOperand>()) {
    // Constants are as wide as the registers beside them.
    const auto written = ast.operandsIn(vector->elements);
    for (std::size_t i = 0; i < written.size(); ++i)
      if (const auto bits = ptx::immediateBits(written[i], type))
        (*sources)[i] = {.slot = constants.number(*bits, form.registerBytes),
                         .bytes = form.registerBytes};
  }
  const Handler handler = storeHandler(form);
  if (!handler)
    return "the registers are narrower than what is stored";

  AddressOperand place;
  if (Problem problem =
          address(place, operands[0], instruction.mnemonic.space()))
    return problem;
  Instr &instr = emit(handler);
  static_cast<AddressOperand &>(instr) = place;
  instr.width = std::uint16_t(sources->size());
  instr.detail = std::uint32_t(function.slots.size());
  for (const Value &source : *sources)
    function.slots.push_back(source.slot);
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeAtomic(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const bool hasResult = instruction.opcode() == Opcode::atom;
  const std::size_t first = hasResult ? 1 : 0;
  const Type type = instruction.type();
  Modifier operation = instruction.mnemonic.find(ptx::ModifierGroup::operation);
  if (operation == Modifier::none)
    operation = instruction.mnemonic.find(ptx::ModifierGroup::booleanOp);
  const Handler handler = atomicHandler(operation, type);
  if (!handler) {
    emit(&executeUnsupported);
    return std::nullopt;
  }

  const bool isCas = operation == Modifier::cas;
  auto sources = elements(operands[first + (isCas ? 2 : 1)], type);
  if (!sources)
    return sources.error();
  std::vector<Value> results(sources->size());
  if (hasResult) {
    auto wanted = elements(operands[0], type);
    if (!wanted)
      return wanted.error();
    std::ranges::copy_n(
        wanted->begin(),
        std::ptrdiff_t(std::min(wanted->size(), results.size())),
        results.begin());
  }
  Value compared;
  if (isCas) {
    auto read = value(operands[first + 1], type);
    if (!read)
      return read.error();
    compared = *read;
  }
  const std::uint32_t bytes = ptx::byteSize(type);
  const auto fits = [&](const Value &one, bool mayLack) {
    return one.slot ? one.bytes == bytes : mayLack;
  };
  for (std::size_t i = 0; i < sources->size(); ++i)
    if (!fits((*sources)[i], false) || !fits(results[i], true))
      return "the registers are not as wide as the type";
  if (isCas && !fits(compared, false))
    return "the registers are not as wide as the type";

  AddressOperand place;
  if (Problem problem =
          address(place, operands[first], instruction.mnemonic.space()))
    return problem;
  Instr &instr = emit(handler);
  static_cast<AddressOperand &>(instr) = place;
  instr.b = compared.slot;
  instr.width = std::uint16_t(sources->size());
  instr.detail = std::uint32_t(function.slots.size());
  for (const Value &source : *sources)
    function.slots.push_back(source.slot);
  for (const Value &result : results)
    function.slots.push_back(result.slot);
  mayWait.back() = true;
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeStack(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  if (instruction.type() != Type::u64)
    return "only 64-bit addresses are supported by the virtual GPU";
  if (instruction.opcode() == Opcode::stackrestore) {
    const auto from = source(operands[0], Type::u64);
    if (!from)
      return from.error();
    emit(&executeStackRestore).a = *from;
    return std::nullopt;
  }
  const auto to = result(operands[0], Type::u64);
  if (!to)
    return to.error();
  if (instruction.opcode() == Opcode::stacksave) {
    emit(&executeStackSave).dst = *to;
    return std::nullopt;
  }
  const auto size = source(operands[1], Type::u64);
  if (!size)
    return size.error();
  std::uint64_t align = 16;
  if (operands.size() > 2)
    align = std::max(
        align, ptx::immediateBits(operands[2], Type::u32).value_or(align));
  if (!std::has_single_bit(align) || align > 4096)
    return "the alignment must be a power of two";
  Instr &instr = emit(&executeAlloca);
  instr.dst = *to;
  instr.a = *size;
  instr.offset = std::int64_t(align);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

FunctionDecoder::Problem
FunctionDecoder::decodeBranch(const ptx::Instruction &instruction) {
  const auto *label = operandsOf(instruction)[0].getIf<ptx::LabelRef>();
  if (!label)
    return "a label is expected";
  // The guard decides who branches.
  guardsEmitted = false;
  Instr &instr = emit(instruction.guard ? &executeBranch : &executeJump);
  guardsEmitted = true;
  if (instruction.guard) {
    instr.a = registers[instruction.guard.registerIndex][0];
    instr.aNegated = instruction.guard.negated;
  }
  targetLabels.back() = label->index;
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeBranchIndexed(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const auto *table = operands[1].getIf<ptx::TableRef>();
  if (!table || table->kind != ptx::TableRef::Kind::branchTargets)
    return "a .branchtargets table is expected";
  const auto index = source(operands[0], Type::u32);
  if (!index)
    return index.error();
  Instr &instr = emit(&executeBranchIndexed);
  instr.a = *index;
  instr.detail = table->index;
  return std::nullopt;
}

std::expected<CallPlace, std::string>
FunctionDecoder::callPlace(const ptx::Operand &operand,
                           const ptx::Variable &formal) {
  CallPlace place;
  if (const auto *symbol = operand.getIf<ptx::SymbolRef>();
      symbol && symbol->scope == ptx::SymbolRef::Scope::function &&
      ast.variables[symbol->index].registerIndex == ptx::noIndex) {
    if (isEntryParam(*symbol))
      return std::unexpected("a kernel's parameter cannot be passed on");
    place.offset = stackOffsets[symbol->index] + std::uint32_t(symbol->offset);
    place.size = std::uint32_t(ast.variables[symbol->index].size());
    return place;
  }
  const auto read = value(operand, formal.type);
  if (!read)
    return std::unexpected(read.error());
  if (read->bytes == 0)
    return std::unexpected("a predicate cannot be passed to a function");
  place.inMemory = false;
  place.slot = read->slot;
  place.size = read->bytes;
  return place;
}

FunctionDecoder::Problem
FunctionDecoder::decodeCallee(Instr &instr, CallSite &site, Callee &callee,
                              const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const auto *symbol = operands[1].getIf<ptx::SymbolRef>();
  if (symbol && symbol->scope == ptx::SymbolRef::Scope::module) {
    const ptx::Function *declared = program.module.functionOf(symbol->index);
    if (!declared)
      return "a function is expected";
    site.name = declared->name;
    site.callee = layout.functionOf(program.module, symbol->index);
    instr.handler = &executeCall;
    if (site.callee) {
      if (site.callee->ast->isEntry)
        return concat("kernel '", site.name, "' cannot be called");
      declared = site.callee->ast;
    } else {
      site.builtin = builtinByName(site.name);
      instr.handler = &executeCallBuiltin;
      if (site.builtin == Builtin::none)
        return concat("function '", site.name,
                      "' has no body in this module and is none of the "
                      "device's own");
      if (std::string problem = builtinProblem(site.builtin, *declared);
          !problem.empty())
        return problem;
    }
    callee.results = declared->results();
    callee.params = declared->params();
    return std::nullopt;
  }

  const auto address = source(operands[1], Type::u64);
  if (!address)
    return address.error();
  instr.handler = &executeCallIndirect;
  instr.a = *address;
  const auto *table =
      operands.size() > 3 ? operands[3].getIf<ptx::TableRef>() : nullptr;
  if (!table)
    return "an indirect call needs a prototype";
  if (table->kind == ptx::TableRef::Kind::callPrototype) {
    callee.results = ast.callPrototypes[table->index].returns;
    callee.params = ast.callPrototypes[table->index].params;
  } else if (table->kind == ptx::TableRef::Kind::callTargets &&
             !ast.callTargets[table->index].functions.empty()) {
    const ptx::Function *first = program.module.functionOf(
        ast.callTargets[table->index].functions.front());
    if (!first)
      return "a .calltargets table must name functions";
    callee.results = first->results();
    callee.params = first->params();
  } else {
    return "an indirect call needs a prototype";
  }
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeCall(const ptx::Instruction &instruction) {
  const auto operands = operandsOf(instruction);
  const auto *results = operands[0].getIf<ptx::ListOperand>();
  const auto *arguments = operands[2].getIf<ptx::ListOperand>();
  if (!results || !arguments)
    return "lists of results and arguments are expected";

  CallSite site;
  Callee callee;
  Instr shape;
  if (Problem problem = decodeCallee(shape, site, callee, instruction))
    return problem;
  const auto collect = [&](const ptx::ListOperand &list,
                           std::span<const ptx::Variable> formals,
                           std::vector<CallPlace> &into) -> Problem {
    const auto written = ast.operandsIn(list.elements);
    if (written.size() != formals.size())
      return concat("the call has ", written.size(),
                    " results or arguments where the function has ",
                    formals.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
      auto place = callPlace(written[i], formals[i]);
      if (!place)
        return place.error();
      if (place->size != formals[i].size())
        return concat("a result or argument of ", place->size,
                      " bytes stands for one of ", formals[i].size());
      into.push_back(*place);
    }
    return std::nullopt;
  };
  if (Problem problem = collect(*results, callee.results, site.results))
    return problem;
  if (Problem problem = collect(*arguments, callee.params, site.arguments))
    return problem;

  Instr &instr = emit(shape.handler);
  instr.a = shape.a;
  instr.detail = std::uint32_t(function.calls.size());
  function.calls.push_back(std::move(site));
  mayWait.back() = true;
  guardsEmitted = false;
  emit(&executeJoin);
  guardsEmitted = true;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Barriers and exchanges
//===----------------------------------------------------------------------===//

FunctionDecoder::Problem
FunctionDecoder::decodeBarrier(const ptx::Instruction &instruction) {
  auto operands = operandsOf(instruction);
  BarrierForm form;
  form.isAligned =
      instruction.opcode() == Opcode::bar || instruction.has(Modifier::aligned);
  form.waits = !instruction.has(Modifier::arrive);
  Instr parts;
  if (instruction.has(Modifier::red)) {
    form.reduction = instruction.has(Modifier::popc)   ? BarrierReduction::popc
                     : instruction.has(Modifier::and_) ? BarrierReduction::all
                                                       : BarrierReduction::any;
    const auto to = result(operands.front(), instruction.type());
    if (!to)
      return to.error();
    const auto holds = predicate(operands.back());
    if (!holds)
      return holds.error();
    parts.dst = *to;
    parts.c = holds->slot;
    parts.aNegated = holds->negated;
    operands = operands.subspan(1, operands.size() - 2);
  }
  const auto id = source(operands[0], Type::u32);
  if (!id)
    return id.error();
  if (operands.size() > 1) {
    const auto threads = source(operands[1], Type::u32);
    if (!threads)
      return threads.error();
    parts.b = *threads;
  }
  Instr &instr = emit(&executeBarrier);
  instr.width = form.pack();
  instr.a = *id;
  instr.b = parts.b;
  instr.c = parts.c;
  instr.dst = parts.dst;
  instr.aNegated = parts.aNegated;
  return std::nullopt;
}

FunctionDecoder::Problem
FunctionDecoder::decodeCollective(const ptx::Instruction &instruction) {
  const Handler handler = collectiveHandler(instruction);
  if (!handler) {
    emit(&executeUnsupported);
    return std::nullopt;
  }
  auto operands = operandsOf(instruction);
  Instr parts;
  const bool hasMask = instruction.opcode() != Opcode::shfl &&
                       instruction.opcode() != Opcode::vote;
  if (hasMask) {
    const auto mask = source(operands.back(), Type::b32);
    if (!mask)
      return mask.error();
    parts.d = *mask;
    operands = operands.first(operands.size() - 1);
  }
  const bool isVote = instruction.opcode() == Opcode::vote ||
                      instruction.opcode() == Opcode::vote_sync;
  if (!operands.empty()) {
    const auto [first, second] = resultPair(ast, operands.front());
    const bool isPredicate = instruction.type() == Type::pred;
    const auto to = result(*first, isPredicate ? Type::pred : Type::b32);
    if (!to)
      return to.error();
    parts.dst = *to;
    if (second) {
      const auto beside = result(*second, Type::pred);
      if (!beside)
        return beside.error();
      parts.dst2 = *beside;
    }
    operands = operands.subspan(1);
  }
  if (isVote) {
    const auto holds = predicate(operands.front());
    if (!holds)
      return holds.error();
    parts.a = holds->slot;
    parts.aNegated = holds->negated;
    operands = {};
  }
  Slot Instr::*const places[] = {&Instr::a, &Instr::b, &Instr::c};
  for (std::size_t i = 0; i < operands.size() && i < std::size(places); ++i) {
    const auto read =
        source(operands[i], i == 0 ? instruction.type() : Type::u32);
    if (!read)
      return read.error();
    parts.*places[i] = *read;
  }
  Instr &instr = emit(handler);
  instr.dst = parts.dst;
  instr.dst2 = parts.dst2;
  instr.a = parts.a;
  instr.b = parts.b;
  instr.c = parts.c;
  instr.d = parts.d;
  instr.aNegated = parts.aNegated;
  return std::nullopt;
}
