// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_SUGGEST_H
#define TESSERA_TOOLS_TESSERA_SUGGEST_H

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::driver {

/// The candidate that a mistyped word most likely stands for: the one with the
/// least edit distance, when that is at most a third of the word (and at least
/// one edit is allowed). The first of equals wins.
std::optional<std::string> nearest(std::string_view word,
                                   std::span<const std::string> candidates);

/// "; did you mean 'x'?" for the nearest candidate, or nothing.
std::string didYouMean(std::string_view word,
                       std::span<const std::string> candidates);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_SUGGEST_H
