// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/builder.h"
#include "tools/tessera/process.h"
#include "tools/tessera/temp_folder.h"
#include "tools/tessera/verbs/verbs.h"

#include <filesystem>
#include <iostream>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

/// Where the program goes: to `-o`, or into the scratch folder. The path has a
/// folder in it, so that starting it does not search PATH.
fs::path programPath(const CompileOptions &options, const Program &program,
                     const TempFolder &scratch) {
  if (options.output.empty())
    return scratch.path() / program.name;
  fs::path output = options.output;
  return output.has_parent_path() ? output : "." / output;
}

} // namespace

Result<int> runProgram(const Invocation &invocation, const Layout &layout) {
  const CompileOptions &options = invocation.compile;
  Result<Program> program = resolveProgram(options.target, layout);
  if (!program)
    return std::unexpected(program.error());
  Result<Builder> builder = Builder::create(layout, options);
  if (!builder)
    return std::unexpected(builder.error());
  Result<TempFolder> scratch = TempFolder::create();
  if (!scratch)
    return std::unexpected(scratch.error());

  fs::path executable = programPath(options, *program, *scratch);
  Result<bool> built = builder->build(*program, executable, ".");
  if (!built)
    return std::unexpected(built.error());
  if (!*built)
    return 0;
  Command command{.words = {executable.string()}, .environment = {}};
  command.words.insert(command.words.end(), invocation.programArguments.begin(),
                       invocation.programArguments.end());
  if (options.print) {
    std::cout << quoted(command) << std::endl;
    return 0;
  }
  announce(options, 'C', command);
  Result<ExitStatus> status = runAndWait(command);
  if (!status)
    return std::unexpected(status.error());
  if (status->signal != 0)
    return fail(program->name + " was ended by " + status->describe(),
                status->shellCode());
  return status->code;
}

} // namespace tessera::driver
