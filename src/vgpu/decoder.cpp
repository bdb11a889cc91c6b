// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/decoder.h"
#include "vgpu/fault.h"

#include <algorithm>
#include <cstring>

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::Opcode;
using ptx::OpcodeClass;

namespace {

/// Room for results that nobody wants.
constexpr std::uint32_t scratchBytes = 256;
/// More registers than this are no program's.
constexpr std::uint64_t maxRegisterBytes = 64 << 20;
/// Fuel of a back edge of a loop that may be waiting for other threads.
constexpr std::uint16_t waitingCost = 32;

std::uint64_t alignTo(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

std::uint32_t registerBytes(ptx::Type type) {
  return std::max(1u, ptx::bitWidth(type) / 8);
}

} // namespace

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Slot ConstantPool::number(std::uint64_t bits, std::uint32_t bytes) {
  auto [entry, isNew] = known.try_emplace({bits, bytes});
  if (!isNew)
    return entry->second;
  const std::size_t first = lines.size();
  lines.resize(first +
               alignTo(std::uint64_t(bytes) * warpSize, sizeof(Program::Line)) /
                   sizeof(Program::Line));
  auto *to = lines[first].bytes;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    std::memcpy(to + lane * bytes, &bits,
                std::min<std::size_t>(bytes, sizeof(bits)));
  entry->second =
      Slot(Slot::Base::constants, std::uint32_t(first * sizeof(Program::Line)));
  return entry->second;
}

Slot ConstantPool::mask(LaneMask value) { return number(value, 4); }

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

FunctionDecoder::FunctionDecoder(Program &program, const ModuleLayout &layout,
                                 ConstantPool &constants, Function &function)
    : program(program), layout(layout), constants(constants),
      function(function), ast(*function.ast),
      astIndex(std::uint32_t(function.ast - program.module.functions.data())) {}

Slot FunctionDecoder::newRegister(std::uint32_t bytes) {
  const auto offset =
      std::uint32_t(alignTo(function.registerBytes, sizeof(Program::Line)));
  function.registerBytes = offset + bytes * warpSize;
  return Slot(Slot::Base::registers, offset);
}

Slot FunctionDecoder::newPredicate() {
  const auto offset =
      std::uint32_t(alignTo(function.registerBytes, sizeof(LaneMask)));
  function.registerBytes = offset + sizeof(LaneMask);
  return Slot(Slot::Base::registers, offset);
}

void FunctionDecoder::assignRegisters() {
  carry = newPredicate();
  registers.resize(ast.registers.size());
  // Predicates share lines, so they come first.
  for (std::size_t i = 0; i < ast.registers.size(); ++i)
    if (ast.registers[i].type == ptx::Type::pred)
      registers[i].push_back(newPredicate());
  scratch = newRegister(scratchBytes / warpSize);
  for (std::size_t i = 0; i < ast.registers.size(); ++i)
    if (ast.registers[i].type != ptx::Type::pred)
      for (unsigned part = 0; part < ast.registers[i].vectorWidth; ++part)
        registers[i].push_back(
            newRegister(registerBytes(ast.registers[i].type)));
}

FunctionDecoder::Problem FunctionDecoder::layOutStack() {
  stackOffsets.assign(ast.variables.size(), 0);
  const std::size_t formals = ast.resultCount + ast.paramCount;
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < ast.variables.size(); ++i) {
    const ptx::Variable &variable = ast.variables[i];
    if (i < formals && (ast.isEntry || variable.registerIndex != ptx::noIndex))
      continue;
    switch (variable.space) {
    case ptx::StateSpace::local:
    case ptx::StateSpace::param:
    case ptx::StateSpace::paramFunc:
      break;
    case ptx::StateSpace::shared:
    case ptx::StateSpace::sharedCta:
      continue;
    default:
      return concat("variable '", variable.name, "' of state space .",
                    ptx::spelling(variable.space),
                    " cannot be declared in a function");
    }
    const std::uint32_t align = variable.alignment();
    size = alignTo(size, align);
    stackOffsets[i] = std::uint32_t(size);
    size += variable.size();
    function.stackAlign = std::max(function.stackAlign, align);
    if (size > (std::uint64_t(1) << 30))
      return concat("function '", ast.name, "' needs too much local memory");
  }
  function.stackBytes = std::uint32_t(alignTo(size, 16));
  if (!ast.isEntry) {
    function.results = placesOf(ast.results());
    function.params = placesOf(ast.params());
  }
  return std::nullopt;
}

std::vector<CallPlace>
FunctionDecoder::placesOf(std::span<const ptx::Variable> variables) {
  std::vector<CallPlace> places;
  for (const ptx::Variable &variable : variables) {
    CallPlace place;
    place.size = std::uint32_t(variable.size());
    if (variable.registerIndex != ptx::noIndex) {
      place.inMemory = false;
      place.slot = registers[variable.registerIndex][0];
    } else {
      place.offset =
          stackOffsets[std::size_t(&variable - ast.variables.data())];
    }
    places.push_back(place);
  }
  return places;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Instr &FunctionDecoder::emit(Handler handler) {
  Instr &instr = function.code.emplace_back();
  instr.handler = handler;
  instr.index = currentIndex;
  targetLabels.push_back(ptx::noIndex);
  mayWait.push_back(false);
  if (currentIndex < ast.instructions.size() && guardsEmitted)
    if (const ptx::Guard guard = ast.instructions[currentIndex].guard) {
      instr.guard = registers[guard.registerIndex][0];
      instr.guardNegated = guard.negated;
    }
  return instr;
}

void FunctionDecoder::markJoins() {
  isTarget.assign(ast.instructions.size() + 1, false);
  for (const ptx::Operand &operand : ast.operands)
    if (const auto *label = operand.getIf<ptx::LabelRef>())
      isTarget[ast.labels[label->index].instruction] = true;
  for (const ptx::BranchTargets &table : ast.branchTargets)
    for (std::uint32_t label : table.labels)
      isTarget[ast.labels[label].instruction] = true;
}

const Instr *FunctionDecoder::codeAt(std::uint32_t instruction) const {
  return function.code.data() + firstCode[instruction];
}

void FunctionDecoder::resolveTargets() {
  for (std::size_t i = 0; i < function.code.size(); ++i)
    if (targetLabels[i] != ptx::noIndex)
      function.code[i].target = codeAt(ast.labels[targetLabels[i]].instruction);
  for (const ptx::BranchTargets &table : ast.branchTargets) {
    std::vector<const Instr *> &targets = function.branchTables.emplace_back();
    for (std::uint32_t label : table.labels)
      targets.push_back(codeAt(ast.labels[label].instruction));
  }
}

void FunctionDecoder::setBackEdgeCosts() {
  std::vector<std::uint32_t> waitsBefore(function.code.size() + 1);
  for (std::size_t i = 0; i < function.code.size(); ++i)
    waitsBefore[i + 1] = waitsBefore[i] + mayWait[i];
  for (std::size_t i = 0; i < function.code.size(); ++i) {
    Instr &instr = function.code[i];
    if (!instr.target || instr.target > &instr)
      continue;
    const auto start = std::size_t(instr.target - function.code.data());
    if (waitsBefore[i] > waitsBefore[start])
      instr.cost = waitingCost;
  }
}

Result<void> FunctionDecoder::decodeInstruction(std::uint32_t index) {
  currentIndex = index;
  firstCode.push_back(std::uint32_t(function.code.size()));
  if (isTarget[index]) {
    guardsEmitted = false;
    emit(&executeJoin);
    guardsEmitted = true;
  }
  const ptx::Instruction &instruction = ast.instructions[index];
  if (Problem problem = decode(instruction)) {
    Fault fault{.kind = FaultKind::invalidPtx};
    fault.what = concat("'", instruction.mnemonic.str(), "' in function '",
                        function.name, "': ", *problem);
    fault.ptx = {instruction.pos.line, instruction.pos.column};
    return std::unexpected(std::move(fault));
  }
  return {};
}

Result<void> FunctionDecoder::run() {
  std::uint64_t needed = 0;
  for (const ptx::Register &reg : ast.registers)
    needed += std::uint64_t(registerBytes(reg.type)) * warpSize *
                  std::max<std::uint8_t>(1, reg.vectorWidth) +
              sizeof(Program::Line);
  Problem problem;
  if (needed > maxRegisterBytes) {
    problem = concat("function '", ast.name, "' has too many registers");
  } else {
    assignRegisters();
    problem = layOutStack();
  }
  if (problem) {
    Fault fault{.kind = FaultKind::invalidPtx, .what = std::move(*problem)};
    fault.ptx = {ast.pos.line, ast.pos.column};
    return std::unexpected(std::move(fault));
  }

  markJoins();
  const auto count = std::uint32_t(ast.instructions.size());
  for (std::uint32_t i = 0; i < count; ++i)
    if (auto decoded = decodeInstruction(i); !decoded)
      return decoded;
  currentIndex = count;
  firstCode.push_back(std::uint32_t(function.code.size()));
  if (isTarget[count])
    emit(&executeJoin);
  emit(&executeEnd);
  resolveTargets();
  setBackEdgeCosts();
  return {};
}

FunctionDecoder::Problem
FunctionDecoder::decode(const ptx::Instruction &instruction) {
  switch (instruction.opcode()) {
  case Opcode::mov:
    return instruction.type() == ptx::Type::b128 ? decodeMove128(instruction)
                                                 : decodeCompute(instruction);
  case Opcode::cvta:
    return decodeAddressConversion(instruction);
  case Opcode::isspacep:
    return decodeIsSpace(instruction);
  case Opcode::mapa:
  case Opcode::getctarank:
    return decodeClusterAddress(instruction);
  case Opcode::ld:
  case Opcode::ldu:
    return decodeLoad(instruction);
  case Opcode::st:
    return decodeStore(instruction);
  case Opcode::atom:
  case Opcode::red:
    return decodeAtomic(instruction);
  case Opcode::bra:
    return decodeBranch(instruction);
  case Opcode::brx_idx:
    return decodeBranchIndexed(instruction);
  case Opcode::call:
    return decodeCall(instruction);
  case Opcode::ret:
    emit(&executeReturn);
    return std::nullopt;
  case Opcode::exit:
    emit(&executeExit);
    return std::nullopt;
  case Opcode::trap:
    emit(&executeTrap);
    return std::nullopt;
  case Opcode::brkpt:
    emit(&executeBreakpoint);
    return std::nullopt;
  case Opcode::nanosleep:
    emit(&executeYield);
    mayWait.back() = true;
    return std::nullopt;
  case Opcode::bar:
  case Opcode::barrier:
    return decodeBarrier(instruction);
  case Opcode::barrier_cluster_arrive:
  case Opcode::barrier_cluster_wait: {
    const bool isArrival =
        instruction.opcode() == Opcode::barrier_cluster_arrive;
    emit(isArrival ? &executeClusterArrive : &executeClusterWait).width =
        instruction.has(ptx::Modifier::aligned);
    mayWait.back() = true;
    return std::nullopt;
  }
  case Opcode::wgmma_fence:
  case Opcode::wgmma_mma_async:
  case Opcode::wgmma_commit_group:
  case Opcode::wgmma_wait_group:
    return decodeAsync(instruction);
  case Opcode::activemask:
    return decodeResultOnly(instruction, &executeActiveMask);
  case Opcode::alloca:
  case Opcode::stacksave:
  case Opcode::stackrestore:
    return decodeStack(instruction);
  case Opcode::createpolicy_fractional:
  case Opcode::createpolicy_range:
    return decodePolicy(instruction);
  case Opcode::membar:
  case Opcode::membar_proxy:
  case Opcode::fence:
  case Opcode::fence_proxy:
    emit(&executeFence);
    return std::nullopt;
  case Opcode::prefetch:
  case Opcode::prefetchu:
  case Opcode::applypriority:
  case Opcode::discard:
  case Opcode::pmevent:
  case Opcode::setmaxnreg_inc:
  case Opcode::setmaxnreg_dec:
  case Opcode::griddepcontrol_launch:
  case Opcode::griddepcontrol_wait:
    emit(&executeNothing);
    return std::nullopt;
  default:
    break;
  }
  switch (ptx::opcodeClass(instruction.opcode())) {
  case OpcodeClass::compute:
  case OpcodeClass::move:
    return decodeCompute(instruction);
  case OpcodeClass::async:
    return decodeAsync(instruction);
  case OpcodeClass::matrix:
    return decodeMatrix(instruction);
  case OpcodeClass::warp:
  case OpcodeClass::sync:
    return decodeCollective(instruction);
  default:
    emit(&executeUnsupported);
    return std::nullopt;
  }
}
