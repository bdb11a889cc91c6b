// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "target/ptx/codegen.h"
#include "target/ptx/device-libraries.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

using namespace llvm;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace tessera::target {
namespace {

/// An architecture with the least PTX version that names it.
struct ArchRow {
  image::Arch arch;
  unsigned ptxVersion;
};

constexpr unsigned archCount = 7;
const ArchRow archRows[archCount] = {
    {{75, '\0'}, 63}, {{80, '\0'}, 70}, {{86, '\0'}, 71}, {{87, '\0'}, 74},
    {{89, '\0'}, 78}, {{90, '\0'}, 78}, {{90, 'a'}, 80},
};

unsigned leastVersionFor(image::Arch arch) {
  for (const ArchRow &row : archRows)
    if (row.arch == arch)
      return row.ptxVersion;
  return 0;
}

Expected<std::unique_ptr<TargetMachine>> createTarget(const Triple &triple,
                                                      const PtxOptions &options,
                                                      unsigned ptxVersion) {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialised;
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError("LLVM has no NVPTX back end: " + message);
  TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion =
      options.strictFp ? FPOpFusion::Strict : FPOpFusion::Fast;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, options.arch.str(), "+ptx" + std::to_string(ptxVersion),
      targetOptions, Reloc::PIC_, std::nullopt, CodeGenOptLevel::Aggressive));
  if (!machine)
    return createStringError("LLVM's NVPTX back end refuses " +
                             options.arch.str());
  return machine;
}

void optimise(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  // The builder has the target machine: passes ask it whether branches may
  // diverge.
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
      .run(module, modules);
}

/// Collects the variables in shared memory that `kernel` reaches.
SharedUse measureShared(Function &kernel) {
  SmallSetVector<Value *, 32> values;
  values.insert(&kernel);
  SharedUse use;
  for (unsigned i = 0; i < values.size(); ++i) {
    if (auto *variable = dyn_cast<GlobalVariable>(values[i])) {
      if (variable->getAddressSpace() != 3)
        continue;
      const DataLayout &layout = kernel.getParent()->getDataLayout();
      if (variable->isDeclaration()) {
        use.dynamic = true;
        continue;
      }
      Align alignment = layout.getPreferredAlign(variable);
      use.staticBytes =
          alignTo(use.staticBytes, alignment) +
          layout.getTypeAllocSize(variable->getValueType()).getFixedValue();
      continue;
    }
    auto addOperands = [&](User &user) {
      for (Use &operand : user.operands())
        if (isa<Constant>(operand.get()))
          values.insert(operand.get());
    };
    if (auto *function = dyn_cast<Function>(values[i])) {
      for (Instruction &instruction : instructions(*function))
        addOperands(instruction);
    } else if (auto *constant = dyn_cast<Constant>(values[i])) {
      addOperands(*constant);
    }
  }
  return use;
}

} // namespace

ArrayRef<image::Arch> supportedArchs() {
  static const auto archs = [] {
    std::array<image::Arch, archCount> list;
    for (auto [row, arch] : llvm::zip(archRows, list))
      arch = row.arch;
    return list;
  }();
  return archs;
}

std::optional<image::Arch> parseArch(StringRef text) {
  for (image::Arch arch : supportedArchs())
    if (text == arch.str())
      return arch;
  return std::nullopt;
}

Expected<PtxResult> generatePtx(Module &module, const PtxOptions &options) {
  PtxResult result;
  result.ptxVersion =
      std::max(options.leastPtxVersion, leastVersionFor(options.arch));
  Triple triple("nvptx64-nvidia-cuda");
  auto machine = createTarget(triple, options, result.ptxVersion);
  if (!machine)
    return machine.takeError();
  module.setTargetTriple(triple);
  module.setDataLayout((*machine)->createDataLayout());
  if (Error error = linkDeviceLibraries(module, options.mathLibrary))
    return error;

  std::string fault;
  raw_string_ostream stream(fault);
  if (verifyModule(module, &stream))
    return createStringError("the LLVM IR of the device is invalid: " + fault);
  optimise(module, **machine);
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel)
      result.shared[function.getName()] = measureShared(function);

  SmallString<0> text;
  raw_svector_ostream out(text);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, out, nullptr,
                                      CodeGenFileType::AssemblyFile))
    return createStringError("LLVM's NVPTX back end cannot print PTX");
  passes.run(module);
  result.ptx = text.str().str();
  return result;
}

} // namespace tessera::target
