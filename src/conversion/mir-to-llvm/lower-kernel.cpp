// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conversion/mir-to-llvm/lower-kernel.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tessera;

LLVM::LLVMStructType tessera::getSliceStruct(MLIRContext *context) {
  return LLVM::LLVMStructType::getLiteral(
      context,
      {LLVM::LLVMPointerType::get(context), IntegerType::get(context, 64)});
}

static bool isSlice(Type type) {
  return isa<mir::SliceType, mir::DisjointSliceType>(type);
}

/// The attributes of a parameter that LLVM knows; slices are passed by value in
/// memory.
static DictionaryAttr lowerArgAttrs(mir::KernelOp kernel, unsigned index) {
  Builder builder(kernel.getContext());
  SmallVector<NamedAttribute> attrs;
  for (NamedAttribute attr :
       function_interface_impl::getArgAttrs(kernel, index))
    if (attr.getNameDialect() != kernel->getDialect())
      attrs.push_back(attr);
  if (isSlice(kernel.getArgumentTypes()[index])) {
    Type slice = getSliceStruct(kernel.getContext());
    attrs.push_back(builder.getNamedAttr(LLVM::LLVMDialect::getByValAttrName(),
                                         TypeAttr::get(slice)));
    attrs.push_back(builder.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                                         builder.getI64IntegerAttr(8)));
  }
  return builder.getDictionaryAttr(attrs);
}

static LLVM::LLVMFunctionType lowerType(mir::KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(isSlice(type) ? LLVM::LLVMPointerType::get(context) : type);
  return LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types);
}

static void setLaunchBounds(mir::KernelOp kernel, LLVM::LLVMFuncOp function) {
  Builder builder(kernel.getContext());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  if (auto block = kernel.getBlockAttr())
    function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), block);
  if (auto threads = kernel.getMaxThreads())
    function->setAttr(
        NVVM::NVVMDialect::getMaxntidAttrName(),
        builder.getDenseI32ArrayAttr({static_cast<std::int32_t>(*threads)}));
  if (auto blocks = kernel.getMinBlocksAttr())
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), blocks);
  if (auto cluster = kernel.getClusterAttr())
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(), cluster);
}

/// Turns the slice `argument` into the pointer that it is passed by.
static void lowerSliceArgument(OpBuilder &builder, BlockArgument argument) {
  MLIRContext *context = builder.getContext();
  Location loc = argument.getLoc();
  Type sliceType = argument.getType();
  auto pointerType = LLVM::LLVMPointerType::get(context);
  argument.setType(pointerType);

  Value address = LLVM::LoadOp::create(builder, loc, pointerType, argument,
                                       /*alignment=*/8);
  Value lengthPlace = LLVM::GEPOp::create(
      builder, loc, pointerType, getSliceStruct(context), argument,
      ArrayRef<LLVM::GEPArg>{0, 1}, LLVM::GEPNoWrapFlags::inbounds);
  Value length = LLVM::LoadOp::create(builder, loc, builder.getI64Type(),
                                      lengthPlace, /*alignment=*/8);
  Value slice =
      mir::SliceMakeOp::create(builder, loc, sliceType, address, length);
  argument.replaceUsesWithIf(slice, [&](OpOperand &use) {
    return use.getOwner() != address.getDefiningOp() &&
           use.getOwner() != lengthPlace.getDefiningOp();
  });
}

void tessera::lowerKernel(mir::KernelOp kernel) {
  OpBuilder builder(kernel);
  auto function = LLVM::LLVMFuncOp::create(
      builder, kernel.getLoc(), kernel.getSymName(), lowerType(kernel));
  SmallVector<Attribute> argAttrs;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    argAttrs.push_back(lowerArgAttrs(kernel, i));
  function.setArgAttrsAttr(builder.getArrayAttr(argAttrs));
  setLaunchBounds(kernel, function);
  function.getBody().takeBody(kernel.getBody());

  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  for (BlockArgument argument : entry.getArguments())
    if (isSlice(argument.getType()))
      lowerSliceArgument(builder, argument);

  for (Block &block : function.getBody()) {
    auto end = dyn_cast<mir::ReturnOp>(block.getTerminator());
    if (!end)
      continue;
    builder.setInsertionPoint(end);
    LLVM::ReturnOp::create(builder, end.getLoc(), ValueRange());
    end.erase();
  }
  kernel.erase();
}
