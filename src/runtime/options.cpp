// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace tessera::runtime {

namespace {

/// Words between commas; unknown ones are passed over.
vgpu::NativeOptions nativeOptions(std::string_view text) {
  vgpu::NativeOptions options;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word == "off")
      options.mode = vgpu::NativeMode::off;
    else if (word == "sync")
      options.mode = vgpu::NativeMode::sync;
    else if (word == "verbose")
      options.isVerbose = true;
  }
  return options;
}

} // namespace

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
  options.native = nativeOptions(variable("TESSERA_VGPU_JIT"));
  return options;
}

} // namespace tessera::runtime
