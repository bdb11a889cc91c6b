// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that can be asked of the device compiler, in one place.

#ifndef TESSERA_PIPELINE_OPTIONS_H
#define TESSERA_PIPELINE_OPTIONS_H

#include "image/image.h"
#include "pipeline/phases.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// An IR that can be printed; the phase after which it exists.
enum class Emission { mir, mirOpt, llvmDialect, ll, ptx };

/// What to do with Guard's findings.
enum class Safety { off, warn, error };

struct Options {
  /// Architectures to compile for; empty: the lowest that the code allows.
  std::vector<image::Arch> archs;
  bool verbose = false;     ///< print a line for each phase
  bool safeProfile = false; ///< raw pointers need [[tessera::unsafe]]
  bool strictFp = false;    ///< host and device agree to the bit
  Safety safety = Safety::warn;
  std::optional<Phase> stopAfter;
  std::vector<std::pair<Emission, std::string>>
      emissions;           ///< IR → file, "-" is standard output
  std::string ptxFile;     ///< write the PTX here
  std::string timingsFile; ///< write phase times here, as JSON
  std::string mathLibrary = "/usr/lib/clc/nvptx64--.bc";

  /// Reads the plugin's arguments ("arch=sm_80,sm_90a", "verbose", …) and, for
  /// what they leave open, the environment (`TESSERA_PTX_SAFETY`). The error
  /// names the argument and what it may be.
  static llvm::Expected<Options> parse(llvm::ArrayRef<std::string> arguments);
};

} // namespace tessera

#endif // TESSERA_PIPELINE_OPTIONS_H
