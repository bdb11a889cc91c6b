// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/probe.h"

#include <array>
#include <bit>

using namespace tessera::vgpu;
using namespace tessera::vgpu::jit;

namespace {

constexpr std::array<unsigned, 5> widths{1, 8, 16, 32, 64};

Shape shapeOf(const Truth &truth) {
  return truth.isUniform() ? Shape::uniform() : Shape::varying();
}

/// Whether the number before canonicalisation can stand for the value.
bool isRawNumber(const Lanes &lanes) {
  if (lanes.raw)
    return true;
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(lanes.value);
  return constant && lanes.width() == 32 && lanes.shape.isUniform() &&
         (constant->getZExtValue() & 0x7fffffff) <= 0x7f800000;
}

} // namespace

Probe::Probe(const Analysis &analysis, const HostFeatures &host)
    : analysis(analysis), host(host), module("probe", context),
      builder(context) {
  llvm::SmallVector<llvm::Type *, 10> types;
  for (unsigned width : widths) {
    types.push_back(builder.getIntNTy(width));
    types.push_back(vectorOf(builder.getIntNTy(width)));
  }
  function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), types, false),
      llvm::Function::ExternalLinkage, "probe", module);
}

llvm::Value *Probe::placeholder(unsigned width, bool isVector) {
  const auto place =
      std::size_t(std::ranges::find(widths, width) - widths.begin());
  return function->getArg(unsigned(2 * place + isVector));
}

Operand Probe::readRegister(unsigned reg) {
  const Register &from = analysis.allRegisters()[reg];
  const bool isVector = !from.shape.isScalar();
  if (from.isPredicate())
    return {.truth = {.value = placeholder(1, isVector)}, .isTruth = true};
  const Shape shape =
      from.shape.kind == Shape::Kind::unknown ? Shape::uniform() : from.shape;
  llvm::Value *value = placeholder(from.width, isVector);
  if (from.isRaw)
    return {.lanes = canonicalized(builder, value, shape)};
  return {.lanes = {.value = value, .shape = shape}};
}

Lanes Probe::readElsewhere(Slot slot, unsigned width) {
  const Shape shape = analysis.shapeAt(slot);
  return {.value = placeholder(width, !shape.isScalar()), .shape = shape};
}

std::optional<Probe::Results>
Probe::apply(unsigned index, std::span<const ComputePlace> places) {
  auto *block = llvm::BasicBlock::Create(context, "", function);
  builder.SetInsertPoint(block);
  IrDomain domain(builder, host);
  domain.leaveIf = [](llvm::Value *) {};
  std::vector<Operand> sources;
  Application application{.domain = domain};
  std::optional<Results> found;
  if (computeInstruction(analysis, index, places, builder, *this, sources,
                         application)) {
    found.emplace();
    for (const Operand &result : application.results)
      found->results.push_back(
          {.shape = result.isTruth ? shapeOf(result.truth) : result.lanes.shape,
           .isRaw = !result.isTruth && isRawNumber(result.lanes)});
    if (application.writesCarry)
      found->carry = shapeOf(application.newCarry);
  }
  block->eraseFromParent();
  return found;
}
