// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/mma-form.h"

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

void setSum(MmaForm &form, const ptx::Instruction &instruction,
            const Types &types) {
  if (types.a != Type::b1) {
    form.sum = mmaSum(form.shape, types.a, types.b, types.c, types.d);
    return;
  }
  form.shape.k /= 32;
  form.sum.kind = instruction.has(Modifier::xor_) ? MatrixSum::Kind::bitsXor
                                                  : MatrixSum::Kind::bitsAnd;
}

/// Where the elements of a lane lie in A, B, C and D, by shape, bits of an
/// element, lane and index.
struct Layout {
  MatrixPlace (*a)(ptx::MatrixShape, std::uint32_t, std::uint32_t,
                   std::uint32_t);
  MatrixPlace (*b)(ptx::MatrixShape, std::uint32_t, std::uint32_t,
                   std::uint32_t);
  MatrixPlace (*c)(ptx::MatrixShape, std::uint32_t, std::uint32_t);
};
constexpr Layout mmaLayout{&ptx::fragmentA, &ptx::fragmentB, &ptx::fragmentC};
constexpr Layout wmmaLayout{&ptx::wmmaA, &ptx::wmmaB, &ptx::wmmaC};

void setFragments(MmaForm &form, const Types &types, const Layout &layout,
                  bool saturates) {
  const ptx::MatrixShape shape = form.shape;
  const bool isWmma = layout.a == &ptx::wmmaA;
  const auto elements = [&](Type type, std::uint32_t rows,
                            std::uint32_t columns) {
    return ptx::wmmaElements(isWmma && type == Type::f16, rows, columns);
  };
  form.a =
      makeFragment(types.a, false, elements(types.a, shape.m, shape.k),
                   [&](std::uint32_t lane, std::uint32_t index) {
                     MatrixPlace place =
                         layout.a(shape, elementBits(types.a), lane, index);
                     place.column = sumPosition(form.sum, shape, place.column);
                     return indexIn(place, shape.k);
                   });
  form.b = makeFragment(types.b, false, elements(types.b, shape.k, shape.n),
                        [&](std::uint32_t lane, std::uint32_t index) {
                          MatrixPlace place = layout.b(
                              shape, elementBits(types.b), lane, index);
                          place.row = sumPosition(form.sum, shape, place.row);
                          return indexIn(place, shape.n);
                        });
  const auto accumulator = [&](Type type) {
    return makeFragment(type, saturates, shape.m * shape.n / warpSize,
                        [&](std::uint32_t lane, std::uint32_t index) {
                          return indexIn(layout.c(shape, lane, index), shape.n);
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

/// `wmma` with `.f16` multiplicands names D and C only.
Types typesOf(const ptx::Instruction &instruction) {
  if (instruction.mnemonic.typeCount == 2)
    return {.a = Type::f16,
            .b = Type::f16,
            .c = instruction.type(1),
            .d = instruction.type(0)};
  return {.a = instruction.type(1),
          .b = instruction.type(2),
          .c = instruction.type(3),
          .d = instruction.type(0)};
}

int roundingModeOf(const ptx::Instruction &instruction) {
  switch (instruction.mnemonic.find(ptx::ModifierGroup::rounding)) {
  case Modifier::rz:
    return FE_TOWARDZERO;
  case Modifier::rm:
    return FE_DOWNWARD;
  case Modifier::rp:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

} // namespace

std::shared_ptr<const MmaForm>
tessera::vgpu::makeMmaForm(const ptx::Instruction &instruction) {
  const Types types = typesOf(instruction);
  auto form = std::make_shared<MmaForm>();
  form->mnemonic = instruction.mnemonic;
  form->shape =
      ptx::matrixShape(instruction.mnemonic.find(ptx::ModifierGroup::shape));
  form->roundingMode = roundingModeOf(instruction);
  const bool saturates = instruction.has(Modifier::satfinite);
  if (!form->shape || !unpackOf(types.a) || !unpackOf(types.b) ||
      !unpackOf(types.c) || !packOf(types.d, saturates))
    return nullptr;
  setSum(*form, instruction, types);
  if (instruction.opcode() == Opcode::wmma_mma)
    setFragments(*form, types, wmmaLayout, saturates);
  else if (form->shape == ptx::MatrixShape{8, 8, 4} &&
           elementBits(types.a) == 16)
    setQuadPairFragments(*form, types, isRowMajor(instruction, 0),
                         isRowMajor(instruction, 1));
  else
    setFragments(*form, types, mmaLayout, saturates);
  return form;
}
