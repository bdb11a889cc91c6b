// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the driver's companions are, relative to its own executable: in a
// build tree or under an installation prefix.

#ifndef TESSERA_TOOLS_TESSERA_LAYOUT_H
#define TESSERA_TOOLS_TESSERA_LAYOUT_H

#include "tools/tessera/error.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera::driver {

struct Layout {
  std::filesystem::path plugin;
  std::filesystem::path runtime;
  std::filesystem::path include;
  std::filesystem::path examples;
  /// Set when the driver runs from a build tree.
  std::filesystem::path buildRoot;
  std::filesystem::path sourceRoot;

  bool isBuildTree() const { return !buildRoot.empty(); }

  /// The layout around `executable`, the path of the driver. Whether the files
  /// exist is for their users to check: `doctor` wants to name the missing.
  static Result<Layout> around(const std::filesystem::path &executable);

  /// The layout around the running program.
  static Result<Layout> ofThisProgram();

  /// Fails with the name of the first file that a compilation needs and that
  /// is not there.
  Result<void> checkComplete() const;

  /// The names of the examples, sorted.
  std::vector<std::string> exampleNames() const;
};

/// libclc's device mathematics for NVPTX, where a package has put it.
std::optional<std::filesystem::path> findDeviceMath();

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_LAYOUT_H
