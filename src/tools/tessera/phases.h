// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that the command line and the plugin share: the nine phases and
// the forms of the program that can be printed on the way.

#ifndef TESSERA_TOOLS_TESSERA_PHASES_H
#define TESSERA_TOOLS_TESSERA_PHASES_H

#include "tools/tessera/error.h"

#include <array>
#include <string_view>

namespace tessera::driver {

inline constexpr std::array<std::string_view, 9> phaseNames = {
    "discover", "import",  "verify", "optimise", "lower",
    "export",   "codegen", "guard",  "embed"};

/// A form that `--emit` prints.
struct Layer {
  std::string_view name;
  std::string_view madeBy;    ///< the phase after which it exists
  std::string_view stopAfter; ///< where a compilation that only prints it ends
  std::string_view title;     ///< what it is, for a reader
};

/// In the order in which the phases make them. A compilation that only prints
/// `mir` goes on to the verifier: what it prints is then known to be sound.
inline constexpr std::array<Layer, 5> layers = {{
    {"mir", "import", "verify", "kernels and checked places over llvm"},
    {"mir-opt", "optimise", "optimise", "the same after optimisation"},
    {"llvm-dialect", "lower", "lower", "llvm and nvvm dialects"},
    {"ll", "export", "export", "LLVM IR"},
    {"ptx", "codegen", "codegen", "PTX"},
}};

/// The layer of that name; an error that lists the names otherwise.
Result<Layer> findLayer(std::string_view name);

/// Checks the name of a phase; an error that lists the names otherwise.
Result<std::string_view> findPhase(std::string_view name);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_PHASES_H
