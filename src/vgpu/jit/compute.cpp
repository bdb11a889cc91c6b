// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/compute.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::jit;

namespace {

/// False for a place that values cannot be read from.
bool readOperand(const Analysis &analysis, const ComputePlace &place,
                 Builder &builder, ValueSource &source, Operand &to) {
  const Slot slot = place.operand.slot;
  const unsigned bytes = place.operand.stride;
  if (!slot || bytes > 8)
    return false;
  if (slot.base() == std::uint32_t(Slot::Base::registers)) {
    to = source.readRegister(place.reg);
  } else if (slot.base() == std::uint32_t(Slot::Base::constants)) {
    const std::uint64_t bits = analysis.constantAt(slot, bytes ? bytes : 4);
    to.isTruth = bytes == 0;
    if (to.isTruth)
      to.truth.value = builder.getInt1(bits != 0);
    else
      to.lanes.value = builder.getIntN(bytes * 8, bits);
  } else {
    if (bytes == 0)
      return false;
    to.lanes = source.readElsewhere(slot, bytes * 8);
  }
  if (to.isTruth && place.operand.negated)
    to.truth = {.value = builder.CreateNot(to.truth.value)};
  return true;
}

} // namespace

bool jit::computeInstruction(const Analysis &analysis, unsigned index,
                             std::span<const ComputePlace> places,
                             Builder &builder, ValueSource &source,
                             std::vector<Operand> &sources,
                             Application &application) {
  for (const ComputePlace &place : places) {
    if (place.isResult) {
      ++application.resultCount;
      if (place.operand.stride > 8)
        return false;
      continue;
    }
    if (!readOperand(analysis, place, builder, source, sources.emplace_back()))
      return false;
  }
  application.sources = sources;
  application.carry =
      source.readRegister(analysis.registerAt(analysis.instr(index).dst)).truth;
  return applyMeaning(analysis.mnemonic(index), application) &&
         application.results.size() == application.resultCount;
}

Lanes jit::canonicalized(Builder &builder, llvm::Value *raw, Shape shape) {
  llvm::Type *type = raw->getType();
  llvm::Type *floats = builder.getFloatTy();
  auto *number = builder.CreateBitCast(
      raw, type->isVectorTy() ? vectorOf(floats) : floats);
  auto *value = builder.CreateSelect(
      builder.CreateFCmpUNO(number, number),
      llvm::ConstantInt::get(
          type, ptx::semantics::canonicalNan(ptx::semantics::Format::f32)),
      raw);
  return {.value = value, .shape = shape, .raw = raw};
}
