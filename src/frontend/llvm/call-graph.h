// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels reach, and how: for each function the first place, breadth
// first from the kernels, that refers to it.

#ifndef TESSERA_FRONTEND_LLVM_CALL_GRAPH_H
#define TESSERA_FRONTEND_LLVM_CALL_GRAPH_H

#include "frontend/llvm/device-module.h"
#include "llvm/ADT/MapVector.h"

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
class Value;
} // namespace llvm

namespace tessera {

/// The place of an instruction in its innermost source function.
image::SourceLocation locationOf(const llvm::Instruction &instruction);

class ReachedCode {
public:
  /// Walks from the kernels through calls, other references to functions, and
  /// initialisers of variables.
  ReachedCode(llvm::Module &module, llvm::ArrayRef<KernelDescription> kernels);

  /// The reached functions in breadth-first order, each with the instruction
  /// that reached it (null for the kernels).
  const llvm::MapVector<llvm::Function *, const llvm::Instruction *> &
  functions() const {
    return functionSites;
  }
  const llvm::MapVector<llvm::GlobalVariable *, const llvm::Instruction *> &
  variables() const {
    return variableSites;
  }

  /// An error about `at`, reported at the innermost place that is the user's,
  /// with the way from the kernel as notes.
  Diagnostic describe(const llvm::Instruction *at, std::string message,
                      const FrontendCallbacks &callbacks) const;

private:
  llvm::MapVector<llvm::Function *, const llvm::Instruction *> functionSites;
  llvm::MapVector<llvm::GlobalVariable *, const llvm::Instruction *>
      variableSites;
  llvm::DenseMap<const llvm::Function *, std::string> kernelNames;

  void reach(const llvm::Value *value, const llvm::Instruction *site);
};

} // namespace tessera

#endif // TESSERA_FRONTEND_LLVM_CALL_GRAPH_H
