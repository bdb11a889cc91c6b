// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/mir.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::mir;

#include "dialect/mir/MirDialect.cpp.inc"
#include "dialect/mir/MirEnums.cpp.inc"
#include "dialect/mir/MirInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static ParseResult parseConstElement(AsmParser &parser, Type &elementType,
                                     bool &readOnly) {
  readOnly = succeeded(parser.parseOptionalKeyword("const"));
  return parser.parseType(elementType);
}

static void printConstElement(AsmPrinter &printer, Type elementType,
                              bool readOnly) {
  if (readOnly)
    printer << "const ";
  printer << elementType;
}

#define GET_ATTRDEF_CLASSES
#include "dialect/mir/MirAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/mir/MirTypes.cpp.inc"

bool tessera::mir::isSizedType(Type type) {
  if (!LLVM::isCompatibleType(type))
    return false;
  if (auto structType = dyn_cast<LLVM::LLVMStructType>(type))
    return !structType.isOpaque() &&
           llvm::all_of(structType.getBody(), isSizedType);
  if (auto arrayType = dyn_cast<LLVM::LLVMArrayType>(type))
    return isSizedType(arrayType.getElementType());
  if (auto vectorType = dyn_cast<VectorType>(type))
    return !vectorType.isScalable();
  return !isa<LLVM::LLVMVoidType, LLVM::LLVMFunctionType, LLVM::LLVMLabelType,
              LLVM::LLVMTokenType, LLVM::LLVMMetadataType,
              LLVM::LLVMTargetExtType>(type);
}

static LogicalResult verifyElement(function_ref<InFlightDiagnostic()> emitError,
                                   Type elementType) {
  if (isSizedType(elementType))
    return success();
  return emitError() << "element type must be a type of known size that LLVM "
                        "can hold in memory, got "
                     << elementType;
}

LogicalResult SliceType::verify(function_ref<InFlightDiagnostic()> emitError,
                                Type elementType, bool) {
  return verifyElement(emitError, elementType);
}

LogicalResult
DisjointSliceType::verify(function_ref<InFlightDiagnostic()> emitError,
                          Type elementType) {
  return verifyElement(emitError, elementType);
}

Type tessera::mir::getElementType(Type sliceType) {
  return TypeSwitch<Type, Type>(sliceType)
      .Case<SliceType, DisjointSliceType>(
          [](auto type) { return type.getElementType(); })
      .Default(Type());
}

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

namespace {

/// Everything of ours may stand in an inlined body, and device functions may be
/// inlined into kernels. A kernel itself is nobody's callee.
struct MirInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return false;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void MirDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/mir/MirTypes.cpp.inc"
      >();
}

void MirDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/mir/MirAttrs.cpp.inc"
      >();
}

void MirDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialect/mir/MirOps.cpp.inc"
      >();
  addInterfaces<MirInlinerInterface>();
}

LogicalResult MirDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned argIndex,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto fail = [&](StringRef expected) {
    return op->emitOpError() << "argument #" << argIndex << ": " << name
                             << " must be " << expected;
  };
  if (name == nameAttrName || name == typeAttrName)
    return isa<StringAttr>(attribute.getValue()) ? success() : fail("a string");
  if (name != sizeAttrName && name != alignAttrName)
    return op->emitOpError()
           << "argument #" << argIndex << ": unknown attribute " << name;
  auto value = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!value || !value.getValue().isStrictlyPositive())
    return fail("a positive integer");
  if (name == alignAttrName && !value.getValue().isPowerOf2())
    return fail("a power of two");
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Limits that every architecture from sm_75 on shares (CUDA C++ Programming
/// Guide, "Technical Specifications per Compute Capability").
static constexpr std::int64_t maxThreadsPerBlock = 1024;
static constexpr std::int64_t maxBlocksPerCluster = 16;

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     FunctionType type, ArrayRef<DictionaryAttr> argAttrs) {
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  if (!argAttrs.empty()) {
    SmallVector<Attribute> attrs(argAttrs.begin(), argAttrs.end());
    state.addAttribute(getArgAttrsAttrName(state.name),
                       builder.getArrayAttr(attrs));
  }
  state.addRegion();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    if (auto name = getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                 MirDialect::nameAttrName))
      setName(argument, name.getValue());
}

StringRef KernelOp::getDisplayName() {
  return getSourceName().value_or(getSymName());
}

/// Checks an optional shape; `volume` becomes the product of its components.
static LogicalResult verifyShape(KernelOp kernel, StringRef name,
                                 std::optional<ArrayRef<int32_t>> shape,
                                 std::int64_t limit, std::int64_t &volume) {
  volume = 0;
  if (!shape)
    return success();
  if (shape->size() != 3 ||
      llvm::any_of(*shape, [](int32_t extent) { return extent <= 0; }))
    return kernel.emitOpError() << name << " must be three positive extents";
  volume = 1;
  for (int32_t extent : *shape) {
    volume *= extent;
    if (volume > limit)
      return kernel.emitOpError()
             << name << " is too large: more than " << limit
             << (name == "block" ? " threads" : " blocks");
  }
  return success();
}

static LogicalResult verifyParameter(KernelOp kernel, unsigned index,
                                     Type type) {
  if (isa<SliceType, DisjointSliceType>(type) || isSizedType(type))
    return success();
  return kernel.emitOpError() << "argument #" << index << " has type " << type
                              << ", which is no type of a kernel parameter";
}

LogicalResult KernelOp::verify() {
  if (getBody().empty())
    return emitOpError("must have a body");
  if (!getResultTypes().empty())
    return emitOpError("must not have results");
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (failed(verifyParameter(*this, index, type)))
      return failure();

  std::int64_t threads = 0, blocks = 0;
  if (failed(verifyShape(*this, "block", getBlock(), maxThreadsPerBlock,
                         threads)) ||
      failed(verifyShape(*this, "cluster", getCluster(), maxBlocksPerCluster,
                         blocks)))
    return failure();
  if (auto limit = getMaxThreads()) {
    if (static_cast<int32_t>(*limit) <= 0 || *limit > maxThreadsPerBlock)
      return emitOpError("max_threads must be between 1 and ")
             << maxThreadsPerBlock;
    if (threads > *limit)
      return emitOpError("block has ")
             << threads << " threads, more than max_threads = " << *limit;
  }
  if (auto least = getMinBlocks(); least && static_cast<int32_t>(*least) <= 0)
    return emitOpError("min_blocks must be positive");
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  for (Block &block : getBody()) {
    Operation *last = block.empty() ? nullptr : &block.back();
    if (last && last->getNumSuccessors() == 0 &&
        last->hasTrait<OpTrait::IsTerminator>() &&
        !isa<ReturnOp, LLVM::UnreachableOp>(last))
      return last->emitOpError(
          "cannot end a kernel: use 'mir.return' or 'llvm.unreachable'");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static std::optional<APInt> getConstant(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  return std::nullopt;
}

Value tessera::mir::getKnownLength(Value slice) {
  if (auto make = slice.getDefiningOp<SliceMakeOp>())
    return make.getLength();
  if (auto part = slice.getDefiningOp<SubsliceOp>())
    return part.getCount();
  return {};
}

OpFoldResult SliceMakeOp::fold(FoldAdaptor) {
  auto address = getAddress().getDefiningOp<SlicePtrOp>();
  auto length = getLength().getDefiningOp<SliceLenOp>();
  if (!address || !length || address.getSlice() != length.getSlice() ||
      address.getSlice().getType() != getType())
    return {};
  return address.getSlice();
}

OpFoldResult SlicePtrOp::fold(FoldAdaptor) {
  if (auto make = getSlice().getDefiningOp<SliceMakeOp>())
    return make.getAddress();
  return {};
}

OpFoldResult SliceLenOp::fold(FoldAdaptor) {
  if (Value length = getKnownLength(getSlice()))
    return length;
  return {};
}

/// The slice that `slice` was put together from again, whether or not its
/// elements are `const`: a checked place only needs address and length.
static Value findWholeSlice(Value slice) {
  auto make = slice.getDefiningOp<SliceMakeOp>();
  if (!make)
    return {};
  auto address = make.getAddress().getDefiningOp<SlicePtrOp>();
  auto length = make.getLength().getDefiningOp<SliceLenOp>();
  if (!address || !length || address.getSlice() != length.getSlice())
    return {};
  auto whole = dyn_cast<SliceType>(address.getSlice().getType());
  auto type = dyn_cast<SliceType>(slice.getType());
  if (!whole || !type || whole.getElementType() != type.getElementType())
    return {};
  return address.getSlice();
}

LogicalResult IndexAddrOp::canonicalize(IndexAddrOp op,
                                        PatternRewriter &rewriter) {
  if (Value whole = findWholeSlice(op.getSlice())) {
    rewriter.modifyOpInPlace(op, [&] { op.getSliceMutable().assign(whole); });
    return success();
  }
  if (op.getInBounds())
    return failure();
  std::optional<APInt> index = getConstant(op.getIndex());
  std::optional<APInt> length = getConstant(getKnownLength(op.getSlice()));
  if (!index || !length || index->uge(*length))
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.setInBounds(true); });
  return success();
}

std::optional<TrapKind> IndexAddrOp::getTrapKind() {
  if (getInBounds())
    return std::nullopt;
  return TrapKind::bounds;
}

StringRef IndexAddrOp::getTrapText() { return getExpression().value_or(""); }

OpFoldResult SubsliceOp::fold(FoldAdaptor) {
  std::optional<APInt> from = getConstant(getFrom());
  if (!from || !from->isZero())
    return {};
  auto length = getCount().getDefiningOp<SliceLenOp>();
  if ((length && length.getSlice() == getSlice()) ||
      getKnownLength(getSlice()) == getCount())
    return getSlice();
  return {};
}

LogicalResult SubsliceOp::canonicalize(SubsliceOp op,
                                       PatternRewriter &rewriter) {
  if (op.getInBounds())
    return failure();
  std::optional<APInt> from = getConstant(op.getFrom());
  std::optional<APInt> count = getConstant(op.getCount());
  std::optional<APInt> length = getConstant(getKnownLength(op.getSlice()));
  if (!from || !count || !length || from->ugt(*length) ||
      count->ugt(*length - *from))
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.setInBounds(true); });
  return success();
}

std::optional<TrapKind> SubsliceOp::getTrapKind() {
  if (getInBounds())
    return std::nullopt;
  return TrapKind::range;
}

StringRef SubsliceOp::getTrapText() { return getExpression().value_or(""); }

OpFoldResult BoundsCheckOp::fold(FoldAdaptor) {
  std::optional<APInt> index = getConstant(getIndex());
  std::optional<APInt> length = getConstant(getLength());
  if (index && length && index->ult(*length))
    return getIndex();
  return {};
}

std::optional<TrapKind> BoundsCheckOp::getTrapKind() {
  return TrapKind::bounds;
}

StringRef BoundsCheckOp::getTrapText() { return getExpression().value_or(""); }

/// The comparison of `address` with null that `user` is, if it is one.
static LLVM::ICmpOp getNullComparison(Operation *user, Value address) {
  auto compare = dyn_cast<LLVM::ICmpOp>(user);
  if (!compare)
    return {};
  bool isEquality = compare.getPredicate() == LLVM::ICmpPredicate::eq ||
                    compare.getPredicate() == LLVM::ICmpPredicate::ne;
  Value other =
      compare.getLhs() == address ? compare.getRhs() : compare.getLhs();
  return isEquality && other.getDefiningOp<LLVM::ZeroOp>() ? compare
                                                           : LLVM::ICmpOp();
}

LogicalResult DisjointAddrOp::canonicalize(DisjointAddrOp op,
                                           PatternRewriter &rewriter) {
  bool changed = false;
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    LLVM::ICmpOp compare = getNullComparison(user, op.getAddress());
    if (!compare)
      continue;
    rewriter.setInsertionPoint(compare);
    Location loc = compare.getLoc();
    Value index = WitnessIndexOp::create(rewriter, loc, op.getWitness());
    Value length = SliceLenOp::create(rewriter, loc, op.getSlice());
    auto predicate = compare.getPredicate() == LLVM::ICmpPredicate::ne
                         ? LLVM::ICmpPredicate::ult
                         : LLVM::ICmpPredicate::uge;
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(compare, predicate, index,
                                              length);
    changed = true;
  }
  return success(changed);
}

//===----------------------------------------------------------------------===//
// Witnesses
//===----------------------------------------------------------------------===//

OpFoldResult WitnessIndexOp::fold(FoldAdaptor) {
  if (auto maker = getWitness().getDefiningOp<WitnessAssumeUniqueOp>())
    return maker.getIndex();
  return {};
}

OpFoldResult WitnessAssumeUniqueOp::fold(FoldAdaptor) {
  if (auto index = getIndex().getDefiningOp<WitnessIndexOp>())
    return index.getWitness();
  return {};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyVariable(Operation *op, Type type,
                                    std::int64_t alignment) {
  if (!isSizedType(type))
    return op->emitOpError("must have a type of known size that LLVM can hold "
                           "in memory, got ")
           << type;
  if (alignment <= 0 || !llvm::isPowerOf2_64(alignment))
    return op->emitOpError("alignment must be a power of two, got ")
           << alignment;
  return success();
}

LogicalResult SharedOp::verify() {
  return verifyVariable(*this, getType(), getAlignment());
}

LogicalResult ConstantOp::verify() {
  if (getValue() && !getInitializer().empty())
    return emitOpError("has both a value and an initializer region");
  return verifyVariable(*this, getType(), getAlignment());
}

LogicalResult ConstantOp::verifyRegions() {
  if (getInitializer().empty())
    return success();
  auto yield = dyn_cast_or_null<YieldOp>(
      getInitializer().front().empty() ? nullptr
                                       : &getInitializer().front().back());
  if (!yield)
    return emitOpError("initializer must end with 'mir.yield'");
  if (yield.getValue().getType() != getType())
    return yield.emitOpError("yields ")
           << yield.getValue().getType() << ", but the constant has type "
           << getType();
  return success();
}

template <typename VariableOp>
static LogicalResult verifyVariableUse(Operation *op, FlatSymbolRefAttr name,
                                       StringRef what,
                                       SymbolTableCollection &symbols) {
  if (symbols.lookupNearestSymbolFrom<VariableOp>(op, name))
    return success();
  return op->emitOpError() << name << " is no " << what;
}

LogicalResult SharedAddrOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse<SharedOp>(*this, getVariableAttr(),
                                     "'mir.shared' variable", symbols);
}

LogicalResult ConstantAddrOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse<ConstantOp>(*this, getVariableAttr(),
                                       "'mir.constant' variable", symbols);
}

//===----------------------------------------------------------------------===//
// Asserts, traps, printing
//===----------------------------------------------------------------------===//

LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  std::optional<APInt> condition = getConstant(op.getCondition());
  if (!condition || condition->isZero())
    return failure();
  rewriter.eraseOp(op);
  return success();
}

std::optional<TrapKind> AssertOp::getTrapKind() { return TrapKind::assertion; }

StringRef AssertOp::getTrapText() { return getMessage(); }

LogicalResult TrapOp::canonicalize(TrapOp op, PatternRewriter &rewriter) {
  Operation *next = op->getNextNode();
  if (!next || isa<LLVM::UnreachableOp>(next))
    return failure();
  // What follows loses its only way in, and dead blocks go away by themselves.
  Block *block = op->getBlock();
  rewriter.splitBlock(block, next->getIterator());
  rewriter.setInsertionPointToEnd(block);
  LLVM::UnreachableOp::create(rewriter, op.getLoc());
  return success();
}

std::optional<TrapKind> TrapOp::getTrapKind() { return getKind(); }

StringRef TrapOp::getTrapText() { return getMessage(); }

LogicalResult PrintfOp::verify() {
  for (auto [index, type] : llvm::enumerate(getArgs().getTypes())) {
    bool isPromoted = type.isInteger(32) || type.isInteger(64) ||
                      type.isF64() || isa<LLVM::LLVMPointerType>(type);
    if (!isPromoted)
      return emitOpError("argument #")
             << index << " has type " << type
             << "; C promotes arguments to i32, i64, f64 or a pointer";
  }
  return success();
}

#define GET_OP_CLASSES
#include "dialect/mir/MirOps.cpp.inc"
