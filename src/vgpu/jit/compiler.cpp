// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/compiler.h"
#include "vgpu/jit/analysis.h"
#include "vgpu/jit/translator.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::jit;

namespace {

constexpr llvm::StringLiteral entryName = "tessera_native";

/// Keeps the code of one object; frees it with the last user.
class LinkedObject {
public:
  LinkedObject(llvm::orc::LLJIT &jit, llvm::orc::JITDylib &library)
      : jit(jit), library(library) {}
  LinkedObject(const LinkedObject &) = delete;
  LinkedObject &operator=(const LinkedObject &) = delete;
  ~LinkedObject() {
    llvm::consumeError(jit.getExecutionSession().removeJITDylib(library));
  }

private:
  llvm::orc::LLJIT &jit;
  llvm::orc::JITDylib &library;
};

/// Keeps LLVM's errors; without a handler they end the process.
class Diagnostics : public llvm::DiagnosticHandler {
public:
  explicit Diagnostics(std::string &errors) : errors(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    llvm::raw_string_ostream stream(errors);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

private:
  std::string &errors;
};

HostFeatures findFeatures() {
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return {.hasHalfConversion = features.lookup("f16c"),
          .hasScatter = features.lookup("avx512f")};
}

} // namespace

Compiler::Compiler(std::unique_ptr<llvm::orc::LLJIT> jit,
                   std::unique_ptr<llvm::TargetMachine> machine,
                   HostFeatures host)
    : jit(std::move(jit)), machine(std::move(machine)), host(host) {}

llvm::Expected<std::unique_ptr<Compiler>> Compiler::create() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .setNumCompileThreads(0)
                 .create();
  if (!jit)
    return jit.takeError();
  return std::unique_ptr<Compiler>(
      new Compiler(std::move(*jit), std::move(*machine), findFeatures()));
}

void Compiler::optimise(llvm::Module &module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes(machine.get());
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graphs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graphs, modules);

  llvm::FunctionPassManager pipeline;
  pipeline.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  pipeline.addPass(llvm::EarlyCSEPass(true));
  pipeline.addPass(llvm::SimplifyCFGPass());
  pipeline.addPass(llvm::InstCombinePass());
  pipeline.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), true));
  pipeline.addPass(llvm::EarlyCSEPass(true));
  pipeline.addPass(llvm::DCEPass());
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      pipeline.run(function, functions);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
Compiler::emit(llvm::Module &module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("no object files for this processor");
  passes.run(module);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), "tessera-native", false);
}

llvm::Error Compiler::link(std::unique_ptr<llvm::MemoryBuffer> object,
                           NativeVersion &version) {
  auto &session = jit->getExecutionSession();
  auto &library =
      session.createBareJITDylib("native" + std::to_string(linked++));
  auto owner = std::make_shared<LinkedObject>(*jit, library);
  // The C library, for what the processor has no instruction for.
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  if (llvm::Error error = jit->addObjectFile(library, std::move(object)))
    return error;
  auto address = jit->lookup(library, entryName);
  if (!address)
    return address.takeError();
  version.run = address->toPtr<NativeEntry>();
  version.owner = std::move(owner);
  return llvm::Error::success();
}

llvm::Expected<NativeVersion> Compiler::compile(const NativeRequest &request) {
  const std::lock_guard lock(mutex);
  Analysis analysis(request, host);
  if (const auto problem = analysis.run())
    return llvm::createStringError(*problem);
  std::string errors;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Diagnostics>(errors));
  llvm::Module module(request.function->name, context);
  module.setDataLayout(jit->getDataLayout());
  module.setTargetTriple(machine->getTargetTriple());
  Translator translator(analysis, host, module);
  llvm::Function *function = translator.run(entryName);
  if (!function)
    return llvm::createStringError("the analysis and the code disagree");
  function->addFnAttr("target-cpu", machine->getTargetCPU());
  function->addFnAttr("target-features", machine->getTargetFeatureString());
  function->addFnAttr("min-legal-vector-width", "512");
  function->addFnAttr("prefer-vector-width", "512");
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(module, &stream))
    return llvm::createStringError("made wrong code: " + message);

  optimise(module);
  auto object = emit(module);
  if (!object)
    return object.takeError();
  if (!errors.empty())
    return llvm::createStringError(errors);
  NativeVersion version{.entries = translator.takeEntries()};
  if (llvm::Error error = link(std::move(*object), version))
    return error;
  return version;
}
