// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/pipeline.h"
#include "conversion/register.h"
#include "dialect/mir/location.h"
#include "dialect/mir/mir.h"
#include "dialect/register.h"
#include "frontend/llvm/import.h"
#include "guard/guard.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "pipeline/output.h"
#include "target/ptx/codegen.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace tessera {
namespace {

// `tessera-opt --pass-pipeline=…` takes the same text.
constexpr llvm::StringLiteral optimisePipeline =
    "builtin.module("
    "any(mir-sroa,mem2reg,canonicalize,cse),"
    "inline{default-pipeline=canonicalize max-iterations=8},symbol-dce,"
    "any(mir-sroa,mem2reg,canonicalize,sccp,cse,mir-eliminate-bounds-checks,"
    "canonicalize,cse))";
constexpr llvm::StringLiteral lowerPipeline =
    "builtin.module(convert-mir-to-llvm,nvvm-legalize-atomics,canonicalize,"
    "symbol-dce)";

/// Turns MLIR's diagnostics into ours.
class DiagnosticBridge {
public:
  DiagnosticBridge(MLIRContext &context, const FrontendCallbacks &callbacks)
      : handler(&context, [&callbacks](mlir::Diagnostic &diagnostic) {
          callbacks.report(convert(diagnostic));
          return success();
        }) {}

private:
  ScopedDiagnosticHandler handler;

  static image::SourceLocation convert(Location location) {
    mir::UserPlace place = mir::getUserPlace(location);
    return {place.file.str(), place.line, place.column};
  }
  static tessera::Diagnostic convert(mlir::Diagnostic &from) {
    tessera::Diagnostic to;
    to.severity =
        from.getSeverity() == DiagnosticSeverity::Error     ? Severity::error
        : from.getSeverity() == DiagnosticSeverity::Warning ? Severity::warning
                                                            : Severity::remark;
    to.location = convert(from.getLocation());
    to.message = from.str();
    for (mlir::Diagnostic &note : from.getNotes())
      to.notes.push_back({convert(note.getLocation()), note.str()});
    return to;
  }
};

class Pipeline {
public:
  Pipeline(DeviceCode code, const Options &options, PhaseLog &log,
           const FrontendCallbacks &callbacks)
      : code(std::move(code)), options(options), log(log),
        callbacks(callbacks) {}

  PipelineResult run();

private:
  DeviceCode code;
  const Options &options;
  PhaseLog &log;
  const FrontendCallbacks &callbacks;
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> device;
  image::Image image;

  void createContext();
  bool import();
  bool verify();
  bool optimise();
  bool lower();
  bool exportIr();
  bool codegen();
  bool checkPtx();

  bool runPasses(llvm::StringRef text);
  unsigned countOps() const;
  bool emit(Emission emission,
            llvm::function_ref<void(llvm::raw_ostream &)> print);
  bool emitModule(Emission emission);
  void markLinearLaunches();
  bool readTrapSites();
  std::vector<image::Arch> chooseArchs();
  bool generateVariant(image::Arch arch);
  bool fail(const llvm::Twine &message, image::SourceLocation location = {}) {
    callbacks.report({Severity::error, std::move(location), message.str(), {}});
    return false;
  }
};

void Pipeline::createContext() {
  static const bool registered = (registerAllPasses(), true);
  (void)registered;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerImport(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  // One thread: the modules are small, and starting a pool costs more.
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->printOpOnDiagnostic(false);
}

unsigned Pipeline::countOps() const {
  unsigned count = 0;
  (*module)->walk([&](Operation *) { ++count; });
  return count;
}

bool Pipeline::emit(Emission emission,
                    llvm::function_ref<void(llvm::raw_ostream &)> print) {
  for (const auto &[wanted, file] : options.emissions) {
    if (wanted != emission)
      continue;
    std::string text;
    llvm::raw_string_ostream stream(text);
    print(stream);
    if (llvm::Error error = writeFile(file, text))
      return fail(llvm::toString(std::move(error)));
  }
  return true;
}

bool Pipeline::emitModule(Emission emission) {
  return emit(emission, [&](llvm::raw_ostream &stream) {
    (*module)->print(stream);
    stream << '\n';
  });
}

bool Pipeline::runPasses(llvm::StringRef text) {
  FailureOr<OpPassManager> passes = parsePassPipeline(text);
  if (failed(passes))
    return fail("the pass pipeline is broken: " + text);
  PassManager manager(context.get());
  static_cast<OpPassManager &>(manager) = std::move(*passes);
  manager.enableVerifier(true);
  return succeeded(manager.run(*module));
}

bool Pipeline::import() {
  auto phase = log.begin(Phase::import);
  auto imported = importDeviceModule(std::move(code.module), *context,
                                     code.kernels, code.prepared.annotations);
  if (failed(imported))
    return false;
  module = std::move(*imported);
  phase.finish(countOf(countOps(), "op"));
  return emitModule(Emission::mir);
}

bool Pipeline::verify() {
  auto phase = log.begin(Phase::verify);
  if (failed(mlir::verify(*module)))
    return false;
  phase.finish("every op's rules hold");
  return true;
}

bool Pipeline::optimise() {
  auto phase = log.begin(Phase::optimise);
  unsigned before = countOps();
  if (!runPasses(optimisePipeline))
    return false;
  markLinearLaunches();
  phase.finish(llvm::formatv("{0} → {1} ops", before, countOps()));
  return emitModule(Emission::mirOpt);
}

/// Marks the kernels that write where their index along x says, in their own
/// code or in a function that was not inlined.
void Pipeline::markLinearLaunches() {
  bool inFunctions = false;
  for (auto function : (*module)->getRegion(0).getOps<LLVM::LLVMFuncOp>())
    function.walk([&](mir::DisjointAddrOp) { inFunctions = true; });
  for (KernelDescription &kernel : code.kernels) {
    auto op = module->lookupSymbol<mir::KernelOp>(kernel.row.symbol);
    kernel.row.linearLaunch = inFunctions;
    if (op)
      op.walk([&](mir::DisjointAddrOp) { kernel.row.linearLaunch = true; });
  }
}

bool Pipeline::readTrapSites() {
  auto sites = (*module)->getAttrOfType<ArrayAttr>("mir.trap_sites");
  if (!sites)
    return true;
  for (auto site : sites.getAsRange<DictionaryAttr>()) {
    auto text = [&](llvm::StringRef key) {
      auto attribute = site.getAs<StringAttr>(key);
      return attribute ? attribute.str() : std::string();
    };
    auto number = [&](llvm::StringRef key) {
      auto attribute = site.getAs<IntegerAttr>(key);
      return attribute ? std::uint32_t(attribute.getInt()) : 0u;
    };
    image.trapSites.push_back({number("id"),
                               image::TrapKind(number("kind")),
                               {text("file"), number("line"), number("column")},
                               text("expression"),
                               text("function")});
  }
  return true;
}

bool Pipeline::lower() {
  auto phase = log.begin(Phase::lower);
  if (!runPasses(lowerPipeline) || !readTrapSites())
    return false;
  phase.finish(countOf(countOps(), "op") + ", " +
               countOf(image.trapSites.size(), "trap site"));
  return emitModule(Emission::llvmDialect);
}

bool Pipeline::exportIr() {
  auto phase = log.begin(Phase::exportIr);
  device = translateModuleToLLVMIR(*module, llvmContext, "device");
  if (!device)
    return fail("the device's code could not be exported to LLVM IR");
  unsigned instructions = device->getInstructionCount();
  phase.finish(countOf(device->size(), "function") + ", " +
               countOf(instructions, "instruction"));
  return emit(Emission::ll, [&](llvm::raw_ostream &stream) {
    device->print(stream, nullptr);
  });
}

/// The architectures to compile for; reports those that the code rules out.
std::vector<image::Arch> Pipeline::chooseArchs() {
  const DeviceRequirements &needs = code.prepared.requirements;
  if (options.archs.empty()) {
    for (image::Arch arch : target::supportedArchs())
      if (arch.sm >= needs.arch.sm &&
          (!needs.arch.feature || arch == needs.arch))
        return {arch};
    fail("no architecture that this compiler knows has " + needs.reason);
    return {};
  }
  for (image::Arch arch : options.archs)
    if (arch.sm < needs.arch.sm) {
      fail(needs.reason + " needs " + needs.arch.str() +
           ", but the code is compiled for " + arch.str());
      return {};
    }
  return options.archs;
}

bool Pipeline::generateVariant(image::Arch arch) {
  target::PtxOptions ptxOptions;
  ptxOptions.arch = arch;
  ptxOptions.leastPtxVersion = std::max(ptxOptions.leastPtxVersion,
                                        code.prepared.requirements.ptxVersion);
  for (const image::Kernel &kernel : image.kernels)
    if (kernel.paramBytes > 4352)
      ptxOptions.leastPtxVersion = std::max(ptxOptions.leastPtxVersion, 81u);
  ptxOptions.strictFp = options.strictFp;
  ptxOptions.mathLibrary = options.mathLibrary;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*device);
  auto result = target::generatePtx(*copy, ptxOptions);
  if (!result)
    return fail(llvm::toString(result.takeError()));
  for (image::Kernel &kernel : image.kernels) {
    target::SharedUse use = result->shared.lookup(kernel.symbol);
    kernel.staticShared = std::max(kernel.staticShared, use.staticBytes);
    kernel.usesDynamicShared |= use.dynamic;
    if (kernel.staticShared > guard::maxStaticShared)
      return fail(llvm::formatv("kernel '{0}' declares {1} bytes of shared "
                                "memory; a block has {2}, and more only as "
                                "dynamic shared memory",
                                kernel.name, kernel.staticShared,
                                guard::maxStaticShared)
                      .str(),
                  kernel.location);
  }
  image.variants.push_back({arch, result->ptxVersion, std::move(result->ptx)});
  return true;
}

bool Pipeline::codegen() {
  auto phase = log.begin(Phase::codegen);
  image.producer = "tessera " TESSERA_VERSION;
  image.source = code.sourceFile;
  for (KernelDescription &kernel : code.kernels)
    image.kernels.push_back(std::move(kernel.row));
  std::vector<image::Arch> archs = chooseArchs();
  if (archs.empty())
    return false;
  std::string detail;
  size_t bytes = 0;
  for (image::Arch arch : archs) {
    if (!generateVariant(arch))
      return false;
    detail += (detail.empty() ? "" : ", ") + arch.str();
    bytes += image.variants.back().ptx.size();
  }
  phase.finish(llvm::formatv("{0}, {1} bytes of PTX", detail, bytes));
  if (!options.ptxFile.empty())
    if (llvm::Error error =
            writeFile(options.ptxFile, image.variants.front().ptx))
      return fail(llvm::toString(std::move(error)));
  return emit(Emission::ptx, [&](llvm::raw_ostream &stream) {
    for (const image::Variant &variant : image.variants)
      stream << variant.ptx;
  });
}

bool Pipeline::checkPtx() {
  auto phase = log.begin(Phase::guard);
  if (options.safety == Safety::off) {
    phase.finish("off");
    return true;
  }
  bool failed = false;
  unsigned findings = 0, instructions = 0, kernels = 0;
  for (const image::Variant &variant : image.variants) {
    guard::Report report = guard::check(image, variant);
    kernels += report.kernels;
    instructions += report.instructions;
    findings += report.findings.size();
    for (const guard::Finding &finding : report.findings) {
      tessera::Diagnostic diagnostic;
      // A launcher that trusts a wrong table would pass wrong arguments.
      bool isFatal = options.safety == Safety::error ||
                     finding.check == guard::Check::kernelTable;
      failed |= isFatal;
      diagnostic.severity = isFatal ? Severity::error : Severity::warning;
      diagnostic.location = finding.location;
      diagnostic.message =
          llvm::formatv("{0} [guard: {1}, {2}]", finding.message,
                        guard::checkName(finding.check), variant.arch.str());
      if (finding.line)
        diagnostic.notes.push_back(
            {finding.location,
             llvm::formatv("at line {0}, column {1} of the PTX", finding.line,
                           finding.column)});
      callbacks.report(diagnostic);
    }
  }
  phase.finish(countOf(kernels, "kernel") + ", " +
               countOf(instructions, "instruction") + ", " +
               countOf(findings, "finding"));
  return !failed;
}

PipelineResult Pipeline::run() {
  createContext();
  DiagnosticBridge bridge(*context, callbacks);
  struct Step {
    Phase phase;
    bool (Pipeline::*run)();
  };
  static constexpr Step steps[] = {
      {Phase::import, &Pipeline::import},
      {Phase::verify, &Pipeline::verify},
      {Phase::optimise, &Pipeline::optimise},
      {Phase::lower, &Pipeline::lower},
      {Phase::exportIr, &Pipeline::exportIr},
      {Phase::codegen, &Pipeline::codegen},
      {Phase::guard, &Pipeline::checkPtx},
  };
  for (const Step &step : steps) {
    if (!(this->*step.run)())
      return {PipelineStatus::failed, {}};
    if (options.stopAfter && *options.stopAfter == step.phase)
      return {PipelineStatus::stopped, {}};
  }
  return {PipelineStatus::finished, std::move(image)};
}

} // namespace

PipelineResult runPipeline(DeviceCode code, const Options &options,
                           PhaseLog &log, const FrontendCallbacks &callbacks) {
  return Pipeline(std::move(code), options, log, callbacks).run();
}

} // namespace tessera
