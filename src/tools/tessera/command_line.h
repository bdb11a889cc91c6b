// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_COMMAND_LINE_H
#define TESSERA_TOOLS_TESSERA_COMMAND_LINE_H

#include "tools/tessera/error.h"
#include "tools/tessera/options.h"

#include <string>
#include <variant>
#include <vector>

namespace tessera::driver {

/// Text to print on standard output instead of doing anything: `--help`,
/// `--version`.
struct Information {
  std::string text;
};

/// Reads the words after the program's name. Names of phases, layers and
/// levels are checked here; files and architectures by those who use them.
Result<std::variant<Invocation, Information>>
readCommandLine(const std::vector<std::string> &words);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_COMMAND_LINE_H
