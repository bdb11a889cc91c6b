// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/device-consumer.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/attributes.h"
#include "frontend/clang/diagnostics.h"
#include "frontend/clang/host-module.h"
#include "frontend/clang/kernel-signature.h"
#include "frontend/clang/safe-profile.h"
#include "frontend/clang/trap-expressions.h"
#include "pipeline/pipeline.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace tessera::frontend {

bool DeviceConsumer::HandleTopLevelDecl(DeclGroupRef group) {
  decls.topLevel.push_back(group);
  return true;
}

void DeviceConsumer::HandleInlineFunctionDefinition(FunctionDecl *function) {
  decls.inlineMembers.push_back(function);
}

void DeviceConsumer::HandleCXXStaticMemberVarInstantiation(VarDecl *variable) {
  decls.staticMembers.push_back(variable);
}

void DeviceConsumer::HandleVTable(CXXRecordDecl *record) {
  decls.vtables.push_back(record);
}

/// Every function that is to be compiled as a kernel: those that carry the
/// attribute, and the instantiations of the templates that do. Their order is
/// that of the source, so that images are reproducible.
std::vector<FunctionDecl *> DeviceConsumer::collectKernels() const {
  llvm::SetVector<FunctionDecl *, std::vector<FunctionDecl *>> kernels;
  auto add = [&](FunctionDecl *function) {
    FunctionDecl *definition = function->getDefinition();
    if (definition && !definition->isDependentContext() &&
        !definition->isInvalidDecl() && isKernel(definition))
      kernels.insert(definition);
  };
  for (FunctionDecl *function : takeMarkedKernels())
    add(function);
  for (DeclGroupRef group : decls.topLevel)
    for (Decl *decl : group)
      if (auto *function = dyn_cast<FunctionDecl>(decl))
        add(function);
  return kernels.takeVector();
}

void DeviceConsumer::HandleTranslationUnit(ASTContext &context) {
  std::vector<FunctionDecl *> functions = collectKernels();
  if (functions.empty() || compiler.getDiagnostics().hasErrorOccurred())
    return;
  compile(functions);
}

void DeviceConsumer::compile(const std::vector<FunctionDecl *> &functions) {
  DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  ClangDiagnostics bridge(compiler);
  FrontendCallbacks callbacks = bridge.callbacks();
  auto log = std::make_shared<PhaseLog>(options.verbose);
  auto finishLog = [log, &diagnostics, file = options.timingsFile,
                    count = functions.size()] {
    if (file.empty())
      return;
    if (llvm::Error error = log->writeTimings(file, count))
      reportError(diagnostics, llvm::toString(std::move(error)));
  };

  auto discover = log->begin(Phase::discover);
  std::vector<KernelDecl> kernels;
  for (auto [number, function] : llvm::enumerate(functions))
    function->addAttr(AnnotateAttr::CreateImplicit(
        function->getASTContext(),
        (kernelNumberAnnotation + llvm::Twine(number)).str(), nullptr, 0));
  for (FunctionDecl *function : functions)
    if (auto description = describeKernel(*function, diagnostics))
      kernels.push_back({function, std::move(*description), {}});
  if (kernels.size() != functions.size())
    return;
  DeviceModule device = emitDeviceModule(compiler, decls, kernels);
  if (!device.module)
    return;
  if (options.safeProfile && !checkSafeProfile(compiler, device.reached))
    return;
  std::vector<KernelDescription> descriptions;
  HostPlan plan;
  for (KernelDecl &kernel : kernels) {
    plan.kernels.push_back({kernel.hostName, kernel.description.row.symbol});
    descriptions.push_back(std::move(kernel.description));
  }
  auto prepared = prepareDeviceModule(*device.module, descriptions, callbacks);
  if (!prepared)
    return;
  discover.finish(countOf(descriptions.size(), "kernel") + ", " +
                  countOf(prepared->functionCount, "device function"));
  if (options.stopAfter == Phase::discover)
    return finishLog();

  const SourceManager &sources = compiler.getSourceManager();
  std::string sourceFile;
  if (auto file = sources.getFileEntryRefForID(sources.getMainFileID()))
    sourceFile = file->getName().str();
  PipelineResult result =
      runPipeline({std::move(device.module), std::move(*prepared),
                   std::move(descriptions), std::move(sourceFile)},
                  options, *log, callbacks);
  if (result.status == PipelineStatus::stopped)
    return finishLog();
  if (result.status == PipelineStatus::failed) {
    // A failure that nobody reported would let a program without kernels pass.
    if (!diagnostics.hasErrorOccurred())
      reportError(diagnostics, "the device's code could not be compiled");
    return;
  }
  auto embed = std::make_shared<PhaseLog::Running>(log->begin(Phase::embed));
  addTrapExpressions(result.image, bridge);
  plan.image = image::write(result.image);
  plan.done = [log, embed, finishLog](std::string detail) {
    embed->finish(std::move(detail));
    finishLog();
  };
  setHostPlan(std::move(plan));
}

} // namespace tessera::frontend
