// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/check/race-memory.h"

using namespace tessera::vgpu::check;

std::array<Cell, cellBytes> &RaceMemory::split(Cell &word) {
  if (word.bytes == 0) {
    std::array<Cell, cellBytes> parts;
    for (Cell &part : parts) {
      part.write = word.write;
      part.read = word.read;
      if (word.moreReads != 0)
        reads(part) = readSets[word.moreReads - 1];
    }
    splitWords.push_back(parts);
    word.bytes = std::uint32_t(splitWords.size());
  }
  return splitWords[word.bytes - 1];
}

std::vector<ReadMark> &RaceMemory::reads(Cell &cell) {
  if (cell.moreReads == 0) {
    readSets.emplace_back();
    cell.moreReads = std::uint32_t(readSets.size());
  }
  return readSets[cell.moreReads - 1];
}

void RaceMemory::clear() {
  pages.clear();
  readSets.clear();
  splitWords.clear();
}
