// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the variables of a module lie.
//
// Global and constant variables get memory of their own. Shared variables get
// one offset each, the same in all kernels, so that device functions need not
// know who called them; variables that no kernel uses together may overlap.

#ifndef TESSERA_VGPU_LAYOUT_H
#define TESSERA_VGPU_LAYOUT_H

#include "vgpu/program.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tessera::vgpu {

/// The most static shared memory of a kernel, and the most of all kinds, in
/// bytes (sm_90; CUDA C++ Programming Guide, "Compute Capabilities").
inline constexpr std::uint32_t maxStaticShared = 48 << 10;
inline constexpr std::uint32_t maxShared = 227 << 10;

/// What a symbol stands for.
struct SymbolPlace {
  enum class Kind : std::uint8_t {
    none,          ///< cannot be addressed
    global,        ///< a host address; global or constant
    shared,        ///< an offset into shared memory
    dynamicShared, ///< where the dynamic part of shared memory begins
    function,      ///< an address in the code
  };
  Kind kind = Kind::none;
  std::uint64_t address = 0;
};

struct ModuleLayout {
  /// By index into `Module::variables`.
  std::vector<SymbolPlace> variables;
  /// `.shared` variables in functions, by the indices of both.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> inFunctions;
  /// By index into `Module::functions`: the decoded function, null for a
  /// declaration without a body. Aliases lead to what they stand for.
  std::vector<Function *> functions;

  [[nodiscard]] SymbolPlace placeOf(const ptx::Module &module,
                                    std::uint32_t symbol) const;
  [[nodiscard]] const Function *functionOf(const ptx::Module &module,
                                           std::uint32_t symbol) const;
};

/// Makes the program's functions (still empty), kernels and variables, and
/// says where everything lies. Variables have their initial values.
[[nodiscard]] Result<ModuleLayout> layOut(Program &program);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_LAYOUT_H
