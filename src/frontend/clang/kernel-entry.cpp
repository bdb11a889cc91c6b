// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/kernel-entry.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/CGFunctionInfo.h"
#include "clang/CodeGen/CodeGenABITypes.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace clang;
using clang::CodeGen::ABIArgInfo;

namespace tessera::frontend {
namespace {

/// Builds one entry function.
class EntryBuilder {
public:
  EntryBuilder(CodeGenerator &generator, const FunctionDecl &kernel,
               llvm::Function &body)
      : cgm(generator.CGM()), kernel(kernel), context(kernel.getASTContext()),
        body(body), builder(body.getContext()) {}

  void build(llvm::StringRef symbol);

private:
  CodeGen::CodeGenModule &cgm;
  const FunctionDecl &kernel;
  ASTContext &context;
  llvm::Function &body;
  llvm::IRBuilder<> builder;
  llvm::SmallVector<llvm::Value *> arguments;

  llvm::Function *createFunction(llvm::StringRef symbol);
  void pass(llvm::Argument &entryArg, QualType type, const ABIArgInfo &abi);
  void passDirect(llvm::Value *memory, const ABIArgInfo &abi);
  llvm::Align alignOf(QualType type) const {
    return llvm::Align(context.getTypeAlignInChars(type).getQuantity());
  }
};

/// Whether a part of `type` lies where its own type could not: code that was
/// made for the host's stack may load such a part from a parameter at once,
/// which the device refuses.
bool isPacked(QualType type) {
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  if (record->hasAttr<PackedAttr>() || record->hasAttr<MaxFieldAlignmentAttr>())
    return true;
  return llvm::any_of(record->fields(),
                      [](const FieldDecl *field) {
                        return field->hasAttr<PackedAttr>() ||
                               isPacked(field->getType());
                      }) ||
         llvm::any_of(record->bases(), [](const CXXBaseSpecifier &base) {
           return isPacked(base.getType());
         });
}

bool isPassedAsScalar(QualType type) {
  return type->isScalarType() && !type->isMemberPointerType() &&
         !type->isAnyComplexType();
}

llvm::Function *EntryBuilder::createFunction(llvm::StringRef symbol) {
  llvm::SmallVector<llvm::Type *> types;
  for (const ParmVarDecl *param : kernel.parameters()) {
    QualType type = param->getType();
    types.push_back(isPassedAsScalar(type)
                        ? CodeGen::convertTypeForMemory(cgm, type)
                        : builder.getPtrTy());
  }
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), types, false),
      llvm::GlobalValue::ExternalLinkage, symbol, body.getParent());
  for (auto [arg, param] : llvm::zip(entry->args(), kernel.parameters())) {
    arg.setName(param->getName());
    QualType type = param->getType();
    if (isPassedAsScalar(type))
      continue;
    arg.addAttr(llvm::Attribute::getWithByValType(
        builder.getContext(), CodeGen::convertTypeForMemory(cgm, type)));
    arg.addAttr(
        llvm::Attribute::getWithAlignment(builder.getContext(), alignOf(type)));
  }
  return entry;
}

void EntryBuilder::passDirect(llvm::Value *memory, const ABIArgInfo &abi) {
  llvm::Type *coerced = abi.getCoerceToType();
  if (unsigned offset = abi.getDirectOffset())
    memory = builder.CreateConstGEP1_64(builder.getInt8Ty(), memory, offset);
  auto *structType = dyn_cast<llvm::StructType>(coerced);
  if (!structType || !abi.isDirect() || !abi.getCanBeFlattened() ||
      structType->getNumElements() < 2) {
    arguments.push_back(
        builder.CreateAlignedLoad(coerced, memory, llvm::Align(1)));
    return;
  }
  for (unsigned i = 0, e = structType->getNumElements(); i != e; ++i)
    arguments.push_back(builder.CreateAlignedLoad(
        structType->getElementType(i),
        builder.CreateStructGEP(structType, memory, i), llvm::Align(1)));
}

void EntryBuilder::pass(llvm::Argument &entryArg, QualType type,
                        const ABIArgInfo &abi) {
  bool scalar = isPassedAsScalar(type);
  if (scalar && !abi.isIndirect() &&
      abi.getCoerceToType() == entryArg.getType()) {
    arguments.push_back(&entryArg);
    return;
  }
  if (scalar && type->isBooleanType()) {
    arguments.push_back(builder.CreateTrunc(&entryArg, abi.getCoerceToType()));
    return;
  }
  llvm::Value *memory = &entryArg;
  if (scalar) {
    auto *slot = builder.CreateAlloca(entryArg.getType());
    slot->setAlignment(alignOf(type));
    builder.CreateAlignedStore(&entryArg, slot, alignOf(type));
    memory = slot;
  } else if (isPacked(type)) {
    llvm::Type *stored = CodeGen::convertTypeForMemory(cgm, type);
    auto *slot = builder.CreateAlloca(stored);
    slot->setAlignment(llvm::Align(8));
    builder.CreateMemCpy(slot, slot->getAlign(), &entryArg, alignOf(type),
                         context.getTypeSizeInChars(type).getQuantity());
    memory = slot;
  }
  switch (abi.getKind()) {
  case ABIArgInfo::Direct:
  case ABIArgInfo::Extend:
    passDirect(memory, abi);
    return;
  case ABIArgInfo::Ignore:
    return;
  default:
    // In memory: the call's `byval` attribute makes the callee's copy.
    arguments.push_back(memory);
    return;
  }
}

void EntryBuilder::build(llvm::StringRef symbol) {
  llvm::Function *entry = createFunction(symbol);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(builder.getContext(), "", entry));
  if (llvm::DISubprogram *scope = body.getSubprogram()) {
    llvm::DIBuilder debug(*body.getParent(), /*AllowUnresolved=*/false,
                          scope->getUnit());
    llvm::DISubprogram *subprogram = debug.createFunction(
        scope->getFile(), symbol, {}, scope->getFile(), scope->getLine(),
        debug.createSubroutineType(debug.getOrCreateTypeArray({})),
        scope->getLine(), llvm::DINode::FlagArtificial,
        llvm::DISubprogram::SPFlagDefinition);
    entry->setSubprogram(subprogram);
    debug.finalizeSubprogram(subprogram);
    builder.SetCurrentDebugLocation(llvm::DILocation::get(
        builder.getContext(), scope->getLine(), 0, subprogram));
  }

  auto type =
      context.getCanonicalType(kernel.getType()).castAs<FunctionProtoType>();
  const CodeGen::CGFunctionInfo &info =
      CodeGen::arrangeFreeFunctionType(cgm, type);
  for (auto [arg, param, abi] :
       llvm::zip(entry->args(), kernel.parameters(), info.arguments()))
    pass(arg, context.getCanonicalType(param->getType()).getUnqualifiedType(),
         abi.info);
  llvm::CallInst *call = builder.CreateCall(&body, arguments);
  llvm::AttributeList attributes;
  for (unsigned i = 0; i < arguments.size(); ++i)
    for (auto kind : {llvm::Attribute::ByVal, llvm::Attribute::Alignment})
      if (body.hasParamAttribute(i, kind))
        attributes = attributes.addParamAttribute(
            builder.getContext(), {i}, body.getParamAttribute(i, kind));
  call->setAttributes(attributes);
  builder.CreateRetVoid();
}

bool keepsItsName(const FunctionDecl &kernel) {
  return kernel.getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         !kernel.isTemplateInstantiation() &&
         kernel.getDeclName().isIdentifier();
}

/// `name` with what PTX does not allow in a name (ISA 4.4) written as hex.
std::string ptxName(llvm::StringRef name) {
  std::string result;
  for (unsigned char c : name)
    if (llvm::isAlnum(c) || c == '_' || c == '$')
      result += char(c);
    else
      result += "_x" + llvm::utohexstr(c, /*LowerCase=*/true);
  return result;
}

/// The symbols of all kernels, in their order.
std::vector<std::string>
chooseSymbols(CodeGenerator &generator, const std::vector<KernelDecl> &kernels,
              const std::vector<llvm::Function *> &bodies) {
  llvm::StringMap<unsigned> uses;
  for (const KernelDecl &kernel : kernels)
    if (keepsItsName(*kernel.function))
      ++uses[kernel.function->getName()];
  std::vector<std::string> symbols;
  for (auto [kernel, body] : llvm::zip(kernels, bodies)) {
    llvm::StringRef name;
    if (keepsItsName(*kernel.function))
      name = kernel.function->getName();
    bool free = !name.empty() && uses[name] == 1;
    if (free)
      if (llvm::GlobalValue *other = body->getParent()->getNamedValue(name))
        free = other == body;
    symbols.push_back(ptxName(free ? name : body->getName()));
  }
  return symbols;
}

} // namespace

void addKernelEntries(CodeGenerator &generator,
                      std::vector<KernelDecl> &kernels) {
  llvm::Module &module = *generator.GetModule();
  std::vector<llvm::Function *> bodies;
  for (const KernelDecl &kernel : kernels)
    bodies.push_back(module.getFunction(
        generator.GetMangledName(GlobalDecl(kernel.function))));

  std::vector<std::string> symbols = chooseSymbols(generator, kernels, bodies);
  for (auto [kernel, body, symbol] : llvm::zip(kernels, bodies, symbols)) {
    kernel.hostName = body->getName().str();
    kernel.description.row.symbol = symbol;
    body->setName(kernelBodyPrefix + symbol);
    EntryBuilder(generator, *kernel.function, *body).build(symbol);
  }
  llvm::StringSet<> exported;
  for (const KernelDecl &kernel : kernels)
    exported.insert(kernel.description.row.symbol);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue &value) {
    return exported.contains(value.getName());
  });
}

} // namespace tessera::frontend
