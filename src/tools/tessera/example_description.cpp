// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/example_description.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

/// The text of a `//` line without its marker and the space after it; empty
/// for other lines.
std::string_view commentText(std::string_view line) {
  std::size_t begin = line.find("//");
  if (begin == std::string_view::npos || line.find_first_not_of(" \t") != begin)
    return {};
  line.remove_prefix(begin + 2);
  std::size_t first = line.find_first_not_of("/ \t");
  std::size_t last = line.find_last_not_of(" \t\r");
  if (first == std::string_view::npos)
    return {};
  return line.substr(first, last - first + 1);
}

/// Up to the first stop or colon that ends a sentence or its main part.
std::string firstPart(const std::string &text) {
  std::string part = text.substr(0, std::min(text.find(". "), text.find(": ")));
  if (part.ends_with("."))
    part.pop_back();
  return part;
}

} // namespace

std::string describeSource(std::istream &source) {
  std::string text;
  for (std::string line; std::getline(source, line);) {
    std::string_view comment = commentText(line);
    if (comment.starts_with("SPDX-"))
      continue;
    bool blank = comment.empty();
    if (blank && (!text.empty() || line.starts_with("#")))
      break;
    if (blank)
      continue;
    text += (text.empty() ? "" : " ") + std::string(comment);
  }
  return firstPart(text);
}

std::string describeExample(const fs::path &folder) {
  std::vector<fs::path> sources;
  std::error_code ignored;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".cpp")
      sources.push_back(entry.path());
  if (sources.empty())
    return {};
  auto main = std::ranges::find(sources, "main.cpp", [](const fs::path &path) {
    return path.filename().string();
  });
  std::ifstream file(main != sources.end() ? *main : std::ranges::min(sources));
  return describeSource(file);
}

} // namespace tessera::driver
