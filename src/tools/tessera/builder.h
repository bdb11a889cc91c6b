// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the clang commands that a verb needs.

#ifndef TESSERA_TOOLS_TESSERA_BUILDER_H
#define TESSERA_TOOLS_TESSERA_BUILDER_H

#include "tools/tessera/clang_command.h"
#include "tools/tessera/program.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace tessera::driver {

class Builder {
public:
  /// Finds everything that a compilation needs. `layout` and `options` must
  /// outlive the builder.
  static Result<Builder> create(const Layout &layout,
                                const CompileOptions &options);

  /// Makes the program, and what `--emit`, `--emit-ptx` and `--stop-after` ask
  /// for on the way. `ptxFolder` is where PTX goes. True when a program was
  /// made, false when the compilation was to stop before that.
  Result<bool> build(const Program &program,
                     const std::filesystem::path &output,
                     const std::filesystem::path &ptxFolder) const;

  /// Runs one step; with `--print` only says it. `what` names what is compiled,
  /// for the error message.
  Result<void> run(const CompileStep &step, std::string_view what) const;

  /// The command line of a step, for showing.
  std::string describe(const CompileStep &step) const;

private:
  Builder(const CompileOptions &options, ClangCommand command)
      : options(&options), clang(std::move(command)) {}

  Result<void> buildSeparately(const Program &program,
                               const std::filesystem::path &output,
                               const std::filesystem::path &ptxFolder) const;
  Result<void> stopEarly(const Program &program) const;

  const CompileOptions *options;
  ClangCommand clang;
};

/// Says on standard error, with `-v`, what the next process is: "[B] clang++
/// …".
void announce(const CompileOptions &options, char process,
              const Command &command);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_BUILDER_H
