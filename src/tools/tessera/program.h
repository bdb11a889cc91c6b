// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_PROGRAM_H
#define TESSERA_TOOLS_TESSERA_PROGRAM_H

#include "tools/tessera/error.h"
#include "tools/tessera/layout.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::driver {

/// The files of one program.
struct Program {
  std::string name; ///< of the executable, when none is asked for
  std::vector<std::filesystem::path> sources;
  std::vector<std::filesystem::path> objects; ///< .o, .a and .so files
};

/// Finds what the words of a command line mean: files, or one folder (its C++
/// sources), or the name of one example.
Result<Program> resolveProgram(const std::vector<std::string> &words,
                               const Layout &layout);

/// Whether `output` can be written: its folder exists and is writable, and it
/// is neither a folder nor one of the program's own files.
Result<void> checkOutput(const std::filesystem::path &output,
                         const Program &program);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_PROGRAM_H
