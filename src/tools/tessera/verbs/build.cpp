// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/builder.h"
#include "tools/tessera/verbs/verbs.h"

#include <filesystem>

namespace fs = std::filesystem;

namespace tessera::driver {

Result<int> buildProgram(const Invocation &invocation, const Layout &layout) {
  const CompileOptions &options = invocation.compile;
  Result<Program> program = resolveProgram(options.target, layout);
  if (!program)
    return std::unexpected(program.error());
  Result<Builder> builder = Builder::create(layout, options);
  if (!builder)
    return std::unexpected(builder.error());
  fs::path output = options.output.empty() ? program->name : options.output;
  Result<bool> built = builder->build(*program, output, output.parent_path());
  if (!built)
    return std::unexpected(built.error());
  return 0;
}

} // namespace tessera::driver
