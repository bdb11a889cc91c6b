// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/lanes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace tessera::vgpu;

llvm::FixedVectorType *jit::vectorOf(llvm::Type *element) {
  return llvm::FixedVectorType::get(element, laneCount);
}

llvm::Constant *jit::laneMultiples(llvm::Type *element, std::int64_t stride) {
  llvm::SmallVector<llvm::Constant *, laneCount> values;
  for (unsigned lane = 0; lane < laneCount; ++lane)
    values.push_back(llvm::ConstantInt::get(
        element, std::uint64_t(stride) * lane, false, true));
  return llvm::ConstantVector::get(values);
}

llvm::Value *jit::asVector(Builder &builder, const Lanes &lanes) {
  if (!lanes.shape.isScalar())
    return lanes.value;
  llvm::Value *splat = builder.CreateVectorSplat(laneCount, lanes.value);
  if (lanes.shape.isUniform())
    return splat;
  return builder.CreateAdd(
      splat, laneMultiples(lanes.value->getType(), lanes.shape.stride));
}

llvm::Value *jit::asVector(Builder &builder, const Truth &truth) {
  return truth.isUniform() ? builder.CreateVectorSplat(laneCount, truth.value)
                           : truth.value;
}

llvm::Value *jit::asMask(Builder &builder, const Truth &truth) {
  return truth.isUniform()
             ? builder.CreateSExt(truth.value, builder.getInt32Ty())
             : builder.CreateBitCast(truth.value, builder.getInt32Ty());
}

jit::Truth jit::fromMask(Builder &builder, llvm::Value *mask) {
  return {.value = builder.CreateBitCast(mask, vectorOf(builder.getInt1Ty()))};
}
