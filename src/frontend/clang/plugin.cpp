// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin's way into clang (and, for LLVM's other drivers, into a pass
// pipeline). `-fplugin=libtessera-plugin.so` is all that a compilation needs.

#include "frontend/clang/device-consumer.h"
#include "frontend/clang/diagnostics.h"
#include "frontend/clang/host-module.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include <cstdio>
#include <cstdlib>
#include <link.h>

using namespace clang;

namespace tessera::frontend {
namespace {

class DeviceAction final : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(
        registerHostModulePass);
    // The headers ask for this macro: `__has_cpp_attribute` does not know the
    // attributes of plugins. The predefines are not read before this point.
    Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.setPredefines(preprocessor.getPredefines() +
                               "#define __TESSERA__ 1\n");
    return std::make_unique<DeviceConsumer>(compiler, options);
  }

  bool ParseArgs(const CompilerInstance &compiler,
                 const std::vector<std::string> &arguments) override {
    auto parsed = Options::parse(arguments);
    if (!parsed) {
      reportError(compiler.getDiagnostics(),
                  llvm::toString(parsed.takeError()));
      return false;
    }
    options = std::move(*parsed);
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  Options options;
};

FrontendPluginRegistry::Add<DeviceAction>
    addAction("tessera", "compiles kernels for the device");

/// A clang of another version brings its own LLVM, to which this plugin means
/// nothing: it would compile the file as if there were no kernels. Saying so
/// at load time is the only chance.
__attribute__((constructor)) void refuseForeignClang() {
  auto visit = [](dl_phdr_info *info, size_t, void *data) {
    llvm::StringRef path = info->dlpi_name;
    size_t slash = path.rfind('/');
    llvm::StringRef name =
        slash == llvm::StringRef::npos ? path : path.substr(slash + 1);
    bool isLLVM =
        name.starts_with("libLLVM") || name.starts_with("libclang-cpp");
    if (isLLVM && !name.contains(LLVM_VERSION_STRING_SHORT))
      *static_cast<std::string *>(data) = name.str();
    return 0;
  };
  std::string foreign;
  dl_iterate_phdr(visit, &foreign);
  if (foreign.empty())
    return;
  std::fprintf(
      stderr,
      "error: the Tessera plugin is for clang " LLVM_VERSION_STRING_SHORT
      ", but the compiler that loads it uses %s; compile with clang++-22\n",
      foreign.c_str());
  std::_Exit(1);
}

} // namespace
} // namespace tessera::frontend

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "tessera", TESSERA_VERSION,
          tessera::frontend::registerHostModulePass};
}
