// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/llvm/device-module.h"
#include "frontend/llvm/call-graph.h"
#include "frontend/llvm/runtime-functions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tessera {
namespace {

/// Whether `function` is the variant of a virtual destructor that also frees
/// (D0 in the Itanium ABI).
bool isDeletingDestructor(const Function &function) {
  return function.getName().starts_with("_ZN") &&
         function.getName().ends_with("D0Ev");
}

/// Refuses what the device cannot do, each thing once for a place.
class LegalityChecker {
public:
  LegalityChecker(const ReachedCode &code, const AnnotationTable &annotations,
                  const FrontendCallbacks &callbacks)
      : code(code), annotations(annotations), callbacks(callbacks) {}

  bool check() {
    for (auto [function, site] : code.functions())
      if (function->isDeclaration())
        checkDeclaration(*function, site);
      else
        checkDefinition(*function);
    for (auto [variable, site] : code.variables())
      checkVariable(*variable, site);
    return !failed;
  }

private:
  const ReachedCode &code;
  const AnnotationTable &annotations;
  const FrontendCallbacks &callbacks;
  StringSet<> reported;
  bool failed = false;

  void error(const Instruction *at, const Twine &message) {
    failed = true;
    Diagnostic diagnostic = code.describe(at, message.str(), callbacks);
    std::string key =
        (diagnostic.location.file + ":" + Twine(diagnostic.location.line) +
         ":" + Twine(diagnostic.location.column) + ":" + diagnostic.message)
            .str();
    if (reported.insert(key).second)
      callbacks.report(diagnostic);
  }

  /// The calls of `function` in reached code.
  SmallVector<const CallInst *> reachedCalls(const Function &function) const {
    SmallVector<const CallInst *> calls;
    for (const User *user : function.users())
      if (const auto *call = dyn_cast<CallInst>(user))
        if (code.functions().count(const_cast<Function *>(call->getFunction())))
          calls.push_back(call);
    return calls;
  }

  void checkDeclaration(const Function &function, const Instruction *site);
  void checkRuntimeFunction(const Function &function, RuntimeFunction kind,
                            const Instruction *site);
  void checkDefinition(const Function &function);
  void checkInstruction(const Instruction &instruction);
  void checkVariable(const GlobalVariable &variable, const Instruction *site);
};

void LegalityChecker::checkDeclaration(const Function &function,
                                       const Instruction *site) {
  if (function.isIntrinsic()) {
    if (function.isTargetIntrinsic() &&
        !function.getName().starts_with("llvm.nvvm."))
      error(site, "device code cannot use '" + function.getName() +
                      "', an intrinsic of the host");
    return;
  }
  if (annotations.find(function.getName(), "tessera.intrinsic") ||
      annotations.find(function.getName(), "tessera.op"))
    return;
  if (auto kind = classifyRuntimeFunction(function.getName())) {
    checkRuntimeFunction(function, *kind, site);
    return;
  }
  error(site, "device code calls '" + demangle(function.getName()) +
                  "', which is not defined in this file: the device sees one "
                  "file at a time; "
                  "define the function here or in a header");
}

void LegalityChecker::checkRuntimeFunction(const Function &function,
                                           RuntimeFunction kind,
                                           const Instruction *site) {
  switch (kind) {
  case RuntimeFunction::allocate:
    error(site, "device code cannot allocate memory: it calls '" +
                    demangle(function.getName()) + "'");
    return;
  case RuntimeFunction::deallocate:
    // Every virtual destructor has a deleting variant in its table; one that
    // nobody can reach by `delete` only traps.
    for (const CallInst *call : reachedCalls(function))
      if (!isDeletingDestructor(*call->getFunction()))
        error(call, "device code cannot free memory: it calls '" +
                        demangle(function.getName()) + "'");
    return;
  case RuntimeFunction::guard:
    error(site, "device code cannot initialise a static variable when control "
                "first reaches it; "
                "make it constexpr");
    return;
  case RuntimeFunction::typeInfo:
    error(site, "device code cannot use run-time type information "
                "(dynamic_cast, typeid)");
    return;
  case RuntimeFunction::exception:
    // The library's own throws become traps; a user's are refused.
    for (const CallInst *call : reachedCalls(function))
      if (function.getName().starts_with("__cxa_") &&
          !callbacks.isLibraryCode(locationOf(*call)))
        error(call, "device code cannot throw exceptions");
    return;
  case RuntimeFunction::print:
  case RuntimeFunction::assertion:
  case RuntimeFunction::terminate:
  case RuntimeFunction::memory:
  case RuntimeFunction::math:
  case RuntimeFunction::library:
    return;
  }
}

/// The first type in `type` that the device lacks, or null.
const Type *findForeignType(const Type *type) {
  if (type->isX86_FP80Ty() || type->isFP128Ty() || type->isPPC_FP128Ty())
    return type;
  for (const Type *inner : type->subtypes())
    if (const Type *found = findForeignType(inner))
      return found;
  return nullptr;
}

void LegalityChecker::checkDefinition(const Function &function) {
  if (function.getName().starts_with(kernelBodyPrefix))
    for (const CallInst *call : reachedCalls(function))
      if (code.functions().lookup(const_cast<Function *>(call->getFunction())))
        error(call, "device code cannot call a kernel like a function");
  for (const Instruction &instruction : instructions(function))
    checkInstruction(instruction);
}

void LegalityChecker::checkInstruction(const Instruction &instruction) {
  const Type *foreign = findForeignType(instruction.getType());
  for (const Use &operand : instruction.operands())
    if (!foreign)
      foreign = findForeignType(operand->getType());
  if (const auto *slot = dyn_cast<AllocaInst>(&instruction)) {
    if (!foreign)
      foreign = findForeignType(slot->getAllocatedType());
    if (!slot->isStaticAlloca())
      error(&instruction, "device code cannot use arrays of variable length");
  }
  if (foreign) {
    error(&instruction,
          foreign->isX86_FP80Ty()
              ? "device code cannot use 'long double': the device has float "
                "and double"
              : "device code cannot use 128-bit floating-point numbers");
    return;
  }
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    if (call->isInlineAsm())
      error(&instruction, "device code cannot use asm statements, which are "
                          "for the host's processor");
    if (isa<VAStartInst, VACopyInst>(&instruction))
      error(&instruction, "device code cannot read variable arguments");
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(call);
        intrinsic &&
        intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address)
      error(&instruction, "device code cannot use thread_local variables");
  }
  if (isa<FPToSIInst, FPToUIInst>(instruction) &&
      instruction.getType()->getScalarSizeInBits() > 64)
    error(&instruction, "device code cannot convert a floating-point number to "
                        "an integer of more than 64 bits");
  if (isa<SIToFPInst, UIToFPInst>(instruction) &&
      instruction.getOperand(0)->getType()->getScalarSizeInBits() > 64)
    error(&instruction, "device code cannot convert an integer of more than 64 "
                        "bits to a floating-point number");
  if (isa<IndirectBrInst>(instruction))
    error(&instruction, "device code cannot jump to computed labels");
  if (isa<VAArgInst>(instruction))
    error(&instruction, "device code cannot read variable arguments");
}

void LegalityChecker::checkVariable(const GlobalVariable &variable,
                                    const Instruction *site) {
  StringRef name = variable.getName();
  if (annotations.find(name, "tessera.shared"))
    return;
  if (findForeignType(variable.getValueType())) {
    error(site, "device code cannot use 'long double': the device has float "
                "and double");
    return;
  }
  std::string shown = "'" + demangle(name) + "'";
  if (variable.isThreadLocal()) {
    error(site, "device code cannot use thread_local variables: " + shown);
    return;
  }
  if (annotations.find(name, "tessera.constant"))
    return;
  if (variable.isDeclaration()) {
    // Vtables of the C++ runtime's own type descriptions and the like.
    error(site, "device code refers to the variable " + shown +
                    ", which is not defined in this file");
    return;
  }
  if (variable.isConstant())
    return;
  error(site, "device code cannot use the host's variable " + shown +
                  ": pass it as an argument, or make it constexpr or "
                  "[[tessera::constant]]");
}

/// Replaces calls of functions annotated `tessera.intrinsic` by calls of the
/// intrinsic, and gathers what the intrinsics require.
class IntrinsicResolver {
public:
  IntrinsicResolver(Module &module, const ReachedCode &code,
                    const AnnotationTable &annotations,
                    const FrontendCallbacks &callbacks,
                    DeviceRequirements &requirements)
      : module(module), code(code), annotations(annotations),
        callbacks(callbacks), requirements(requirements) {}

  bool resolve() {
    SmallVector<std::pair<Function *, const Instruction *>> found;
    for (auto [function, site] : code.functions())
      if (annotations.find(function->getName(), "tessera.intrinsic"))
        found.push_back({function, site});
    for (auto [function, site] : found)
      resolveFunction(*function, site);
    return !failed;
  }

private:
  Module &module;
  const ReachedCode &code;
  const AnnotationTable &annotations;
  const FrontendCallbacks &callbacks;
  DeviceRequirements &requirements;
  bool failed = false;

  void error(const Instruction *at, const Twine &message) {
    failed = true;
    callbacks.report(code.describe(at, message.str(), callbacks));
  }
  void resolveFunction(Function &function, const Instruction *site);
  void replaceCall(CallInst &call, Function &intrinsic);
};

void IntrinsicResolver::resolveFunction(Function &function,
                                        const Instruction *site) {
  const Annotation &annotation =
      *annotations.find(function.getName(), "tessera.intrinsic");
  StringRef name = annotation.string(0);
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name);
  if (id == Intrinsic::not_intrinsic) {
    error(site, "'" + demangle(function.getName()) +
                    "' names no intrinsic of LLVM " + LLVM_VERSION_STRING +
                    ": \"" + name + "\"");
    return;
  }
  SmallVector<Type *> overloads;
  if (!Intrinsic::getIntrinsicSignature(id, function.getFunctionType(),
                                        overloads)) {
    error(site, "the signature of '" + demangle(function.getName()) +
                    "' is not that of \"" + name + "\"");
    return;
  }
  SmallVector<std::int64_t> needs = annotation.integers(1);
  if (!needs.empty() && unsigned(needs[0]) > requirements.arch.sm) {
    requirements.arch.sm = needs[0];
    requirements.reason = name.str();
  }
  if (needs.size() > 1)
    requirements.ptxVersion =
        std::max(requirements.ptxVersion, unsigned(needs[1]));

  Function *intrinsic =
      Intrinsic::getOrInsertDeclaration(&module, id, overloads);
  function.removeDeadConstantUsers();
  for (User *user : llvm::make_early_inc_range(function.users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledOperand() != &function) {
      error(dyn_cast<Instruction>(user), "the address of the intrinsic '" +
                                             demangle(function.getName()) +
                                             "' cannot be taken");
      continue;
    }
    replaceCall(*call, *intrinsic);
  }
}

void IntrinsicResolver::replaceCall(CallInst &call, Function &intrinsic) {
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (intrinsic.hasParamAttribute(i, Attribute::ImmArg) &&
        !isa<Constant>(call.getArgOperand(i))) {
      error(&call, "argument " + Twine(i + 1) + " of \"" + intrinsic.getName() +
                       "\" must be a constant");
      return;
    }
  SmallVector<Value *> arguments(call.args());
  IRBuilder<> builder(&call);
  CallInst *replacement = builder.CreateCall(&intrinsic, arguments);
  replacement->takeName(&call);
  call.replaceAllUsesWith(replacement);
  call.eraseFromParent();
}

/// Attributes that describe the host's processor or its calling convention.
void dropHostAttributes(Function &function) {
  AttributeMask mask;
  for (const Attribute &attribute : function.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      mask.addAttribute(attribute.getKindAsString());
  for (Attribute::AttrKind kind :
       {Attribute::StackProtect, Attribute::StackProtectReq,
        Attribute::StackProtectStrong, Attribute::UWTable, Attribute::SafeStack,
        Attribute::NonLazyBind, Attribute::NoCfCheck, Attribute::OptimizeNone,
        Attribute::SanitizeAddress, Attribute::SanitizeThread,
        Attribute::SanitizeMemory})
    mask.addAttribute(kind);
  // `noinline` comes with `optnone`; a user's own has no such company.
  bool wasOptNone = function.hasFnAttribute(Attribute::OptimizeNone);
  function.removeFnAttrs(mask);
  if (wasOptNone)
    function.removeFnAttr(Attribute::NoInline);
  function.setComdat(nullptr);
  function.setSection("");
  function.setDSOLocal(true);
}

/// MLIR's import warns of alignments of vectors, which it cannot hold; those of
/// NVPTX are the natural ones, and the code generator sets the whole layout
/// again.
std::string importableLayout(StringRef layout) {
  std::string result;
  for (StringRef token : llvm::split(layout, '-'))
    if (!token.starts_with("v"))
      result += (result.empty() ? "" : "-") + token.str();
  return result;
}

void retarget(Module &module) {
  for (Function &function : module)
    dropHostAttributes(function);
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction)) {
        AttributeMask mask;
        for (const Attribute &attribute : call->getAttributes().getFnAttrs())
          if (attribute.isStringAttribute())
            mask.addAttribute(attribute.getKindAsString());
        call->removeFnAttrs(mask);
      }
  for (GlobalVariable &variable : module.globals()) {
    variable.setComdat(nullptr);
    variable.setSection("");
    variable.setDSOLocal(true);
  }
  // Module flags are the host's (PIC level, frame pointers); the debug
  // information version stays.
  if (NamedMDNode *flags = module.getModuleFlagsMetadata())
    flags->eraseFromParent();
  module.addModuleFlag(Module::Warning, "Debug Info Version",
                       DEBUG_METADATA_VERSION);
  module.addModuleFlag(Module::Warning, "Dwarf Version", 2);
  if (NamedMDNode *ident = module.getNamedMetadata("llvm.ident"))
    ident->eraseFromParent();
  Triple triple("nvptx64-nvidia-cuda");
  module.setTargetTriple(triple);
  module.setDataLayout(importableLayout(triple.computeDataLayout()));
}

/// Bodies of functions which the host only needs are dropped, then whatever
/// nobody refers to any more.
void eraseUnreached(Module &module, const ReachedCode &code) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!code.functions().count(&function) && !function.isIntrinsic())
      functions.push_back(&function);
  for (Function *function : functions)
    function->dropAllReferences();
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : module.globals())
    if (!code.variables().count(&variable))
      variables.push_back(&variable);
  for (GlobalVariable *variable : variables)
    variable->dropAllReferences();
  auto erase = [](auto *value) {
    value->removeDeadConstantUsers();
    if (value->use_empty())
      value->eraseFromParent();
  };
  for (Function *function : functions)
    erase(function);
  for (GlobalVariable *variable : variables)
    erase(variable);
}

/// Aliases (constructors that equal another) would hide the function that a
/// call means.
void resolveAliases(Module &module) {
  for (GlobalAlias &alias : llvm::make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
}

/// Lists of symbols that are the host's business, or have been read.
void eraseSymbolLists(Module &module) {
  for (const char *name :
       {"llvm.global_ctors", "llvm.global_dtors", "llvm.used",
        "llvm.compiler.used", "llvm.global.annotations"})
    if (GlobalVariable *list = module.getNamedGlobal(name))
      list->eraseFromParent();
}

/// Control does not come back from what becomes a trap: what follows (building
/// the exception object, say) is not reached and need not be possible.
void cutAfterTraps(Module &module) {
  for (Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic())
      continue;
    auto kind = classifyRuntimeFunction(function.getName());
    if (kind != RuntimeFunction::exception &&
        kind != RuntimeFunction::terminate &&
        kind != RuntimeFunction::assertion)
      continue;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledOperand() == &function)
        changeToUnreachable(call->getNextNode());
  }
  for (Function &function : module)
    if (!function.isDeclaration())
      removeUnreachableBlocks(function);
}

/// Clang gives atomics system scope; `annotate("tessera.scope", n)` on a
/// function says what those in it need: 1 the device, 2 the block.
void setAtomicScopes(Module &module, const AnnotationTable &annotations) {
  for (Function &function : module) {
    const Annotation *scope =
        annotations.find(function.getName(), "tessera.scope");
    SmallVector<std::int64_t> value;
    if (scope)
      value = scope->integers(0);
    if (value.empty() || value[0] == 0)
      continue;
    SyncScope::ID id = module.getContext().getOrInsertSyncScopeID(
        value[0] == 1 ? "device" : "block");
    for (Instruction &instruction : instructions(function)) {
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        update->setSyncScopeID(id);
      else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        exchange->setSyncScopeID(id);
      else if (auto *fence = dyn_cast<FenceInst>(&instruction))
        fence->setSyncScopeID(id);
      else if (auto *load = dyn_cast<LoadInst>(&instruction);
               load && load->isAtomic())
        load->setSyncScopeID(id);
      else if (auto *store = dyn_cast<StoreInst>(&instruction);
               store && store->isAtomic())
        store->setSyncScopeID(id);
    }
  }
}

/// Variables of functions in shared memory are slots with an annotation; they
/// become variables of the module, as those of namespaces are. A block has one,
/// however often the function runs.
void hoistSharedVariables(Module &module, AnnotationTable &annotations) {
  SmallVector<IntrinsicInst *> markers;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *marker = dyn_cast<IntrinsicInst>(&instruction);
          marker && marker->getIntrinsicID() == Intrinsic::var_annotation)
        markers.push_back(marker);
  for (IntrinsicInst *marker : markers) {
    StringRef kind =
        readConstantString(cast<Constant>(marker->getArgOperand(1)));
    auto *slot = dyn_cast<AllocaInst>(marker->getArgOperand(0));
    StringRef function = marker->getFunction()->getName();
    marker->eraseFromParent();
    if (!slot || kind != "tessera.shared")
      continue;
    function.consume_front(kernelBodyPrefix);
    auto *variable =
        new GlobalVariable(module, slot->getAllocatedType(),
                           /*isConstant=*/false, GlobalValue::InternalLinkage,
                           PoisonValue::get(slot->getAllocatedType()),
                           function + "_" + slot->getName());
    variable->setAlignment(slot->getAlign());
    annotations.add(variable->getName(), {kind.str(), {}});
    // A block's variable lives as long as the block.
    for (User *user : make_early_inc_range(slot->users()))
      if (auto *use = dyn_cast<IntrinsicInst>(user);
          use && use->isLifetimeStartOrEnd())
        use->eraseFromParent();
    slot->replaceAllUsesWith(variable);
    slot->eraseFromParent();
  }
}

/// Functions that stand for an op or an intrinsic may have a body, which is the
/// host's.
void dropHostBodies(Module &module, const AnnotationTable &annotations) {
  for (Function &function : module)
    if (!function.isDeclaration() &&
        (annotations.find(function.getName(), "tessera.op") ||
         annotations.find(function.getName(), "tessera.intrinsic")))
      function.deleteBody();
}

} // namespace

std::optional<PreparedModule>
prepareDeviceModule(Module &module, ArrayRef<KernelDescription> kernels,
                    const FrontendCallbacks &callbacks) {
  resolveAliases(module);
  PreparedModule result;
  result.annotations = AnnotationTable::read(module);
  eraseSymbolLists(module);
  hoistSharedVariables(module, result.annotations);
  dropHostBodies(module, result.annotations);
  cutAfterTraps(module);
  ReachedCode code(module, kernels);
  if (!LegalityChecker(code, result.annotations, callbacks).check())
    return std::nullopt;
  for (auto [function, site] : code.functions())
    if (!function->isDeclaration() && site &&
        !function->getName().starts_with(kernelBodyPrefix))
      ++result.functionCount;
  IntrinsicResolver resolver(module, code, result.annotations, callbacks,
                             result.requirements);
  if (!resolver.resolve())
    return std::nullopt;
  eraseUnreached(module, code);
  setAtomicScopes(module, result.annotations);
  retarget(module);
  return result;
}

} // namespace tessera
