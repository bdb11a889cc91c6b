// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conversion/mir-to-llvm/lower-kernel.h"
#include "conversion/mir-to-llvm/passes.h"
#include "conversion/mir-to-llvm/trap-function.h"
#include "conversion/mir-to-llvm/trap-sites.h"
#include "dialect/mir/mir.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tessera {
#define GEN_PASS_DEF_CONVERTMIRTOLLVMPASS
#include "conversion/mir-to-llvm/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::mir;

namespace {

/// Address spaces (NVPTX User Guide, "Address Spaces").
enum AddressSpace : unsigned {
  genericSpace = 0,
  sharedSpace = 3,
  constantSpace = 4
};

/// The array that dynamic shared memory starts at.
constexpr StringLiteral dynamicSharedName = "__tessera_dynamic_shared";
constexpr std::int64_t dynamicSharedAlignment = 16;

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

Value createI64(OpBuilder &builder, Location loc, std::int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
}

Value extract(OpBuilder &builder, Location loc, Value slice,
              std::int64_t field) {
  return LLVM::ExtractValueOp::create(builder, loc, slice, field);
}

Value createSlice(OpBuilder &builder, Location loc, Value address,
                  Value length) {
  Value slice = LLVM::PoisonOp::create(builder, loc,
                                       getSliceStruct(builder.getContext()));
  slice = LLVM::InsertValueOp::create(builder, loc, slice, address,
                                      ArrayRef<std::int64_t>{0});
  return LLVM::InsertValueOp::create(builder, loc, slice, length, 1);
}

Value createElementAddress(OpBuilder &builder, Location loc, Type elementType,
                           Value base, Value index) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), elementType, base,
                             ArrayRef<LLVM::GEPArg>{index},
                             LLVM::GEPNoWrapFlags::inbounds |
                                 LLVM::GEPNoWrapFlags::nuw);
}

/// The generic address of a global in another address space.
Value createGenericAddress(OpBuilder &builder, Location loc, StringRef name,
                           unsigned space) {
  MLIRContext *context = builder.getContext();
  Value address = LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(context, space), name);
  return LLVM::AddrSpaceCastOp::create(
      builder, loc, LLVM::LLVMPointerType::get(context), address);
}

Value createCompare(OpBuilder &builder, Location loc,
                    LLVM::ICmpPredicate predicate, Value lhs, Value rhs) {
  return LLVM::ICmpOp::create(builder, loc, predicate, lhs, rhs);
}

void createTrapCall(OpBuilder &builder, Location loc, std::int32_t site,
                    Value a, Value b) {
  Value id = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), site);
  LLVM::CallOp::create(builder, loc, TypeRange(), trapFunctionName,
                       ValueRange{id, a, b});
}

/// Makes `op` go on only where `holds`; elsewhere the kernel ends with a report
/// of `a` and `b`. The cold block is put at the end of the function.
void createCheck(ConversionPatternRewriter &rewriter, Operation *op,
                 std::int32_t site, Value holds, Value a, Value b) {
  Location loc = op->getLoc();
  Block *block = op->getBlock();
  Block *rest = rewriter.splitBlock(block, op->getIterator());
  Block *failed = rewriter.createBlock(block->getParent());
  createTrapCall(rewriter, loc, site, a, b);
  LLVM::UnreachableOp::create(rewriter, loc);
  rewriter.setInsertionPointToEnd(block);
  LLVM::CondBrOp::create(rewriter, loc, holds, rest, ValueRange(), failed,
                         ValueRange(),
                         std::pair<uint32_t, uint32_t>(1 << 20, 1));
  rewriter.setInsertionPoint(op);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

struct LowerSliceMake : OpConversionPattern<SliceMakeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SliceMakeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOp(op,
                       createSlice(rewriter, op.getLoc(), adaptor.getAddress(),
                                   adaptor.getLength()));
    return success();
  }
};

template <typename FieldOp, std::int64_t field>
struct LowerSliceField : OpConversionPattern<FieldOp> {
  using OpConversionPattern<FieldOp>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(FieldOp op, typename FieldOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOp(
        op, extract(rewriter, op.getLoc(), adaptor.getSlice(), field));
    return success();
  }
};

struct LowerIndexAddr : OpConversionPattern<IndexAddrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IndexAddrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    Value index = adaptor.getIndex();
    if (std::optional<std::int32_t> site = getTrapSite(op)) {
      Value length = extract(rewriter, loc, adaptor.getSlice(), 1);
      Value holds =
          createCompare(rewriter, loc, LLVM::ICmpPredicate::ult, index, length);
      createCheck(rewriter, op, *site, holds, index, length);
    }
    Value base = extract(rewriter, loc, adaptor.getSlice(), 0);
    rewriter.replaceOp(
        op, createElementAddress(rewriter, loc,
                                 mir::getElementType(op.getSlice().getType()),
                                 base, index));
    return success();
  }
};

struct LowerSubslice : OpConversionPattern<SubsliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SubsliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    Value from = adaptor.getFrom(), count = adaptor.getCount();
    if (std::optional<std::int32_t> site = getTrapSite(op)) {
      Value length = extract(rewriter, loc, adaptor.getSlice(), 1);
      // A sum that wraps saturates to the largest length; no slice is that
      // long.
      Value end = LLVM::UAddSat::create(rewriter, loc, from, count);
      Value holds =
          createCompare(rewriter, loc, LLVM::ICmpPredicate::ule, end, length);
      createCheck(rewriter, op, *site, holds, end, length);
    }
    Value base = extract(rewriter, loc, adaptor.getSlice(), 0);
    Value address = createElementAddress(
        rewriter, loc, mir::getElementType(op.getType()), base, from);
    rewriter.replaceOp(op, createSlice(rewriter, loc, address, count));
    return success();
  }
};

struct LowerBoundsCheck : OpConversionPattern<BoundsCheckOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(BoundsCheckOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    std::optional<std::int32_t> site = getTrapSite(op);
    if (!site)
      return rewriter.notifyMatchFailure(op, "has no trap site");
    Value holds = createCompare(rewriter, op.getLoc(), LLVM::ICmpPredicate::ult,
                                adaptor.getIndex(), adaptor.getLength());
    createCheck(rewriter, op, *site, holds, adaptor.getIndex(),
                adaptor.getLength());
    rewriter.replaceOp(op, adaptor.getIndex());
    return success();
  }
};

struct LowerDisjointAddr : OpConversionPattern<DisjointAddrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DisjointAddrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    Value index = adaptor.getWitness();
    Value base = extract(rewriter, loc, adaptor.getSlice(), 0);
    Value length = extract(rewriter, loc, adaptor.getSlice(), 1);
    Value inRange =
        createCompare(rewriter, loc, LLVM::ICmpPredicate::ult, index, length);
    Value address = createElementAddress(
        rewriter, loc, mir::getElementType(op.getSlice().getType()), base,
        index);
    Value null = LLVM::ZeroOp::create(rewriter, loc, base.getType());
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, inRange, address, null);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Witnesses: i64 below
//===----------------------------------------------------------------------===//

struct LowerThreadIndex : OpConversionPattern<ThreadIndexOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ThreadIndexOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
    auto widen = [&](Value value) -> Value {
      return LLVM::ZExtOp::create(rewriter, loc, i64, value);
    };
    Value block = widen(NVVM::BlockIdXOp::create(rewriter, loc, i32));
    Value size = widen(NVVM::BlockDimXOp::create(rewriter, loc, i32));
    Value thread = widen(NVVM::ThreadIdXOp::create(rewriter, loc, i32));
    // 2^31 - 1 blocks of at most 1,024 threads: 64 bits hold every index.
    auto noWrap =
        LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw;
    Value first = LLVM::MulOp::create(rewriter, loc, block, size, noWrap);
    rewriter.replaceOpWithNewOp<LLVM::AddOp>(op, first, thread, noWrap);
    return success();
  }
};

template <typename WitnessOp>
struct LowerWitness : OpConversionPattern<WitnessOp> {
  using OpConversionPattern<WitnessOp>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WitnessOp op, typename WitnessOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOp(op, adaptor.getOperands()[0]);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

struct LowerShared : OpConversionPattern<SharedOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SharedOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const final {
    auto global = LLVM::GlobalOp::create(
        rewriter, op.getLoc(), op.getType(), /*isConstant=*/false,
        LLVM::Linkage::Internal, op.getSymName(), Attribute(),
        op.getAlignment(), sharedSpace);
    rewriter.createBlock(&global.getInitializerRegion());
    Value poison = LLVM::PoisonOp::create(rewriter, op.getLoc(), op.getType());
    LLVM::ReturnOp::create(rewriter, op.getLoc(), poison);
    rewriter.eraseOp(op);
    return success();
  }
};

/// The host may set a constant before a launch, so that what the module says
/// about its value must not be folded into code, unless the symbol is private.
struct LowerConstant : OpConversionPattern<mir::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(mir::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const final {
    bool isPrivate = op.isPrivate();
    auto linkage =
        isPrivate ? LLVM::Linkage::Internal : LLVM::Linkage::External;
    auto global = LLVM::GlobalOp::create(
        rewriter, op.getLoc(), op.getType(), /*isConstant=*/true, linkage,
        op.getSymName(), op.getValueAttr(), op.getAlignment(), constantSpace);
    global.setExternallyInitialized(!isPrivate);
    Region &initializer = global.getInitializerRegion();
    if (!op.getInitializer().empty()) {
      rewriter.inlineRegionBefore(op.getInitializer(), initializer,
                                  initializer.end());
    } else if (!op.getValueAttr()) {
      rewriter.createBlock(&initializer);
      Value zero = LLVM::ZeroOp::create(rewriter, op.getLoc(), op.getType());
      LLVM::ReturnOp::create(rewriter, op.getLoc(), zero);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerYield : OpConversionPattern<YieldOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(YieldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, adaptor.getValue());
    return success();
  }
};

template <typename AddrOp, AddressSpace space>
struct LowerVariableAddr : OpConversionPattern<AddrOp> {
  using OpConversionPattern<AddrOp>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AddrOp op, typename AddrOp::Adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOp(op, createGenericAddress(rewriter, op.getLoc(),
                                                op.getVariable(), space));
    return success();
  }
};

Value createDynamicSharedSize(OpBuilder &builder, Location loc) {
  auto call = LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getI32Type(),
      builder.getStringAttr("llvm.nvvm.read.ptx.sreg.dynamic_smem_size"),
      ValueRange());
  return LLVM::ZExtOp::create(builder, loc, builder.getI64Type(),
                              call.getResults());
}

struct LowerDynamicShared : OpConversionPattern<DynamicSharedOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DynamicSharedOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    Type elementType = mir::getElementType(op.getType());
    auto size = static_cast<std::int64_t>(
        DataLayout::closest(op).getTypeSize(elementType).getFixedValue());
    if (size == 0)
      return op.emitError("elements of no size: the length is not defined");
    Value address =
        createGenericAddress(rewriter, loc, dynamicSharedName, sharedSpace);
    Value bytes = createDynamicSharedSize(rewriter, loc);
    Value length = LLVM::UDivOp::create(rewriter, loc, bytes,
                                        createI64(rewriter, loc, size));
    rewriter.replaceOp(op, createSlice(rewriter, loc, address, length));
    return success();
  }
};

struct LowerDynamicSharedSize : OpConversionPattern<DynamicSharedSizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DynamicSharedSizeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOp(op, createDynamicSharedSize(rewriter, op.getLoc()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Asserts, traps, printing
//===----------------------------------------------------------------------===//

struct LowerAssert : OpConversionPattern<AssertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    std::optional<std::int32_t> site = getTrapSite(op);
    if (!site)
      return rewriter.notifyMatchFailure(op, "has no trap site");
    Value zero = createI64(rewriter, op.getLoc(), 0);
    createCheck(rewriter, op, *site, adaptor.getCondition(), zero, zero);
    rewriter.eraseOp(op);
    return success();
  }
};

/// The trap function does not return: what follows the call is dead and is cut
/// off, as canonicalisation does it.
struct LowerTrap : OpConversionPattern<TrapOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TrapOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const final {
    std::optional<std::int32_t> site = getTrapSite(op);
    if (!site)
      return rewriter.notifyMatchFailure(op, "has no trap site");
    Value zero = createI64(rewriter, op.getLoc(), 0);
    createTrapCall(rewriter, op.getLoc(), *site, zero, zero);
    if (!isa_and_nonnull<LLVM::UnreachableOp>(op->getNextNode())) {
      Block *block = op->getBlock();
      rewriter.splitBlock(block, op->getIterator());
      rewriter.setInsertionPointToEnd(block);
      LLVM::UnreachableOp::create(rewriter, op.getLoc());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// `vprintf` reads its arguments from a buffer in which each lies at its
/// natural alignment, as in a C struct.
struct LowerPrintf : OpConversionPattern<PrintfOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PrintfOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    auto pointerType = LLVM::LLVMPointerType::get(op.getContext());
    Value buffer =
        adaptor.getArgs().empty()
            ? LLVM::ZeroOp::create(rewriter, loc, pointerType).getResult()
            : packArguments(op, adaptor.getArgs(), rewriter);
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(
        op, rewriter.getI32Type(), vprintfName,
        ValueRange{adaptor.getFormat(), buffer});
    return success();
  }

  static constexpr StringLiteral vprintfName = "vprintf";

private:
  static Value packArguments(PrintfOp op, ValueRange args,
                             ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    auto pointerType = LLVM::LLVMPointerType::get(op.getContext());
    auto bufferType = LLVM::LLVMStructType::getLiteral(
        op.getContext(), SmallVector<Type>(args.getTypes()));
    Value buffer;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(
          &op->getParentOfType<LLVM::LLVMFuncOp>().getBody().front());
      Value one =
          LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(), 1);
      buffer = LLVM::AllocaOp::create(rewriter, loc, pointerType, bufferType,
                                      one, /*alignment=*/8);
    }
    for (auto [index, value] : llvm::enumerate(args)) {
      Value place = LLVM::GEPOp::create(
          rewriter, loc, pointerType, bufferType, buffer,
          ArrayRef<LLVM::GEPArg>{0, static_cast<std::int32_t>(index)});
      LLVM::StoreOp::create(rewriter, loc, value, place);
    }
    return buffer;
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void addDynamicSharedArray(ModuleOp module) {
  OpBuilder builder(module.getBodyRegion());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                         LLVM::Linkage::External, dynamicSharedName,
                         Attribute(), dynamicSharedAlignment, sharedSpace);
}

LogicalResult declareVprintf(ModuleOp module) {
  OpBuilder builder(module.getBodyRegion());
  auto pointerType = LLVM::LLVMPointerType::get(module.getContext());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(),
                                          {pointerType, pointerType});
  if (Operation *other = module.lookupSymbol(LowerPrintf::vprintfName)) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(other);
    if (function && function.getFunctionType() == type)
      return success();
    return other->emitError("'vprintf' must be a function 'i32 (ptr, ptr)'");
  }
  LLVM::LLVMFuncOp::create(builder, module.getLoc(), LowerPrintf::vprintfName,
                           type);
  return success();
}

/// Adds the symbols that lowered ops refer to.
LogicalResult addSupportSymbols(ModuleOp module) {
  bool usesDynamicShared = false, usesPrintf = false;
  module.walk([&](Operation *op) {
    usesDynamicShared |= isa<DynamicSharedOp>(op);
    usesPrintf |= isa<PrintfOp>(op);
  });
  if (usesDynamicShared && !module.lookupSymbol(dynamicSharedName))
    addDynamicSharedArray(module);
  return usesPrintf ? declareVprintf(module) : success();
}

/// Blocks cannot be split inside ops of structured control flow.
LogicalResult checkControlFlow(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!isa<TrapSiteOpInterface, PrintfOp>(op) ||
        isa<KernelOp, LLVM::LLVMFuncOp>(op->getParentOp()))
      return WalkResult::advance();
    op->emitOpError("cannot be lowered inside '")
        << op->getParentOp()->getName()
        << "': lower structured control flow first";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void populatePatterns(const LLVMTypeConverter &converter,
                      RewritePatternSet &patterns) {
  patterns.add<LowerAssert, LowerBoundsCheck, LowerConstant, LowerDisjointAddr,
               LowerDynamicShared, LowerDynamicSharedSize, LowerIndexAddr,
               LowerPrintf, LowerShared, LowerSliceMake,
               LowerSliceField<SlicePtrOp, 0>, LowerSliceField<SliceLenOp, 1>,
               LowerSubslice, LowerThreadIndex, LowerTrap,
               LowerVariableAddr<ConstantAddrOp, constantSpace>,
               LowerVariableAddr<SharedAddrOp, sharedSpace>,
               LowerWitness<WitnessAssumeUniqueOp>,
               LowerWitness<WitnessIndexOp>, LowerYield>(converter,
                                                         patterns.getContext());
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
}

struct ConvertMirToLLVM
    : tessera::impl::ConvertMirToLLVMPassBase<ConvertMirToLLVM> {
  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (failed(checkControlFlow(module)) || failed(addSupportSymbols(module)))
      return signalPassFailure();
    if (numberTrapSites(module) != 0 && failed(addTrapFunction(module)))
      return signalPassFailure();
    for (KernelOp kernel :
         llvm::make_early_inc_range(module.getOps<KernelOp>()))
      lowerKernel(kernel);

    LLVMTypeConverter converter(&getContext());
    auto toStruct = [](auto type) -> Type {
      return getSliceStruct(type.getContext());
    };
    converter.addConversion([&](SliceType type) { return toStruct(type); });
    converter.addConversion(
        [&](DisjointSliceType type) { return toStruct(type); });
    converter.addConversion([](WitnessType type) -> Type {
      return IntegerType::get(type.getContext(), 64);
    });

    LLVMConversionTarget target(getContext());
    target.addLegalDialect<NVVM::NVVMDialect>();
    target.addLegalOp<ModuleOp>();
    target.addIllegalDialect<MirDialect, arith::ArithDialect,
                             cf::ControlFlowDialect>();
    RewritePatternSet patterns(&getContext());
    populatePatterns(converter, patterns);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
