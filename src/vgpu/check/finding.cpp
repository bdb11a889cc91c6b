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
