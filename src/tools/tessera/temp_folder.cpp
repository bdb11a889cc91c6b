// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/temp_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace fs = std::filesystem;

namespace tessera::driver {

Result<TempFolder> TempFolder::create() {
  const char *variable = std::getenv("TMPDIR");
  fs::path parent = variable && *variable ? variable : "/tmp";
  std::string pattern = (parent / "tessera-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    return fail("cannot make a temporary folder in " + parent.string() + ": " +
                std::strerror(errno) + " (TMPDIR chooses another place)");
  return TempFolder(pattern);
}

TempFolder::TempFolder(TempFolder &&other) noexcept
    : folder(std::exchange(other.folder, {})) {}

TempFolder &TempFolder::operator=(TempFolder &&other) noexcept {
  std::swap(folder, other.folder);
  return *this;
}

TempFolder::~TempFolder() {
  if (folder.empty())
    return;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

} // namespace tessera::driver
