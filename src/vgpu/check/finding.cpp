// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/check/finding.h"
#include "vgpu/text.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::check;

namespace {

std::string indexText(const Dim3 &index) {
  return concat('(', index.x, ',', index.y, ',', index.z, ')');
}

std::string text(const Place &place) {
  std::string line = place.what;
  if (place.thread)
    line += concat(" by thread ", indexText(*place.thread));
  if (place.block)
    line += concat(place.thread ? " of block " : " in block ",
                   indexText(*place.block));
  if (!place.kernel.empty())
    line += concat(" in kernel '", place.kernel, "'");
  if (!place.instruction.empty())
    line += concat("\n      at '", place.instruction, "' (PTX line ",
                   place.ptx.line, ")");
  if (!place.sourceFile.empty())
    line += concat("\n      ", place.sourceFile, ":", place.sourceLine);
  return line;
}

//===-- JSON --------------------------------------------------------------===//

std::string quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (const auto code = static_cast<unsigned char>(c); code < 0x20) {
      result += "\\u00";
      result += digits[code >> 4];
      result += digits[code & 15];
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string json(const Dim3 &index) {
  return concat('[', index.x, ", ", index.y, ", ", index.z, ']');
}

std::string json(const Place &place) {
  std::string text = concat("{\"what\": ", quoted(place.what));
  if (!place.kernel.empty())
    text += concat(", \"kernel\": ", quoted(place.kernel));
  if (place.block)
    text += concat(", \"block\": ", json(*place.block));
  if (place.thread)
    text += concat(", \"thread\": ", json(*place.thread));
  if (!place.instruction.empty())
    text += concat(", \"instruction\": ", quoted(place.instruction),
                   ", \"ptxLine\": ", place.ptx.line);
  if (!place.sourceFile.empty())
    text += concat(", \"file\": ", quoted(place.sourceFile),
                   ", \"line\": ", place.sourceLine);
  return text + "}";
}

std::string json(const Finding &finding) {
  std::string text = concat("  {\"tool\": ", quoted(name(finding.tool)),
                            ", \"message\": ", quoted(finding.message),
                            ", \"memory\": ", quoted(finding.memory),
                            ", \"count\": ", finding.count, ", \"places\": [");
  for (std::size_t i = 0; i < finding.places.size(); ++i)
    text += concat(i ? ",\n    " : "\n    ", json(finding.places[i]));
  return text + "]}";
}

} // namespace

std::string_view check::name(Tool tool) {
  return tool == Tool::memcheck ? "memcheck" : "racecheck";
}

std::string Finding::text() const {
  std::string text = concat(name(tool), ": ", message);
  if (!memory.empty())
    text += concat("\n    ", memory);
  for (const Place &place : places)
    text += concat("\n    ", ::text(place));
  if (count > 1)
    text += concat("\n    and ", plural(count - 1, "more time"));
  return text;
}

std::string check::toJson(const std::vector<Finding> &findings) {
  std::string text = "{\"findings\": [";
  for (std::size_t i = 0; i < findings.size(); ++i)
    text += concat(i ? ",\n" : "\n", json(findings[i]));
  return text + "\n]}\n";
}

void FindingList::add(const Key &key, const std::function<Finding()> &make) {
  std::lock_guard lock(mutex);
  const auto [place, isNew] = known.try_emplace(key, findings.size());
  if (isNew)
    findings.push_back(make());
  else
    ++findings[place->second].count;
}

std::vector<Finding> FindingList::all() const {
  std::lock_guard lock(mutex);
  return findings;
}
