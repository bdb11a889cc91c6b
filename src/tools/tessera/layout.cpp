// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/layout.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

/// The source folder that a CMake cache was configured from.
std::optional<fs::path> sourceOfCache(const fs::path &cache) {
  constexpr std::string_view key = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  std::ifstream file(cache);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key))
      return fs::path(line.substr(key.size()));
  return std::nullopt;
}

bool holdsSources(const fs::path &folder) {
  std::error_code ignored;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".cpp")
      return true;
  return false;
}

} // namespace

Result<Layout> Layout::around(const fs::path &executable) {
  fs::path root = executable.parent_path().parent_path();
  Layout layout;
  if (fs::path cache = root / "CMakeCache.txt"; fs::exists(cache)) {
    std::optional<fs::path> source = sourceOfCache(cache);
    if (!source)
      return fail(cache.string() + " does not name its source folder");
    layout.buildRoot = root;
    layout.sourceRoot = *source;
    layout.plugin = root / "lib/libtessera-plugin.so";
    layout.runtime = root / "lib/libtessera-runtime.a";
    layout.include = *source / "include";
    layout.examples = *source / "examples";
    return layout;
  }
  layout.plugin = root / "lib/tessera/libtessera-plugin.so";
  layout.runtime = root / "lib/tessera/libtessera-runtime.a";
  layout.include = root / "include";
  layout.examples = root / "share/tessera/examples";
  return layout;
}

Result<Layout> Layout::ofThisProgram() {
  std::error_code error;
  fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return fail("cannot find my own executable: " + error.message());
  return around(executable);
}

Result<void> Layout::checkComplete() const {
  struct Need {
    const char *what;
    fs::path path;
  };
  std::array needs = {Need{"compiler plugin", plugin},
                      Need{"runtime library", runtime},
                      Need{"headers", include / "tessera/tessera.h"}};
  for (const Need &need : needs)
    if (std::error_code error; !fs::exists(need.path, error))
      return fail("the " + std::string(need.what) + " (" + need.path.string() +
                  ") is missing; 'tessera doctor' says how to mend it");
  return {};
}

std::vector<std::string> Layout::exampleNames() const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(examples, ignored))
    if (entry.is_directory(ignored) && holdsSources(entry.path()))
      names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

std::optional<fs::path> findDeviceMath() {
  std::error_code ignored;
  for (const char *folder :
       {"/usr/lib/clc", "/usr/share/clc", "/usr/lib/llvm-22/share/clc"})
    if (fs::path file = fs::path(folder) / "nvptx64--.bc";
        fs::exists(file, ignored))
      return file;
  return std::nullopt;
}

} // namespace tessera::driver
