// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/verbs/verbs.h"

#include <filesystem>
#include <iostream>
#include <system_error>

namespace fs = std::filesystem;

namespace tessera::driver {

Result<int> removeBuild(const Layout &layout) {
  if (!layout.isBuildTree())
    return fail("there is nothing to clean: this is an installed Tessera");
  // An in-source build is not a folder that may go.
  std::error_code error;
  if (fs::equivalent(layout.buildRoot, layout.sourceRoot, error))
    return fail("'" + layout.buildRoot.string() +
                "' is the source folder; I do not remove it");
  fs::remove_all(layout.buildRoot, error);
  if (error)
    return fail("cannot remove '" + layout.buildRoot.string() +
                "': " + error.message());
  std::cout << "removed " << layout.buildRoot.string() << '\n';
  return 0;
}

} // namespace tessera::driver
