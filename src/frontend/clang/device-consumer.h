// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The consumer that records what the parser makes and, at the end of the file,
// compiles its kernels.

#ifndef TESSERA_FRONTEND_CLANG_DEVICE_CONSUMER_H
#define TESSERA_FRONTEND_CLANG_DEVICE_CONSUMER_H

#include "frontend/clang/device-codegen.h"
#include "pipeline/options.h"
#include "clang/AST/ASTConsumer.h"

namespace tessera::frontend {

class DeviceConsumer final : public clang::ASTConsumer {
public:
  DeviceConsumer(clang::CompilerInstance &compiler, Options options)
      : compiler(compiler), options(std::move(options)) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override;
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *variable) override;
  void HandleVTable(clang::CXXRecordDecl *record) override;
  void HandleTranslationUnit(clang::ASTContext &context) override;

private:
  clang::CompilerInstance &compiler;
  Options options;
  RecordedDecls decls;

  std::vector<clang::FunctionDecl *> collectKernels() const;
  void compile(const std::vector<clang::FunctionDecl *> &functions);
};

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_DEVICE_CONSUMER_H
