// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_EXAMPLE_DESCRIPTION_H
#define TESSERA_TOOLS_TESSERA_EXAMPLE_DESCRIPTION_H

#include <filesystem>
#include <istream>
#include <string>

namespace tessera::driver {

/// One line about an example: how the comment at the top of its first source
/// begins, up to the first stop or colon. Empty when there is none.
std::string describeExample(const std::filesystem::path &folder);

/// The same for the text of a source.
std::string describeSource(std::istream &source);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_EXAMPLE_DESCRIPTION_H
