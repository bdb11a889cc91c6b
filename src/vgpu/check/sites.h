// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of a program as small numbers, with what the memory model
// says of each.

#ifndef TESSERA_VGPU_CHECK_SITES_H
#define TESSERA_VGPU_CHECK_SITES_H

#include "vgpu/program.h"

#include <cstdint>
#include <vector>

namespace tessera::vgpu::check {

/// Who must agree with an operation; wider ones come later.
enum class Scope : std::uint8_t { block, cluster, device };
inline constexpr std::size_t scopeCount = 3;

/// What the PTX memory model says of an instruction (PTX ISA 9.0, 8).
struct Site {
  bool isStrong = false; ///< volatile, relaxed, or with an order
  bool acquires = false, releases = false;
  bool isVariable = false; ///< accesses a variable: ld, st, atom, red
  bool syncsWarp = false;  ///< bar.warp.sync
  bool usesAsyncProxy = false;
  bool isProxyFence = false; ///< between the generic and the async proxy
  bool fencesShared = true, fencesGlobal = true; ///< a proxy fence
  Scope scope = Scope::device;
};

class SiteTable {
public:
  /// Takes the instructions of `program`, unless they are the present ones.
  void use(const Program &program);

  [[nodiscard]] std::uint32_t number(const Function &function,
                                     const Instr &instr) const {
    return first[function.id] + instr.index;
  }
  [[nodiscard]] const Site &operator[](std::uint32_t number) const {
    return sites[number];
  }
  /// Another for each instruction of each program.
  [[nodiscard]] std::uint64_t identity(std::uint32_t number) const {
    return (program ? program->number : 0) << 32 | number;
  }
  /// Fills in what `fault` says about the place of an instruction.
  void describe(std::uint32_t number, Fault &fault) const;

private:
  const Program *program = nullptr;
  std::uint64_t programNumber = 0;
  std::vector<std::uint32_t> first; ///< by function
  std::vector<Site> sites;
};

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_SITES_H
