// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_COMPILER_H
#define TESSERA_TOOLS_TESSERA_COMPILER_H

#include "tools/tessera/error.h"

#include <string>
#include <string_view>

namespace tessera::driver {

/// The clang that the plugin is made for. Plugins use clang's C++ interface,
/// which changes with every release.
inline constexpr int requiredClangMajor = 22;

struct Compiler {
  std::string path;
  std::string version; ///< "22.1.8"
};

/// Finds clang++: the one asked for, else the one that built Tessera, else
/// `clang++-22` on PATH. Anything but clang of the required release is an
/// error that says what it is.
Result<Compiler> findCompiler(std::string_view requested);

/// Reads what `--version` printed: the version, or an error that says what
/// the program is instead. `path` is for the message.
Result<std::string> readClangVersion(std::string_view path,
                                     std::string_view output);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_COMPILER_H
