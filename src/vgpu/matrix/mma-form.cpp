// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/mma-form.h"

#include <optional>

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::MatrixPlace;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

namespace {

/// The types of the four matrices.
struct Types {
  Type a{}, b{}, c{}, d{};
};

std::uint32_t indexIn(MatrixPlace place, std::uint32_t columns) {
  return place.row * columns + place.column;
}

void setArithmetic(MmaForm &form, const ptx::Instruction &instruction,
                   Type type) {
  if (type != Type::b1)
    return;
  form.shape.k /= 32;
  form.arithmetic = instruction.has(Modifier::xor_) ? MatrixArithmetic::bitsXor
                                                    : MatrixArithmetic::bitsAnd;
}

void setFragments(MmaForm &form, const Types &types, bool saturates) {
  const ptx::MatrixShape shape = form.shape;
  form.a = makeFragment(
      types.a, false, shape.m * shape.k / warpSize,
      [&](std::uint32_t lane, std::uint32_t index) {
        return indexIn(ptx::fragmentA(shape, elementBits(types.a), lane, index),
                       shape.k);
      });
  form.b = makeFragment(
      types.b, false, shape.k * shape.n / warpSize,
      [&](std::uint32_t lane, std::uint32_t index) {
        return indexIn(ptx::fragmentB(shape, elementBits(types.b), lane, index),
                       shape.n);
      });
  const auto accumulator = [&](Type type) {
    return makeFragment(type, saturates, shape.m * shape.n / warpSize,
                        [&](std::uint32_t lane, std::uint32_t index) {
                          return indexIn(ptx::fragmentC(shape, lane, index),
                                         shape.n);
                        });
  };
  form.c = accumulator(types.c);
  form.d = accumulator(types.d);
}

/// `.m8n8k4` of `.f16`: four products.
void setQuadPairFragments(MmaForm &form, const Types &types, bool aIsRowMajor,
                          bool bIsRowMajor) {
  form.products = 4;
  const ptx::MatrixShape shape = form.shape;
  form.a = makeFragment(
      types.a, false, 4, [&](std::uint32_t lane, std::uint32_t index) {
        return ptx::quadPair(lane) * shape.m * shape.k +
               indexIn(ptx::quadPairA(aIsRowMajor, lane, index), shape.k);
      });
  form.b = makeFragment(
      types.b, false, 4, [&](std::uint32_t lane, std::uint32_t index) {
        return ptx::quadPair(lane) * shape.k * shape.n +
               indexIn(ptx::quadPairB(bIsRowMajor, lane, index), shape.n);
      });
  const auto accumulator = [&](Type type) {
    return makeFragment(
        type, false, 8, [&](std::uint32_t lane, std::uint32_t index) {
          return ptx::quadPair(lane) * shape.m * shape.n +
                 indexIn(ptx::quadPairC(type == Type::f32, lane, index),
                         shape.n);
        });
  };
  form.c = accumulator(types.c);
  form.d = accumulator(types.d);
}

/// The n-th of the layouts `.row` and `.col`.
bool isRowMajor(const ptx::Instruction &instruction, unsigned n) {
  for (const Modifier modifier : instruction.mnemonic.modifiers())
    if (ptx::modifierGroup(modifier) == ptx::ModifierGroup::layout && n-- == 0)
      return modifier == Modifier::row;
  return false;
}

} // namespace

std::shared_ptr<const MmaForm>
tessera::vgpu::makeMmaForm(const ptx::Instruction &instruction) {
  const Types types{.a = instruction.type(1),
                    .b = instruction.type(2),
                    .c = instruction.type(3),
                    .d = instruction.type(0)};
  auto form = std::make_shared<MmaForm>();
  form->mnemonic = instruction.mnemonic;
  form->shape =
      ptx::matrixShape(instruction.mnemonic.find(ptx::ModifierGroup::shape));
  const bool saturates = instruction.has(Modifier::satfinite);
  if (!form->shape || !unpackOf(types.a) || !unpackOf(types.b) ||
      !unpackOf(types.c) || !packOf(types.d, saturates))
    return nullptr;
  setArithmetic(*form, instruction, types.a);
  if (form->shape == ptx::MatrixShape{8, 8, 4} && types.a == Type::f16)
    setQuadPairFragments(*form, types, isRowMajor(instruction, 0),
                         isRowMajor(instruction, 1));
  else
    setFragments(*form, types, saturates);
  return form;
}
