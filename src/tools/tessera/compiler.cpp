// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/compiler.h"

#include "tools/tessera/process.h"

#include <charconv>
#include <filesystem>
#include <system_error>

namespace tessera::driver {

namespace {

std::string installHint() {
  return "install it with: apt-get install clang-" +
         std::to_string(requiredClangMajor);
}

std::string defaultCompiler() {
  std::error_code ignored;
  std::string builtWith = TESSERA_DEFAULT_COMPILER;
  if (!builtWith.empty() && std::filesystem::exists(builtWith, ignored))
    return builtWith;
  return "clang++-" + std::to_string(requiredClangMajor);
}

} // namespace

Result<std::string> readClangVersion(std::string_view path,
                                     std::string_view output) {
  constexpr std::string_view key = "clang version ";
  std::string required = "clang " + std::to_string(requiredClangMajor);
  std::string_view firstLine = output.substr(0, output.find('\n'));
  std::size_t at = firstLine.find(key);
  if (at == std::string_view::npos)
    return fail("'" + std::string(path) + "' is not clang; Tessera needs " +
                required);
  std::string_view text = firstLine.substr(at + key.size());
  std::string version(text.substr(0, text.find_first_not_of("0123456789.")));
  int major = 0;
  std::from_chars(version.data(), version.data() + version.size(), major);
  if (major != requiredClangMajor)
    return fail("'" + std::string(path) + "' is clang " + version +
                ", but the plugin is made for " + required + "; " +
                installHint());
  return version;
}

Result<Compiler> findCompiler(std::string_view requested) {
  std::string path =
      requested.empty() ? defaultCompiler() : std::string(requested);
  Result<CapturedOutput> captured = runAndCapture({{path, "--version"}, {}});
  if (!captured)
    return fail(captured.error().message + "; " + installHint());
  if (!captured->status.succeeded())
    return fail("'" + path + " --version' ended with " +
                captured->status.describe());
  Result<std::string> version = readClangVersion(path, captured->output);
  if (!version)
    return std::unexpected(version.error());
  return Compiler{path, *version};
}

} // namespace tessera::driver
