// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/llvm/call-graph.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tessera {

image::SourceLocation locationOf(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc();
  if (!location)
    return {};
  return {location->getFilename().str(), location->getLine(),
          location->getColumn()};
}

ReachedCode::ReachedCode(Module &module, ArrayRef<KernelDescription> kernels) {
  for (const KernelDescription &kernel : kernels) {
    Function *entry = module.getFunction(kernel.row.symbol);
    functionSites.insert({entry, nullptr});
    kernelNames[entry] = kernel.row.name;
  }
  for (unsigned next = 0; next < functionSites.size(); ++next) {
    Function *function = functionSites.begin()[next].first;
    for (Instruction &instruction : instructions(*function))
      for (const Use &operand : instruction.operands())
        reach(operand.get(), &instruction);
  }
}

void ReachedCode::reach(const Value *value, const Instruction *site) {
  if (isa<Instruction, Argument, BasicBlock, MetadataAsValue, InlineAsm>(value))
    return;
  if (auto *function = dyn_cast<Function>(value)) {
    functionSites.insert({const_cast<Function *>(function), site});
    return;
  }
  if (auto *variable = dyn_cast<GlobalVariable>(value)) {
    if (!variableSites.insert({const_cast<GlobalVariable *>(variable), site})
             .second)
      return;
    if (variable->hasInitializer())
      reach(variable->getInitializer(), site);
    return;
  }
  if (auto *alias = dyn_cast<GlobalAlias>(value)) {
    reach(alias->getAliasee(), site);
    return;
  }
  if (auto *user = dyn_cast<User>(value))
    for (const Use &operand : user->operands())
      reach(operand.get(), site);
}

Diagnostic ReachedCode::describe(const Instruction *at, std::string message,
                                 const FrontendCallbacks &callbacks) const {
  struct Frame {
    image::SourceLocation location;
    const Function *function;
  };
  SmallVector<Frame> frames;
  for (const Instruction *site = at; site;) {
    const Function *function = site->getFunction();
    frames.push_back({locationOf(*site), function});
    auto next = functionSites.find(const_cast<Function *>(function));
    site = next == functionSites.end() ? nullptr : next->second;
  }

  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  // The entry function itself is not the user's: the frame below it is.
  auto nameOf = [&](const Function *function) {
    auto kernel = kernelNames.find(function);
    if (kernel != kernelNames.end())
      return "kernel '" + kernel->second + "'";
    StringRef name = function->getName();
    name.consume_front(kernelBodyPrefix);
    return "'" + demangle(name) + "'";
  };
  unsigned primary = 0;
  while (primary + 1 < frames.size() &&
         (frames[primary].location.line == 0 ||
          callbacks.isLibraryCode(frames[primary].location)))
    ++primary;
  diagnostic.location =
      frames.empty() ? image::SourceLocation() : frames[primary].location;
  for (unsigned i = 0; i < frames.size(); ++i) {
    bool isEntry = kernelNames.count(frames[i].function);
    std::string note = (isEntry  ? "reached from "
                        : i == 0 ? "in "
                                 : "called from ") +
                       nameOf(frames[i].function);
    diagnostic.notes.push_back({frames[i].location, std::move(note)});
  }
  return diagnostic;
}

} // namespace tessera
