// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/import.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera::mir;

using Values = SmallVector<Value, 1>;

//===----------------------------------------------------------------------===//
// Annotations and operands
//===----------------------------------------------------------------------===//

Type tessera::mir::getElementType(MLIRContext *context, std::int64_t code,
                                  std::int64_t size) {
  if (size <= 0)
    return {};
  auto sized = [&](Type type, std::int64_t bytes) {
    return size == bytes ? type : Type();
  };
  switch (static_cast<ElementCode>(code)) {
  case ElementCode::other:
    return LLVM::LLVMArrayType::get(IntegerType::get(context, 8), size);
  case ElementCode::i8:
  case ElementCode::boolean:
    return sized(IntegerType::get(context, 8), 1);
  case ElementCode::i16:
    return sized(IntegerType::get(context, 16), 2);
  case ElementCode::i32:
    return sized(IntegerType::get(context, 32), 4);
  case ElementCode::i64:
    return sized(IntegerType::get(context, 64), 8);
  case ElementCode::f16:
    return sized(Float16Type::get(context), 2);
  case ElementCode::bf16:
    return sized(BFloat16Type::get(context), 2);
  case ElementCode::f32:
    return sized(Float32Type::get(context), 4);
  case ElementCode::f64:
    return sized(Float64Type::get(context), 8);
  case ElementCode::pointer:
    return sized(LLVM::LLVMPointerType::get(context), 8);
  }
  return {};
}

std::optional<StringRef> tessera::mir::getStringLiteral(Value pointer) {
  while (true) {
    if (auto cast = pointer.getDefiningOp<LLVM::AddrSpaceCastOp>()) {
      pointer = cast.getArg();
      continue;
    }
    auto gep = pointer.getDefiningOp<LLVM::GEPOp>();
    if (!gep || !gep.getDynamicIndices().empty() ||
        llvm::any_of(gep.getRawConstantIndices(),
                     [](int32_t index) { return index != 0; }))
      break;
    pointer = gep.getBase();
  }
  auto address = pointer.getDefiningOp<LLVM::AddressOfOp>();
  if (!address)
    return std::nullopt;
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      address, address.getGlobalNameAttr());
  auto text = global && global.getConstant()
                  ? dyn_cast_or_null<StringAttr>(global.getValueOrNull())
                  : StringAttr();
  if (!text)
    return std::nullopt;
  return text.getValue().take_until([](char c) { return c == '\0'; });
}

namespace {

/// One kind of operand that an annotated call may have.
enum class Operand { pointer, i64, i1 };

bool fits(Type type, Operand kind) {
  switch (kind) {
  case Operand::pointer: {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    return pointer && pointer.getAddressSpace() == 0;
  }
  case Operand::i64:
    return type.isInteger(64);
  case Operand::i1:
    return type.isInteger(1);
  }
  return false;
}

/// Checks that `call` has the operands that `form`, the C++ form for the
/// message, has.
LogicalResult checkOperands(LLVM::CallOp call, StringRef opName,
                            ArrayRef<Operand> kinds, StringRef form) {
  OperandRange operands = call.getArgOperands();
  bool fitting = operands.size() == kinds.size();
  for (size_t i = 0; fitting && i < kinds.size(); ++i)
    fitting = fits(operands[i].getType(), kinds[i]);
  if (fitting)
    return success();
  return call.emitError() << "a function annotated with '" << opName
                          << "' must have the form " << form;
}

LogicalResult checkResults(LLVM::CallOp call, StringRef opName,
                           const Values &values) {
  bool fitting = call.getNumResults() == values.size();
  for (size_t i = 0; fitting && i < values.size(); ++i)
    fitting = call->getResult(i).getType() == values[i].getType();
  if (fitting)
    return success();
  return call.emitError() << "a function annotated with '" << opName
                          << "' must return " << ValueRange(values).getTypes();
}

/// The element type that the annotation gives; an error at the call otherwise.
FailureOr<Type> readElementType(LLVM::CallOp call, StringRef opName,
                                ArrayRef<std::int64_t> annotation) {
  if (annotation.size() == 2)
    if (Type type =
            getElementType(call.getContext(), annotation[0], annotation[1]))
      return type;
  return call.emitError()
         << "the annotation '" << opName
         << "' must have an element code and the element's size";
}

FailureOr<StringAttr> readMessage(LLVM::CallOp call, StringRef opName,
                                  Value pointer) {
  if (std::optional<StringRef> text = getStringLiteral(pointer))
    return StringAttr::get(call.getContext(), *text);
  return call.emitError() << "the message of '" << opName
                          << "' must be a string literal";
}

} // namespace

FailureOr<Values>
tessera::mir::importAnnotatedCall(OpBuilder &builder, LLVM::CallOp call,
                                  StringRef opName,
                                  ArrayRef<std::int64_t> annotation) {
  std::optional<RegisteredOperationName> name =
      RegisteredOperationName::lookup(opName, call.getContext());
  if (!name)
    return call.emitError() << "there is no op '" << opName << "'";
  const auto *importer = name->getInterface<CallImportOpInterface>();
  if (!importer)
    return call.emitError() << "a call cannot stand for '" << opName << "'";
  FailureOr<Values> values = importer->importCall(builder, call, annotation);
  if (failed(values) || failed(checkResults(call, opName, *values)))
    return failure();
  return values;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

FailureOr<Values> IndexAddrOp::importCall(OpBuilder &builder, LLVM::CallOp call,
                                          ArrayRef<std::int64_t> annotation) {
  if (failed(checkOperands(call, getOperationName(),
                           {Operand::pointer, Operand::i64, Operand::i64},
                           "T *(T *base, size_t length, size_t index)")))
    return failure();
  FailureOr<Type> element =
      readElementType(call, getOperationName(), annotation);
  if (failed(element))
    return failure();
  OperandRange operands = call.getArgOperands();
  Value slice =
      SliceMakeOp::create(builder, call.getLoc(), SliceType::get(*element),
                          operands[0], operands[1]);
  Value address =
      IndexAddrOp::create(builder, call.getLoc(), slice, operands[2]);
  return Values{address};
}

FailureOr<Values> SubsliceOp::importCall(OpBuilder &builder, LLVM::CallOp call,
                                         ArrayRef<std::int64_t> annotation) {
  if (failed(checkOperands(
          call, getOperationName(),
          {Operand::pointer, Operand::i64, Operand::i64, Operand::i64},
          "T *(T *base, size_t length, size_t from, size_t count)")))
    return failure();
  FailureOr<Type> element =
      readElementType(call, getOperationName(), annotation);
  if (failed(element))
    return failure();
  OperandRange operands = call.getArgOperands();
  Value slice =
      SliceMakeOp::create(builder, call.getLoc(), SliceType::get(*element),
                          operands[0], operands[1]);
  Value part = SubsliceOp::create(builder, call.getLoc(), slice, operands[2],
                                  operands[3]);
  Value address = SlicePtrOp::create(builder, call.getLoc(), part);
  return Values{address};
}

FailureOr<Values>
DisjointAddrOp::importCall(OpBuilder &builder, LLVM::CallOp call,
                           ArrayRef<std::int64_t> annotation) {
  if (failed(checkOperands(call, getOperationName(),
                           {Operand::pointer, Operand::i64, Operand::i64},
                           "T *(T *base, size_t length, size_t witness)")))
    return failure();
  FailureOr<Type> element =
      readElementType(call, getOperationName(), annotation);
  if (failed(element))
    return failure();
  OperandRange operands = call.getArgOperands();
  Value slice = SliceMakeOp::create(builder, call.getLoc(),
                                    DisjointSliceType::get(*element),
                                    operands[0], operands[1]);
  Value witness =
      WitnessAssumeUniqueOp::create(builder, call.getLoc(), operands[2]);
  Value address =
      DisjointAddrOp::create(builder, call.getLoc(), slice, witness);
  return Values{address};
}

FailureOr<Values> ThreadIndexOp::importCall(OpBuilder &builder,
                                            LLVM::CallOp call,
                                            ArrayRef<std::int64_t>) {
  if (failed(checkOperands(call, getOperationName(), {}, "size_t ()")))
    return failure();
  Value witness = ThreadIndexOp::create(builder, call.getLoc());
  Value index = WitnessIndexOp::create(builder, call.getLoc(), witness);
  return Values{index};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

FailureOr<Values>
DynamicSharedOp::importCall(OpBuilder &builder, LLVM::CallOp call,
                            ArrayRef<std::int64_t> annotation) {
  if (failed(checkOperands(call, getOperationName(), {}, "T *()")))
    return failure();
  FailureOr<Type> element =
      readElementType(call, getOperationName(), annotation);
  if (failed(element))
    return failure();
  Value slice =
      DynamicSharedOp::create(builder, call.getLoc(), SliceType::get(*element));
  Value address = SlicePtrOp::create(builder, call.getLoc(), slice);
  return Values{address};
}

FailureOr<Values> DynamicSharedSizeOp::importCall(OpBuilder &builder,
                                                  LLVM::CallOp call,
                                                  ArrayRef<std::int64_t>) {
  if (failed(checkOperands(call, getOperationName(), {}, "size_t ()")))
    return failure();
  Value size = DynamicSharedSizeOp::create(builder, call.getLoc());
  return Values{size};
}

//===----------------------------------------------------------------------===//
// Asserts, traps, printing
//===----------------------------------------------------------------------===//

FailureOr<Values> AssertOp::importCall(OpBuilder &builder, LLVM::CallOp call,
                                       ArrayRef<std::int64_t>) {
  if (failed(checkOperands(call, getOperationName(),
                           {Operand::i1, Operand::pointer},
                           "void (bool condition, const char *message)")))
    return failure();
  FailureOr<StringAttr> message =
      readMessage(call, getOperationName(), call.getArgOperands()[1]);
  if (failed(message))
    return failure();
  AssertOp::create(builder, call.getLoc(), call.getArgOperands()[0], *message);
  return Values{};
}

FailureOr<Values> TrapOp::importCall(OpBuilder &builder, LLVM::CallOp call,
                                     ArrayRef<std::int64_t> annotation) {
  if (failed(checkOperands(call, getOperationName(), {Operand::pointer},
                           "void (const char *message)")))
    return failure();
  std::optional<TrapKind> kind = TrapKind::user;
  if (!annotation.empty())
    kind = llvm::isUInt<32>(annotation[0])
               ? symbolizeTrapKind(static_cast<uint32_t>(annotation[0]))
               : std::nullopt;
  if (!kind)
    return call.emitError() << "the annotation '" << getOperationName()
                            << "' has an unknown kind of trap";
  FailureOr<StringAttr> message =
      readMessage(call, getOperationName(), call.getArgOperands()[0]);
  if (failed(message))
    return failure();
  TrapOp::create(builder, call.getLoc(), *kind, *message);
  return Values{};
}

FailureOr<Values> PrintfOp::importCall(OpBuilder &builder, LLVM::CallOp call,
                                       ArrayRef<std::int64_t>) {
  OperandRange operands = call.getArgOperands();
  if (operands.empty() || !fits(operands[0].getType(), Operand::pointer))
    return call.emitError()
           << "a function annotated with '" << getOperationName()
           << "' must have the form int (const char *format, ...)";
  Value count = PrintfOp::create(builder, call.getLoc(), operands[0],
                                 operands.drop_front());
  return Values{count};
}
