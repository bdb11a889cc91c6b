// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/fault.h"

#include <algorithm>
#include <numeric>

using namespace tessera::vgpu;

namespace {

std::string indexText(const Dim3 &index) {
  return concat('(', index.x, ',', index.y, ',', index.z, ')');
}

/// Levenshtein's distance.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

} // namespace

std::string Fault::message() const {
  std::string text;
  if (!sourceFile.empty())
    text += concat(sourceFile, ':', sourceLine, ": ");
  text += what;
  if (!kernel.empty())
    text += concat(" in kernel '", kernel, "'");
  if (block)
    text += concat(", block ", indexText(*block));
  if (thread)
    text += concat(", thread ", indexText(*thread));
  if (!instruction.empty())
    text += concat(", at '", instruction, "'");
  if (ptx.line)
    text += concat(" (PTX line ", ptx.line, ")");
  return text;
}

std::vector<std::string>
tessera::vgpu::nearNames(std::string_view wanted,
                         std::span<const std::string> candidates) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string &name : candidates) {
    const bool contained = name.contains(wanted) || wanted.contains(name);
    const std::size_t distance = contained ? 0 : editDistance(wanted, name);
    if (contained || distance <= std::max<std::size_t>(2, wanted.size() / 3))
      ranked.emplace_back(distance, name);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> names;
  for (auto &[distance, name] : ranked)
    if (names.size() < 3)
      names.push_back(std::move(name));
  return names;
}
