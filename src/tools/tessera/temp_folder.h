// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_TEMP_FOLDER_H
#define TESSERA_TOOLS_TESSERA_TEMP_FOLDER_H

#include "tools/tessera/error.h"

#include <filesystem>

namespace tessera::driver {

/// A fresh folder of this user's under TMPDIR (or /tmp), removed with all it
/// holds when the object goes.
class TempFolder {
public:
  static Result<TempFolder> create();

  TempFolder(TempFolder &&other) noexcept;
  TempFolder &operator=(TempFolder &&other) noexcept;
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;
  ~TempFolder();

  const std::filesystem::path &path() const { return folder; }

private:
  explicit TempFolder(std::filesystem::path path) : folder(std::move(path)) {}

  std::filesystem::path folder; ///< empty once moved from
};

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_TEMP_FOLDER_H
