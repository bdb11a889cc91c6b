// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tessera::driver {

namespace {

/// Edits (insertions, deletions, replacements, swaps of neighbours) between
/// two words: the optimal string alignment distance.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(
      a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  std::iota(cost[0].begin(), cost[0].end(), 0u);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    cost[i][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      bool differ = a[i - 1] != b[j - 1];
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + differ});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

} // namespace

std::optional<std::string> nearest(std::string_view word,
                                   std::span<const std::string> candidates) {
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::optional<std::string> found;
  for (const std::string &candidate : candidates) {
    std::size_t distance = editDistance(word, candidate);
    if (distance >= best)
      continue;
    best = distance;
    found = candidate;
  }
  return found;
}

std::string didYouMean(std::string_view word,
                       std::span<const std::string> candidates) {
  std::optional<std::string> candidate = nearest(word, candidates);
  return candidate ? "; did you mean '" + *candidate + "'?" : std::string();
}

} // namespace tessera::driver
