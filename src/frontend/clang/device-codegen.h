// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs clang's own CodeGen a second time over the tree that the host is
// compiled from, so that every construct means on the device what clang says
// it means. The result is unoptimised LLVM IR with one entry function for each
// kernel.

#ifndef TESSERA_FRONTEND_CLANG_DEVICE_CODEGEN_H
#define TESSERA_FRONTEND_CLANG_DEVICE_CODEGEN_H

#include "frontend/llvm/kernel-description.h"
#include "clang/AST/DeclGroup.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <vector>

namespace clang {
class CompilerInstance;
class CXXRecordDecl;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace tessera::frontend {

/// What the parser hands to an AST consumer, kept for a second CodeGen.
struct RecordedDecls {
  std::vector<clang::DeclGroupRef> topLevel;
  std::vector<clang::FunctionDecl *> inlineMembers;
  std::vector<clang::VarDecl *> staticMembers;
  std::vector<clang::CXXRecordDecl *> vtables;
};

/// A kernel's declaration and what was read off it.
struct KernelDecl {
  clang::FunctionDecl *function = nullptr;
  KernelDescription description;
  std::string hostName; ///< mangled, as in the host's module
};

struct DeviceModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  /// Functions and variables with a definition that the kernels refer to.
  std::vector<const clang::Decl *> reached;
};

/// Emits `kernels` and all that they reach. Definitions which clang would emit
/// for the host in any case (external functions and variables) are emitted
/// only where device code needs them. Returns an empty module after an error,
/// which has been reported.
DeviceModule emitDeviceModule(clang::CompilerInstance &compiler,
                              const RecordedDecls &decls,
                              std::vector<KernelDecl> &kernels);

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_DEVICE_CODEGEN_H
