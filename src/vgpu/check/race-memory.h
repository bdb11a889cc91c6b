// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last accesses of each word of memory, for racecheck: the last write and
// the reads since.

#ifndef TESSERA_VGPU_CHECK_RACE_MEMORY_H
#define TESSERA_VGPU_CHECK_RACE_MEMORY_H

#include "vgpu/check/knowledge.h"
#include "vgpu/check/shadow.h"
#include "vgpu/check/sites.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace tessera::vgpu::check {

/// Which instruction, and how: packed.
struct AccessInfo {
  std::uint32_t site : 23 = 0;
  std::uint32_t lane : 5 = 0; ///< of a write
  std::uint32_t isStrong : 1 = 0;
  std::uint32_t scope : 2 = 0;
  std::uint32_t isProxy : 1 = 0; ///< by the async proxy
  friend bool operator==(const AccessInfo &, const AccessInfo &) = default;
};

struct WriteMark {
  Agent agent = 0;
  Time time = 0; ///< 0: none
  AccessInfo info;
};
struct ReadMark {
  Agent agent = 0;
  Time time = 0; ///< 0: none
  AccessInfo info;
  LaneMask lanes = 0;
};

/// A word, or a byte of one.
struct Cell {
  WriteMark write;
  ReadMark read;
  std::uint32_t moreReads = 0; ///< 1 + index into `RaceMemory::readSets`
  std::uint32_t bytes = 0;     ///< 1 + index into `RaceMemory::splitWords`
};
inline constexpr std::uint32_t cellBytes = 4;

/// The cells of global memory, and what cells refer to.
class RaceMemory {
public:
  /// Of the word at `address`.
  Cell &global(std::uint64_t address) {
    return pages.page(address)[address % pageBytes / cellBytes];
  }
  /// The four bytes of a word that is accessed in parts.
  std::array<Cell, cellBytes> &split(Cell &word);
  std::vector<ReadMark> &reads(Cell &cell);
  void clear();

private:
  static constexpr std::uint64_t pageBytes = 4096;
  Shadow<std::array<Cell, pageBytes / cellBytes>, pageBytes> pages;
  std::deque<std::vector<ReadMark>> readSets;
  std::deque<std::array<Cell, cellBytes>> splitWords;
};

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_RACE_MEMORY_H
