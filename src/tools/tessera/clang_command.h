// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_CLANG_COMMAND_H
#define TESSERA_TOOLS_TESSERA_CLANG_COMMAND_H

#include "tools/tessera/layout.h"
#include "tools/tessera/options.h"
#include "tools/tessera/process.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::driver {

/// What one clang command is to make.
struct CompileStep {
  enum class Product {
    program, ///< compile and link
    object,  ///< compile one source
    link,    ///< link objects
  };
  Product product = Product::program;
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;

  /// Layers to write: the layer's name and a file ("-": standard output).
  std::vector<std::pair<std::string, std::string>> emits;
  std::string stopAfter;              ///< a phase, or empty for all
  std::filesystem::path ptxOutput;    ///< empty: none
  std::filesystem::path timingReport; ///< empty: none
};

/// Composes clang's command lines. Nothing else in the driver knows how the
/// plugin and its arguments are spelt.
class ClangCommand {
public:
  /// `arch` is what resolveArch returned, `deviceMath` what findDeviceMath
  /// did. The references must outlive the object.
  ClangCommand(const Layout &layout, const CompileOptions &options,
               std::string compiler, std::string arch,
               std::optional<std::filesystem::path> deviceMath);

  Command compose(const CompileStep &step) const;

private:
  void addLanguageOptions(std::vector<std::string> &words) const;
  void addPlugin(std::vector<std::string> &words,
                 const CompileStep &step) const;
  void addLinkInputs(std::vector<std::string> &words) const;

  const Layout &layout;
  const CompileOptions &options;
  std::string compiler;
  std::string arch;
  std::optional<std::filesystem::path> deviceMath;
};

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_CLANG_COMMAND_H
