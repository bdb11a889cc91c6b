// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/host-module.h"
#include "frontend/clang/annotations.h"
#include "frontend/llvm/annotations.h"
#include "tessera/abi.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <optional>

using namespace llvm;

namespace tessera::frontend {
namespace {

// The AST consumer of a file sets it, the pass over the file's module takes it.
std::optional<HostPlan> pendingPlan;

class HostModuleFinisher {
public:
  explicit HostModuleFinisher(Module &module)
      : module(module), context(module.getContext()),
        pointer(PointerType::get(context, 0)) {}

  bool run();

private:
  Module &module;
  LLVMContext &context;
  PointerType *pointer;

  bool defineDeviceOnlyFunctions();
  SmallVector<Function *> findKernels(const HostPlan &plan) const;
  void embed(const HostPlan &plan);
  void makeStub(Function &kernel, GlobalVariable &entries, unsigned index);
  Constant *text(StringRef value, StringRef name);
  FunctionCallee reporter(StringRef name);
};

Constant *HostModuleFinisher::text(StringRef value, StringRef name) {
  auto *global = new GlobalVariable(
      module, ArrayType::get(Type::getInt8Ty(context), value.size() + 1),
      /*isConstant=*/true, GlobalValue::PrivateLinkage,
      ConstantDataArray::getString(context, value), name);
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

FunctionCallee HostModuleFinisher::reporter(StringRef name) {
  AttributeList attributes =
      AttributeList().addFnAttribute(context, Attribute::NoReturn);
  return module.getOrInsertFunction(name, attributes, Type::getVoidTy(context),
                                    pointer);
}

/// The host's function of each kernel, or null where the host has none: a
/// template or internal kernel that it does not name.
SmallVector<Function *>
HostModuleFinisher::findKernels(const HostPlan &plan) const {
  SmallVector<Function *> functions(plan.kernels.size(), nullptr);
  for (const auto &[symbol, kinds] : AnnotationTable::read(module).kinds())
    for (StringRef kind : kinds)
      if (unsigned number; kind.consume_front(kernelNumberAnnotation) &&
                           !kind.getAsInteger(10, number) &&
                           number < functions.size())
        functions[number] = module.getFunction(symbol);
  for (auto [function, kernel] : zip(functions, plan.kernels)) {
    if (!function)
      function = module.getFunction(kernel.hostName);
    if (function && function->isDeclaration())
      function = nullptr;
  }
  return functions;
}

/// A function that only a device can run is a declaration on the host. Host
/// copies of helpers may call it, so it gets a weak body that says so.
bool HostModuleFinisher::defineDeviceOnlyFunctions() {
  AnnotationTable annotations = AnnotationTable::read(module);
  bool changed = false;
  for (Function &function : module) {
    if (!function.isDeclaration() ||
        !(annotations.find(function.getName(), "tessera.intrinsic") ||
          annotations.find(function.getName(), "tessera.op")))
      continue;
    // A declaration may carry a description, which is not one of a definition.
    function.setSubprogram(nullptr);
    function.setLinkage(GlobalValue::WeakAnyLinkage);
    function.setVisibility(GlobalValue::HiddenVisibility);
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    builder.CreateCall(reporter("__tessera_device_only"),
                       text(demangle(function.getName()), "__tessera_name"));
    builder.CreateUnreachable();
    changed = true;
  }
  return changed;
}

/// A direct call of the kernel ends in a message. The volatile read of the
/// kernel's own entry keeps the stubs of two kernels different, so that
/// identical-code folding leaves each its address.
void HostModuleFinisher::makeStub(Function &kernel, GlobalVariable &entries,
                                  unsigned index) {
  GlobalValue::LinkageTypes linkage = kernel.getLinkage();
  Comdat *comdat = kernel.getComdat();
  kernel.deleteBody();
  kernel.setLinkage(linkage);
  kernel.setComdat(comdat);
  kernel.setSubprogram(nullptr);
  kernel.setPersonalityFn(nullptr);
  for (Attribute::AttrKind kind :
       {Attribute::AlwaysInline, Attribute::OptimizeNone, Attribute::Memory,
        Attribute::WillReturn, Attribute::MustProgress, Attribute::NoReturn,
        Attribute::NoUnwind})
    kernel.removeFnAttr(kind);
  kernel.addFnAttr(Attribute::NoInline);
  IRBuilder<> builder(BasicBlock::Create(context, "", &kernel));
  Value *field = builder.CreateConstInBoundsGEP2_32(
      cast<ArrayType>(entries.getValueType())->getElementType(),
      builder.CreateConstInBoundsGEP2_32(entries.getValueType(), &entries, 0,
                                         index),
      0, 1);
  Value *name = builder.CreateLoad(pointer, field, /*isVolatile=*/true);
  builder.CreateCall(reporter("__tessera_direct_call"), name);
  builder.CreateUnreachable();
}

void HostModuleFinisher::embed(const HostPlan &plan) {
  auto *i64 = Type::getInt64Ty(context);
  auto *entryType = StructType::get(context, {pointer, pointer});
  SmallVector<std::pair<Function *, const HostPlan::Kernel *>> present;
  for (auto [function, kernel] : zip(findKernels(plan), plan.kernels))
    if (function)
      present.push_back({function, &kernel});
  if (present.empty())
    return;

  auto *entriesType = ArrayType::get(entryType, present.size());
  auto *entries = new GlobalVariable(module, entriesType, /*isConstant=*/false,
                                     GlobalValue::InternalLinkage, nullptr,
                                     "__tessera_entries");
  SmallVector<Constant *> rows;
  for (auto [index, row] : enumerate(present)) {
    rows.push_back(ConstantStruct::get(
        entryType, {row.first, text(row.second->symbol, "__tessera_symbol")}));
    makeStub(*row.first, *entries, index);
  }
  entries->setInitializer(ConstantArray::get(entriesType, rows));

  StringRef bytes(reinterpret_cast<const char *>(plan.image.data()),
                  plan.image.size());
  auto *data = ConstantDataArray::getString(context, bytes, /*AddNull=*/false);
  auto *image =
      new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                         GlobalValue::InternalLinkage, data, "__tessera_image");
  image->setAlignment(Align(16));

  FunctionCallee registerImage = module.getOrInsertFunction(
      "__tessera_register_image", Type::getVoidTy(context),
      Type::getInt32Ty(context), pointer, i64, pointer, i64);
  auto *constructor = Function::Create(
      FunctionType::get(Type::getVoidTy(context), false),
      GlobalValue::InternalLinkage, "__tessera_register", module);
  IRBuilder<> builder(BasicBlock::Create(context, "", constructor));
  builder.CreateCall(registerImage,
                     {builder.getInt32(__tessera_abi_version), image,
                      builder.getInt64(bytes.size()), entries,
                      builder.getInt64(present.size())});
  builder.CreateRetVoid();
  // Before the program's own constructors of default priority, which may
  // launch kernels.
  appendToGlobalCtors(module, constructor, 60000);
}

bool HostModuleFinisher::run() {
  bool changed = defineDeviceOnlyFunctions();
  if (!pendingPlan)
    return changed;
  HostPlan plan = std::move(*pendingPlan);
  pendingPlan.reset();
  embed(plan);
  plan.done(countOf(plan.image.size(), "byte") + ", " +
            countOf(plan.kernels.size(), "kernel"));
  return true;
}

struct HostModulePass : PassInfoMixin<HostModulePass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    return HostModuleFinisher(module).run() ? PreservedAnalyses::none()
                                            : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

void setHostPlan(HostPlan plan) { pendingPlan = std::move(plan); }

void registerHostModulePass(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(HostModulePass());
      });
}

} // namespace tessera::frontend
