// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/diagnostic.h"

#include <algorithm>
#include <cstddef>

using namespace tessera::ptx;

namespace {

/// Longer lines are cut around the column.
constexpr std::size_t maxShownWidth = 160;

std::string_view lineOf(std::string_view text, std::uint32_t line) {
  for (std::uint32_t current = 1; current < line; ++current) {
    std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r'))
    text.remove_suffix(1);
  return text;
}

} // namespace

std::string Diagnostic::render(std::string_view text,
                               std::string_view file) const {
  std::string out;
  if (!file.empty())
    out.append(file).append(":");
  if (pos.line == 0)
    return out.append(out.empty() ? "error: " : " error: ").append(message) +
           "\n";
  out += std::to_string(pos.line) + ":" + std::to_string(pos.column) +
         ": error: " + message + "\n";

  std::string_view line = lineOf(text, pos.line);
  std::size_t caret = pos.column == 0 ? 0 : pos.column - 1;
  caret = std::min(caret, line.size());
  std::size_t first = caret > maxShownWidth / 2 ? caret - maxShownWidth / 2 : 0;
  line = line.substr(first, maxShownWidth);
  caret -= first;

  // Tabs are kept in both lines, and bytes that would not print are replaced,
  // so that the caret stands where it should.
  std::string shown, marker;
  for (std::size_t i = 0; i < line.size(); ++i) {
    unsigned char c = static_cast<unsigned char>(line[i]);
    shown += c == '\t' || (c >= 0x20 && c < 0x7f) ? char(c) : '?';
    if (i < caret)
      marker += c == '\t' ? '\t' : ' ';
  }
  return out + shown + "\n" + marker + "^\n";
}
