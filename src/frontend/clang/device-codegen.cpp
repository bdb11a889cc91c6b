// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/device-codegen.h"
#include "frontend/clang/kernel-entry.h"
#include "frontend/clang/reached-decls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tessera::frontend {
namespace {

/// Language options of the device: what it cannot do is switched off for the
/// second CodeGen and restored for the host's.
class DeviceLanguage {
public:
  explicit DeviceLanguage(const ASTContext &context)
      : options(const_cast<LangOptions &>(context.getLangOpts())),
        saved(options) {
    options.Exceptions = options.CXXExceptions = false;
    options.RTTI = false;
    options.ThreadsafeStatics = false;
    // Barriers and shuffles must not move across control flow, and whoever
    // calls them must not either.
    options.ConvergentFunctions = true;
    // Library functions are declared, not turned into intrinsics that the
    // device cannot select.
    options.MathErrno = true;
    options.Sanitize.clear();
    options.setStackProtector(LangOptions::SSPOff);
    options.setTrivialAutoVarInit(
        LangOptions::TrivialAutoVarInitKind::Uninitialized);
  }
  ~DeviceLanguage() { options = saved; }

private:
  LangOptions &options;
  LangOptions saved;
};

CodeGenOptions deviceCodeGenOptions(const CodeGenOptions &host) {
  CodeGenOptions options;
  options.OptimizationLevel = 2; // lifetime markers, no `optnone`
  options.setInlining(CodeGenOptions::NormalInlining);
  options.DisableO0ImplyOptNone = true;
  // Type-based aliasing would cover every load and store of the printed IRs
  // with tags; spans and parameters say more about aliasing here.
  options.RelaxedAliasing = true;
  options.setDebugInfo(llvm::codegenoptions::DebugDirectivesOnly);
  options.DebugColumnInfo = true;
  options.DwarfVersion = 4;
  options.MainFileName = host.MainFileName;
  // clang splits a file's name where it parts from the compilation's folder,
  // and locations keep the second half alone. Nothing parts from ".", and what
  // PTX names stays relative where the user's name was.
  options.DebugCompilationDir = ".";
  options.DebugPrefixMap = host.DebugPrefixMap;
  return options;
}

class DeviceEmitter {
public:
  DeviceEmitter(CompilerInstance &compiler, const RecordedDecls &decls,
                std::vector<KernelDecl> &kernels)
      : compiler(compiler), context(compiler.getASTContext()), decls(decls),
        kernels(kernels) {}

  DeviceModule run();

private:
  CompilerInstance &compiler;
  ASTContext &context;
  const RecordedDecls &decls;
  std::vector<KernelDecl> &kernels;
  DeclSet reached;
  llvm::SmallVector<const Decl *> heldBack;

  DeviceModule emit();
  void replay(CodeGenerator &generator);
  void replayDecl(CodeGenerator &generator, Decl *decl);
  bool shouldEmit(const Decl *decl);
  bool addMissing(CodeGenerator &generator, const llvm::StringSet<> &undefined);
};

bool DeviceEmitter::shouldEmit(const Decl *decl) {
  const Decl *key = decl;
  if (const auto *function = dyn_cast<FunctionDecl>(decl)) {
    if (!function->isThisDeclarationADefinition())
      return true;
  } else if (const auto *variable = dyn_cast<VarDecl>(decl)) {
    if (variable->isThisDeclarationADefinition() == VarDecl::DeclarationOnly)
      return true;
    if (const VarDecl *definition = variable->getDefinition())
      key = definition;
  } else {
    return isa<CXXRecordDecl>(decl);
  }
  if (!context.DeclMustBeEmitted(decl) || reached.contains(key))
    return true;
  heldBack.push_back(decl);
  return false;
}

void DeviceEmitter::replayDecl(CodeGenerator &generator, Decl *decl) {
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(decl)) {
    for (Decl *inner : cast<DeclContext>(decl)->decls())
      replayDecl(generator, inner);
    return;
  }
  if (!decl->isInvalidDecl() && shouldEmit(decl))
    generator.HandleTopLevelDecl(DeclGroupRef(decl));
}

void DeviceEmitter::replay(CodeGenerator &generator) {
  for (DeclGroupRef group : decls.topLevel)
    for (Decl *decl : group)
      replayDecl(generator, decl);
  for (FunctionDecl *member : decls.inlineMembers)
    generator.HandleInlineFunctionDefinition(member);
  for (VarDecl *member : decls.staticMembers)
    if (shouldEmit(member))
      generator.HandleCXXStaticMemberVarInstantiation(member);
  for (CXXRecordDecl *record : decls.vtables)
    if (llvm::any_of(record->ctors(),
                     [&](const CXXConstructorDecl *constructor) {
                       return reached.contains(constructor);
                     }))
      generator.HandleVTable(record);
}

bool DeviceEmitter::addMissing(CodeGenerator &generator,
                               const llvm::StringSet<> &undefined) {
  bool added = false;
  auto isUndefined = [&](GlobalDecl decl) {
    return undefined.contains(generator.GetMangledName(decl));
  };
  for (const Decl *decl : heldBack) {
    bool wanted = false;
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(decl))
      wanted = isUndefined({constructor, Ctor_Complete}) ||
               isUndefined({constructor, Ctor_Base});
    else if (const auto *destructor = dyn_cast<CXXDestructorDecl>(decl))
      wanted = isUndefined({destructor, Dtor_Complete}) ||
               isUndefined({destructor, Dtor_Base});
    else if (const auto *function = dyn_cast<FunctionDecl>(decl))
      wanted = isUndefined(GlobalDecl(function));
    else
      wanted = isUndefined(GlobalDecl(cast<VarDecl>(decl)));
    if (wanted)
      added |= reached.insert(decl);
  }
  return added;
}

llvm::StringSet<> undefinedSymbols(const llvm::Module &module) {
  llvm::StringSet<> names;
  for (const llvm::GlobalValue &value : module.global_values())
    if (value.isDeclaration() && !value.getName().starts_with("llvm."))
      names.insert(value.getName());
  return names;
}

DeviceModule DeviceEmitter::run() {
  DeviceLanguage language(context);
  std::vector<FunctionDecl *> functions;
  for (const KernelDecl &kernel : kernels)
    functions.push_back(kernel.function);
  std::optional<DeclSet> found =
      collectReachedDecls(functions, compiler.getDiagnostics());
  if (!found)
    return {};
  reached = std::move(*found);
  return emit();
}

DeviceModule DeviceEmitter::emit() {
  CodeGenOptions options = deviceCodeGenOptions(compiler.getCodeGenOpts());
  // Every round adds at least one definition that was held back.
  while (true) {
    DeviceModule result{std::make_unique<llvm::LLVMContext>(), nullptr, {}};
    heldBack.clear();
    std::unique_ptr<CodeGenerator> generator = CreateLLVMCodeGen(
        compiler.getDiagnostics(), "device", compiler.getVirtualFileSystemPtr(),
        compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(), options,
        *result.context);
    generator->Initialize(context);
    replay(*generator);
    for (const KernelDecl &kernel : kernels)
      generator->GetAddrOfGlobal(GlobalDecl(kernel.function),
                                 /*isForDefinition=*/true);
    generator->HandleTranslationUnit(context);
    if (compiler.getDiagnostics().hasErrorOccurred() || !generator->GetModule())
      return {};
    if (addMissing(*generator, undefinedSymbols(*generator->GetModule())))
      continue;
    addKernelEntries(*generator, kernels);
    result.module = generator->ReleaseModule();
    result.reached.assign(reached.begin(), reached.end());
    return result;
  }
}

} // namespace

DeviceModule emitDeviceModule(CompilerInstance &compiler,
                              const RecordedDecls &decls,
                              std::vector<KernelDecl> &kernels) {
  return DeviceEmitter(compiler, decls, kernels).run();
}

} // namespace tessera::frontend
