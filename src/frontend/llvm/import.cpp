// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/llvm/import.h"
#include "dialect/mir/import.h"
#include "dialect/mir/mir.h"
#include "frontend/llvm/runtime-functions.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/LLVMIRToNVVMTranslation.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace tessera {
namespace {

/// Turns what annotations mark into ops.
class AnnotationImporter {
public:
  AnnotationImporter(ModuleOp module, const AnnotationTable &annotations)
      : module(module), annotations(annotations), builder(module.getContext()) {
  }

  LogicalResult run();

private:
  ModuleOp module;
  const AnnotationTable &annotations;
  OpBuilder builder;

  LogicalResult importCall(LLVM::CallOp call);
  LogicalResult importRuntimeCall(LLVM::CallOp call, RuntimeFunction function);
  LogicalResult importTrap(LLVM::CallOp call, mir::TrapKind kind,
                           StringRef message);
  LogicalResult importMemoryCall(LLVM::CallOp call);
  LogicalResult importVariable(LLVM::GlobalOp global);
  void hideInternalSymbols();
  void eraseUnusedDeclarations();
};

/// The text of the string that `pointer` is the address of, or nothing.
std::string stringOr(Value pointer, StringRef otherwise) {
  if (std::optional<StringRef> text = mir::getStringLiteral(pointer))
    return text->str();
  return otherwise.str();
}

LogicalResult AnnotationImporter::importTrap(LLVM::CallOp call,
                                             mir::TrapKind kind,
                                             StringRef message) {
  builder.setInsertionPoint(call);
  mir::TrapOp::create(builder, call.getLoc(), kind, message);
  // What follows is dead; the results need a value all the same.
  for (Value result : call->getResults())
    if (!result.use_empty())
      result.replaceAllUsesWith(
          LLVM::PoisonOp::create(builder, call.getLoc(), result.getType()));
  call.erase();
  return success();
}

LogicalResult AnnotationImporter::importMemoryCall(LLVM::CallOp call) {
  builder.setInsertionPoint(call);
  OperandRange operands = call.getArgOperands();
  if (operands.size() != 3)
    return call.emitError("a call of '")
           << *call.getCallee() << "' must have three arguments";
  Location loc = call.getLoc();
  StringRef name = *call.getCallee();
  if (name == "memset") {
    Value byte =
        LLVM::TruncOp::create(builder, loc, builder.getI8Type(), operands[1]);
    LLVM::MemsetOp::create(builder, loc, operands[0], byte, operands[2],
                           /*isVolatile=*/false);
  } else if (name == "memcpy") {
    LLVM::MemcpyOp::create(builder, loc, operands[0], operands[1], operands[2],
                           /*isVolatile=*/false);
  } else {
    LLVM::MemmoveOp::create(builder, loc, operands[0], operands[1], operands[2],
                            /*isVolatile=*/false);
  }
  if (call.getNumResults())
    call.getResult().replaceAllUsesWith(operands[0]);
  call.erase();
  return success();
}

LogicalResult AnnotationImporter::importRuntimeCall(LLVM::CallOp call,
                                                    RuntimeFunction function) {
  OperandRange operands = call.getArgOperands();
  StringRef name = *call.getCallee();
  switch (function) {
  case RuntimeFunction::print: {
    builder.setInsertionPoint(call);
    auto values = mir::importAnnotatedCall(
        builder, call, mir::PrintfOp::getOperationName(), {});
    if (failed(values))
      return failure();
    call.replaceAllUsesWith(ValueRange(*values));
    call.erase();
    return success();
  }
  case RuntimeFunction::assertion: {
    // glibc: (expression, file, line, function); libstdc++: (file, line,
    // function, expression).
    unsigned expression = name == "__assert_fail" || name == "__assert" ? 0 : 3;
    return importTrap(call, mir::TrapKind::assertion,
                      operands.size() > expression
                          ? stringOr(operands[expression], "assertion failed")
                          : "assertion failed");
  }
  case RuntimeFunction::exception: {
    std::string shown = llvm::demangle(name);
    StringRef what = shown;
    what.consume_front("std::__throw_");
    return importTrap(call, mir::TrapKind::exception,
                      what.size() == shown.size()
                          ? StringRef("exception")
                          : what.take_until([](char c) { return c == '('; }));
  }
  case RuntimeFunction::terminate:
  case RuntimeFunction::deallocate:
    return importTrap(call, mir::TrapKind::unreachable, llvm::demangle(name));
  case RuntimeFunction::memory:
    return importMemoryCall(call);
  default:
    return success();
  }
}

LogicalResult AnnotationImporter::importCall(LLVM::CallOp call) {
  std::optional<StringRef> callee = call.getCallee();
  if (!callee)
    return success();
  if (const Annotation *annotation = annotations.find(*callee, "tessera.op")) {
    builder.setInsertionPoint(call);
    auto values = mir::importAnnotatedCall(builder, call, annotation->string(0),
                                           annotation->integers(1));
    if (failed(values))
      return failure();
    call.replaceAllUsesWith(ValueRange(*values));
    call.erase();
    return success();
  }
  auto target = module.lookupSymbol<LLVM::LLVMFuncOp>(*callee);
  if (target && target.isExternal())
    if (auto function = classifyRuntimeFunction(*callee))
      return importRuntimeCall(call, *function);
  return success();
}

std::int64_t alignmentOf(LLVM::GlobalOp global) {
  if (global.getAlignment())
    return *global.getAlignment();
  DataLayout layout = DataLayout::closest(global);
  return layout.getTypeABIAlignment(global.getGlobalType());
}

LogicalResult AnnotationImporter::importVariable(LLVM::GlobalOp global) {
  StringRef name = global.getSymName();
  bool isShared = annotations.find(name, "tessera.shared");
  bool isConstant = annotations.find(name, "tessera.constant");
  if (!isShared && !isConstant)
    return success();
  SmallVector<LLVM::AddressOfOp> uses;
  module.walk([&](LLVM::AddressOfOp address) {
    if (address.getGlobalName() == name)
      uses.push_back(address);
  });
  for (LLVM::AddressOfOp address : uses)
    if (address->getParentOfType<LLVM::GlobalOp>())
      return global.emitError("the address of '")
             << llvm::demangle(name) << "' cannot be part of an initialiser";

  builder.setInsertionPoint(global);
  auto sourceName = builder.getStringAttr(llvm::demangle(name));
  if (isShared) {
    mir::SharedOp::create(builder, global.getLoc(), name,
                          global.getGlobalType(), alignmentOf(global),
                          sourceName, /*sym_visibility=*/nullptr);
  } else {
    auto constant = mir::ConstantOp::create(
        builder, global.getLoc(), name, global.getGlobalType(),
        alignmentOf(global), global.getValueOrNull(), sourceName,
        /*sym_visibility=*/nullptr);
    if (global.getInitializerBlock()) {
      constant.getInitializer().takeBody(global.getInitializerRegion());
      Operation *terminator = constant.getInitializer().front().getTerminator();
      builder.setInsertionPoint(terminator);
      mir::YieldOp::create(builder, terminator->getLoc(),
                           terminator->getOperand(0));
      terminator->erase();
    }
  }
  global.erase();
  for (LLVM::AddressOfOp address : uses) {
    builder.setInsertionPoint(address);
    Value replacement =
        isShared ? mir::SharedAddrOp::create(builder, address.getLoc(), name)
                       .getResult()
                 : mir::ConstantAddrOp::create(builder, address.getLoc(), name)
                       .getResult();
    address.replaceAllUsesWith(replacement);
    address.erase();
  }
  return success();
}

/// Symbol visibility as linkage has it, so that what inlining leaves behind
/// goes away.
void AnnotationImporter::hideInternalSymbols() {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function.isExternal() ||
        function.getLinkage() == LLVM::Linkage::Internal)
      function.setPrivate();
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getLinkage() == LLVM::Linkage::Internal ||
        global.getLinkage() == LLVM::Linkage::Private)
      SymbolTable::setSymbolVisibility(global,
                                       SymbolTable::Visibility::Private);
}

void AnnotationImporter::eraseUnusedDeclarations() {
  for (auto function :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (function.isExternal() &&
        SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
}

LogicalResult AnnotationImporter::run() {
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) { calls.push_back(call); });
  bool ok = true;
  for (LLVM::CallOp call : calls)
    ok &= succeeded(importCall(call));
  SmallVector<LLVM::GlobalOp> globals(module.getOps<LLVM::GlobalOp>());
  for (LLVM::GlobalOp global : globals)
    ok &= succeeded(importVariable(global));
  if (!ok)
    return failure();
  hideInternalSymbols();
  eraseUnusedDeclarations();
  return success();
}

/// Turns the entry function of `kernel` into a `mir.kernel`.
class KernelImporter {
public:
  KernelImporter(LLVM::LLVMFuncOp entry, const KernelDescription &kernel)
      : entry(entry), kernel(kernel), builder(entry) {}

  LogicalResult run();

private:
  LLVM::LLVMFuncOp entry;
  const KernelDescription &kernel;
  OpBuilder builder;

  Type sliceType(const image::Param &param, const ElementType &element);
  DictionaryAttr describeArgument(unsigned index);
};

Type KernelImporter::sliceType(const image::Param &param,
                               const ElementType &element) {
  if (param.kind != image::ParamKind::slice &&
      param.kind != image::ParamKind::disjointSlice)
    return {};
  Type type = mir::getElementType(builder.getContext(),
                                  std::int64_t(element.code), element.size);
  if (!type)
    return {};
  if (param.kind == image::ParamKind::disjointSlice)
    return mir::DisjointSliceType::get(type);
  return mir::SliceType::get(type, element.isConst);
}

DictionaryAttr KernelImporter::describeArgument(unsigned index) {
  const image::Param &param = kernel.row.params[index];
  NamedAttrList attributes;
  attributes.set(mir::MirDialect::nameAttrName,
                 builder.getStringAttr(param.name));
  attributes.set(mir::MirDialect::typeAttrName,
                 builder.getStringAttr(param.type));
  attributes.set(mir::MirDialect::sizeAttrName,
                 builder.getI32IntegerAttr(param.size));
  attributes.set(mir::MirDialect::alignAttrName,
                 builder.getI32IntegerAttr(param.align));
  for (StringRef name : {LLVM::LLVMDialect::getByValAttrName(),
                         LLVM::LLVMDialect::getAlignAttrName()})
    if (Attribute attribute = entry.getArgAttr(index, name))
      attributes.set(name, attribute);
  return attributes.getDictionary(builder.getContext());
}

LogicalResult KernelImporter::run() {
  Block &block = entry.getBody().front();
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  builder.setInsertionPointToStart(&block);
  auto one = [&] {
    return LLVM::ConstantOp::create(builder, entry.getLoc(),
                                    builder.getI64IntegerAttr(1));
  };
  for (unsigned i = 0; i < block.getNumArguments(); ++i) {
    DictionaryAttr description = describeArgument(i);
    BlockArgument argument = block.getArgument(i);
    Type slice = sliceType(kernel.row.params[i], kernel.elements[i]);
    if (!slice) {
      types.push_back(argument.getType());
      attributes.push_back(description);
      continue;
    }
    // The body reads the {address, length} pair in memory, as it was passed.
    NamedAttrList kept(description);
    kept.erase(LLVM::LLVMDialect::getByValAttrName());
    kept.erase(LLVM::LLVMDialect::getAlignAttrName());
    attributes.push_back(kept.getDictionary(builder.getContext()));
    types.push_back(slice);
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    auto pair = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), {pointer, builder.getI64Type()});
    Location loc = entry.getLoc();
    Value slot = LLVM::AllocaOp::create(builder, loc, pointer, pair, one(),
                                        /*alignment=*/8);
    argument.replaceAllUsesWith(slot);
    argument.setType(slice);
    Value address = mir::SlicePtrOp::create(builder, loc, argument);
    Value length = mir::SliceLenOp::create(builder, loc, argument);
    LLVM::StoreOp::create(builder, loc, address, slot, /*alignment=*/8);
    Value lengthSlot = LLVM::GEPOp::create(builder, loc, pointer, pair, slot,
                                           ArrayRef<LLVM::GEPArg>{0, 1});
    LLVM::StoreOp::create(builder, loc, length, lengthSlot, /*alignment=*/8);
  }
  builder.setInsertionPoint(entry);
  const image::Kernel &row = kernel.row;
  auto op =
      mir::KernelOp::create(builder, entry.getLoc(), row.symbol,
                            builder.getFunctionType(types, {}), attributes);
  op.setSourceName(row.name);
  auto shape = [](const image::Shape &s) {
    return SmallVector<int32_t>{int32_t(s.x), int32_t(s.y), int32_t(s.z)};
  };
  if (row.block.isFixed())
    op.setBlock(shape(row.block));
  if (row.cluster.isFixed())
    op.setCluster(shape(row.cluster));
  if (row.maxThreads)
    op.setMaxThreads(row.maxThreads);
  if (row.minBlocks)
    op.setMinBlocks(row.minBlocks);
  op.getBody().takeBody(entry.getBody());
  for (Block &inner : op.getBody()) {
    Operation *terminator = inner.getTerminator();
    if (!isa<LLVM::ReturnOp>(terminator))
      continue;
    builder.setInsertionPoint(terminator);
    mir::ReturnOp::create(builder, terminator->getLoc());
    terminator->erase();
  }
  entry.erase();
  return success();
}

} // namespace

void registerImport(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect, DLTIDialect,
                  mir::MirDialect>();
  registerLLVMDialectImport(registry);
  registerNVVMDialectImport(registry);
}

FailureOr<OwningOpRef<ModuleOp>>
importDeviceModule(std::unique_ptr<llvm::Module> llvmModule,
                   MLIRContext &context, ArrayRef<KernelDescription> kernels,
                   const AnnotationTable &annotations) {
  OwningOpRef<ModuleOp> module = translateLLVMIRToModule(
      std::move(llvmModule), &context, /*emitExpensiveWarnings=*/false,
      /*dropDICompositeTypeElements=*/false, /*loadAllDialects=*/false);
  if (!module)
    return failure();
  for (const KernelDescription &kernel : kernels) {
    auto entry = module->lookupSymbol<LLVM::LLVMFuncOp>(kernel.row.symbol);
    if (!entry)
      return module->emitError("the entry of kernel '")
             << kernel.row.name << "' was lost";
    if (failed(KernelImporter(entry, kernel).run()))
      return failure();
  }
  if (failed(AnnotationImporter(*module, annotations).run()))
    return failure();
  return module;
}

} // namespace tessera
