// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/analysis.h"
#include "vgpu/jit/probe.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

using namespace tessera::vgpu;
using namespace tessera::vgpu::jit;

namespace {

/// Whether an access may be to memory that each lane has of its own: then one
/// address holds 32 values. A generic address may lie in the local window.
bool mayBeLocal(const Instr &instr) {
  switch (instr.space) {
  case MemorySpace::generic:
  case MemorySpace::local:
    return true;
  case MemorySpace::param:
    return instr.addressBase != AddressBase::none;
  case MemorySpace::global:
  case MemorySpace::shared:
  case MemorySpace::sharedCluster:
    break;
  }
  return false;
}

} // namespace

Analysis::Analysis(const NativeRequest &request, const HostFeatures &host)
    : request(request), host(host) {}

std::optional<std::string> Analysis::run() {
  for (unsigned i = 0; i < size(); ++i)
    kinds.push_back(facts(i).kind);
  if (!collectRegisters())
    return "a register has two widths";
  findEffects();
  findShapes();
  findLive();
  findDirty();
  findEntries();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

unsigned Analysis::registerAt(Slot slot) const {
  if (!slot || slot.base() != std::uint32_t(Slot::Base::registers))
    return noRegister;
  const auto found = byOffset.find(slot.offset());
  return found == byOffset.end() ? noRegister : found->second;
}

bool Analysis::addRegister(Slot slot, unsigned width) {
  if (!slot || slot.base() != std::uint32_t(Slot::Base::registers) ||
      width > 64)
    return true;
  const auto [entry, isNew] =
      byOffset.try_emplace(slot.offset(), unsigned(registers.size()));
  if (isNew)
    registers.push_back({.offset = slot.offset(), .width = width});
  return registers[entry->second].width == width;
}

bool Analysis::collectFrom(unsigned index) {
  const Instr &instr = this->instr(index);
  bool isConsistent = addRegister(instr.guard, 1);
  const auto add = [&](Slot slot, unsigned width) {
    isConsistent = addRegister(slot, width) && isConsistent;
  };
  switch (kinds[index]) {
  case NativeKind::compute:
    for (const ComputeOperand &operand :
         request.function->computes[instr.detail].operands)
      add(operand.slot, operand.stride ? operand.stride * 8 : 1);
    add(instr.dst, 1);
    break;
  case NativeKind::addOffset:
    add(instr.a, facts(index).bytes * 8);
    add(instr.dst, facts(index).bytes * 8);
    break;
  case NativeKind::frameAddress:
    add(instr.dst, facts(index).bytes * 8);
    break;
  case NativeKind::load:
  case NativeKind::store:
    if (instr.addressBase == AddressBase::lanes64)
      add(instr.a, 64);
    if (instr.addressBase == AddressBase::lanes32)
      add(instr.a, 32);
    for (unsigned i = 0; i < instr.width; ++i)
      add(request.function->slots[instr.detail + i],
          facts(index).form.registerBytes * 8);
    break;
  case NativeKind::atomic:
    if (instr.addressBase == AddressBase::lanes64)
      add(instr.a, 64);
    if (instr.addressBase == AddressBase::lanes32)
      add(instr.a, 32);
    for (unsigned i = 0; i < 2; ++i) // source and result
      add(request.function->slots[instr.detail + i],
          facts(index).form.registerBytes * 8);
    break;
  case NativeKind::branch:
    add(instr.a, 1);
    break;
  case NativeKind::nothing:
  case NativeKind::join:
  case NativeKind::jump:
  case NativeKind::handler:
    break;
  }
  return isConsistent;
}

bool Analysis::collectRegisters() {
  for (unsigned i = 0; i < size(); ++i)
    if (!collectFrom(i))
      return false;
  return true;
}

void Analysis::findEffects() {
  const auto count = unsigned(registers.size());
  effects.resize(size());
  for (unsigned i = 0; i < size(); ++i) {
    Effects &effect = effects[i];
    const bool all = facts(i).touchesAll;
    effect.reads.resize(count, all);
    effect.writes.resize(count, all);
    for (Slot slot : facts(i).reads)
      if (const unsigned reg = registerAt(slot); reg != noRegister)
        effect.reads.set(reg);
    for (Slot slot : facts(i).writes)
      if (const unsigned reg = registerAt(slot); reg != noRegister)
        effect.writes.set(reg);
    if (const unsigned guard = registerAt(instr(i).guard); guard != noRegister)
      effect.reads.set(guard);
  }
}

std::vector<ComputePlace> Analysis::computePlaces(unsigned index) const {
  const ComputeCall &call = request.function->computes[instr(index).detail];
  const auto operation =
      ptx::resolve(*request.function->ast,
                   request.function->ast->instructions[instr(index).index]);
  std::vector<ComputePlace> places;
  for (std::size_t i = 0; i < call.operands.size(); ++i)
    places.push_back({.operand = call.operands[i],
                      .reg = registerAt(call.operands[i].slot),
                      .isResult = operation->slots[i].isResult});
  return places;
}

std::uint64_t Analysis::constantAt(Slot slot, std::uint32_t bytes) const {
  std::uint64_t value = 0;
  const auto *from =
      reinterpret_cast<const std::byte *>(request.program->constants.data());
  std::memcpy(&value, from + slot.offset(), bytes);
  return value;
}

std::uint32_t Analysis::paramBytes() const {
  const auto kernel = std::ranges::find(request.program->kernels,
                                        request.function, &Kernel::function);
  return kernel == request.program->kernels.end() ? 0 : kernel->info.paramBytes;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Shape Analysis::specialShape(std::uint32_t offset) const {
  using Specials = SpecialValues;
  constexpr std::size_t lanes = sizeof(Specials::Lanes<std::uint32_t>);
  const auto isAt = [&](std::size_t first, std::size_t count) {
    return offset >= first && offset < first + count * lanes;
  };
  if (isAt(offsetof(Specials, laneid), 1))
    return Shape::linear(1);
  if (isAt(offsetof(Specials, lanemaskEq), 5))
    return Shape::varying();
  if (!isAt(offsetof(Specials, tid), 3))
    return Shape::uniform();
  if (request.shape == NativeShape::general)
    return Shape::varying();
  return isAt(offsetof(Specials, tid), 1) ? Shape::linear(1) : Shape::uniform();
}

bool Analysis::raise(unsigned reg, Shape shape, bool isRaw) {
  if (reg == noRegister)
    return false;
  Register &own = registers[reg];
  const Shape joined = join(own.shape, shape);
  const bool stillRaw = own.isRaw && isRaw;
  if (joined == own.shape && stillRaw == own.isRaw)
    return false;
  own.shape = joined;
  own.isRaw = stillRaw;
  return true;
}

Shape Analysis::guardedShape(unsigned index, Shape shape) const {
  const unsigned guard = registerAt(instr(index).guard);
  return guard == noRegister || registers[guard].shape.isScalar()
             ? shape
             : Shape::varying();
}

Shape Analysis::shapeAt(Slot slot) const {
  if (const unsigned reg = registerAt(slot); reg != noRegister)
    return registers[reg].shape;
  return slot.base() == std::uint32_t(Slot::Base::specials)
             ? specialShape(slot.offset())
             : Shape::uniform();
}

bool Analysis::raiseAllWritten(unsigned index) {
  // What an unknown handler may write is looked at when it has.
  if (facts(index).touchesAll)
    return false;
  bool changed = false;
  for (unsigned reg : effects[index].writes.set_bits())
    changed = raise(reg, Shape::varying(), false) || changed;
  return changed;
}

Shape Analysis::addressShape(unsigned index) const {
  const Instr &instr = this->instr(index);
  switch (instr.addressBase) {
  case AddressBase::none:
  case AddressBase::frame:
    return Shape::uniform();
  case AddressBase::lanes32:
  case AddressBase::lanes64:
    break;
  }
  return shapeAt(instr.a);
}

bool Analysis::updateCompute(Probe &probe, unsigned index) {
  const std::vector<ComputePlace> places = computePlaces(index);
  const auto found = probe.apply(index, places);
  if (!found) {
    kinds[index] = NativeKind::handler;
    raiseAllWritten(index);
    return true;
  }
  bool changed = false;
  for (std::size_t i = 0; i < found->results.size(); ++i) {
    const Probe::Result &result = found->results[i];
    changed =
        raise(places[i].reg, guardedShape(index, result.shape), result.isRaw) ||
        changed;
  }
  if (found->carry)
    changed = raise(registerAt(instr(index).dst),
                    guardedShape(index, *found->carry), false) ||
              changed;
  return changed;
}

bool Analysis::updateShapes(Probe &probe, unsigned index) {
  const Instr &instr = this->instr(index);
  const auto raiseResult = [&](Shape shape) {
    return raise(registerAt(instr.dst), guardedShape(index, shape), false);
  };
  switch (kinds[index]) {
  case NativeKind::compute:
    return updateCompute(probe, index);
  case NativeKind::addOffset:
    return raiseResult(shapeAt(instr.a));
  case NativeKind::frameAddress:
    return raiseResult(Shape::uniform());
  case NativeKind::load: {
    const Shape address = addressShape(index);
    const bool isUniform = address.isScalar() &&
                           address.kind != Shape::Kind::linear &&
                           !mayBeLocal(instr);
    bool changed = false;
    for (unsigned reg : effects[index].writes.set_bits())
      changed = raise(reg,
                      guardedShape(index, isUniform ? Shape::uniform()
                                                    : Shape::varying()),
                      false) ||
                changed;
    return changed;
  }
  case NativeKind::atomic:
  case NativeKind::handler:
    return raiseAllWritten(index);
  case NativeKind::store:
  case NativeKind::nothing:
  case NativeKind::join:
  case NativeKind::jump:
  case NativeKind::branch:
    return false;
  }
  return false;
}

void Analysis::findShapes() {
  const bool hasUnknown =
      std::ranges::any_of(*request.facts, [](const NativeFacts &facts) {
        return facts.touchesAll;
      });
  for (Register &reg : registers)
    reg.isRaw = reg.width == 32 && !hasUnknown;
  // Callers fill parameters.
  for (const CallPlace &place : request.function->params)
    if (!place.inMemory)
      raise(registerAt(place.slot), Shape::varying(), false);
  Probe probe(*this, host);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < size(); ++i)
      changed = updateShapes(probe, i) || changed;
  }
  for (Register &reg : registers)
    if (reg.shape.kind == Shape::Kind::unknown)
      reg.shape = Shape::uniform();
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

llvm::SmallVector<unsigned, 2> Analysis::successors(unsigned index) const {
  llvm::SmallVector<unsigned, 2> next;
  if (!facts(index).endsPath && index + 1 < size())
    next.push_back(index + 1);
  if (instr(index).target)
    next.push_back(targetOf(index));
  return next;
}

void Analysis::findLive() {
  live.assign(size(), llvm::BitVector(unsigned(registers.size())));
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = size(); i-- > 0;) {
      llvm::BitVector now(unsigned(registers.size()));
      for (unsigned next : successors(i))
        now |= live[next];
      if (!instr(i).guard && !facts(i).touchesAll)
        now.reset(effects[i].writes);
      now |= effects[i].reads;
      changed = changed || now != live[i];
      live[i] = std::move(now);
    }
  }
}

void Analysis::findDirty() {
  dirty.assign(size(), llvm::BitVector(unsigned(registers.size())));
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < size(); ++i) {
      llvm::BitVector after = dirty[i];
      if (kinds[i] != NativeKind::handler)
        after |= effects[i].writes;
      else if (!instr(i).guard) // else perhaps it is not called
        after.reset(effects[i].writes);
      for (unsigned next : successors(i)) {
        const llvm::BitVector before = dirty[next];
        dirty[next] |= after;
        changed = changed || before != dirty[next];
      }
    }
  }
}

void Analysis::findEntries() {
  entries.assign(size(), false);
  const auto enterAt = [&](unsigned index) {
    if (index < size() && kinds[index] != NativeKind::handler)
      entries[index] = true;
  };
  enterAt(0);
  for (unsigned i = 0; i < size(); ++i) {
    const bool parts = kinds[i] == NativeKind::branch &&
                       !(registerAt(instr(i).a) != noRegister &&
                         registers[registerAt(instr(i).a)].shape.isScalar());
    if (kinds[i] == NativeKind::join)
      enterAt(i);
    else if (parts || (kinds[i] == NativeKind::handler && facts(i).mayLeave))
      enterAt(i + 1);
  }
}
