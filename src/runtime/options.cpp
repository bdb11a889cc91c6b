// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options.h"

#include <cstdlib>
#include <string_view>

namespace tessera::runtime {

Options Options::fromEnvironment() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string_view(value ? value : "");
  };
  Options options;
  options.device = variable("TESSERA_DEVICE");
  if (auto library = variable("TESSERA_LIBCUDA"); !library.empty())
    options.cudaLibrary = library;
  const auto quiet = variable("TESSERA_QUIET");
  options.quiet = !quiet.empty() && quiet != "0";
  return options;
}

} // namespace tessera::runtime
