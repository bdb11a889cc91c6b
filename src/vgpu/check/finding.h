// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a checker has found, and the list of all that were found.
//
// Thread safety: `FindingList` may be used from several threads.

#ifndef TESSERA_VGPU_CHECK_FINDING_H
#define TESSERA_VGPU_CHECK_FINDING_H

#include "vgpu/vgpu.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tessera::vgpu::check {

enum class Tool : std::uint8_t { memcheck, racecheck };
[[nodiscard]] std::string_view name(Tool tool);

/// One side of a finding: what a thread did, and where.
struct Place {
  std::string what; ///< "4-byte store"
  std::string kernel;
  std::optional<Dim3> block, thread;
  std::string instruction; ///< PTX text
  PtxLocation ptx;
  std::string sourceFile; ///< from `.loc`, when the PTX has it
  std::uint32_t sourceLine = 0;
};

struct Finding {
  Tool tool = Tool::memcheck;
  std::string message; ///< one line
  std::string memory;  ///< what is accessed: "byte 4 of shared variable 'x'"
  std::vector<Place> places;
  std::uint64_t count = 1; ///< how often

  /// Several lines, each but the first indented.
  [[nodiscard]] std::string text() const;
};

class FindingList {
public:
  /// What makes two findings the same: the kind of mistake (the checker's own
  /// numbers) and the two instructions.
  using Key = std::tuple<Tool, int, std::uint64_t, std::uint64_t>;

  /// Counts once more, when it is known; else adds what `make` gives.
  void add(const Key &key, const std::function<Finding()> &make);
  [[nodiscard]] std::vector<Finding> all() const;

private:
  mutable std::mutex mutex;
  std::map<Key, std::size_t> known;
  std::vector<Finding> findings;
};

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_FINDING_H
