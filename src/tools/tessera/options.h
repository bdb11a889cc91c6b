// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command line asks for, as values.

#ifndef TESSERA_TOOLS_TESSERA_OPTIONS_H
#define TESSERA_TOOLS_TESSERA_OPTIONS_H

#include "vgpu/check/checks.h"
#include "vgpu/vgpu.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::driver {

/// The options that `run`, `build`, `inspect` and `pipeline` share.
struct CompileOptions {
  std::vector<std::string> target; ///< an example, a folder or files
  std::string arch = "default";
  std::string output;             ///< empty: chosen by the verb
  std::string optimisation = "2"; ///< of the host code: 0 to 3
  std::string standard = "c++20";
  std::string compiler;          ///< empty: the one the build was made with
  std::string stopAfter;         ///< a phase, or empty
  std::vector<std::string> emit; ///< names of layers
  std::vector<std::string> includeFolders;
  std::vector<std::string> definitions;
  std::vector<std::string> libraryFolders;
  std::vector<std::string> libraries;
  std::vector<std::string> clangArguments;
  bool debugInfo = false;
  bool verbose = false;
  bool print = false; ///< say which commands would run, and run none
  bool emitPtx = false;
  bool safe = false;
  bool strictFloat = false;
};

enum class Verb {
  run,
  build,
  inspect,
  pipeline,
  list,
  create,
  doctor,
  clean,
  test,
  ptx
};

enum class PtxVerb { run };

/// The options of `ptx`; texts as they were written.
struct PtxOptions {
  PtxVerb verb = PtxVerb::run;
  std::string file;
  std::string kernel; ///< empty: the only one
  std::string grid, block, cluster;
  std::uint64_t shared = 0; ///< bytes
  std::vector<std::string> arguments, saves, shows;
  std::string device = "vgpu:0";
  std::uint64_t seed = 0;
  bool hasSeed = false;
  std::optional<vgpu::AsyncMoments> moments;
  std::uint64_t stress = 0; ///< seeds
  bool hasStress = false;
  std::uint64_t maxInstructions = 0; ///< of a warp; 0: no limit
  vgpu::check::ToolSet sanitize = 0; ///< checkers; 0: none

  [[nodiscard]] bool onVirtualGpu() const {
    return device == "vgpu:0" || device == "vgpu";
  }
};

/// One command line of the driver.
struct Invocation {
  Verb verb = Verb::run;
  CompileOptions compile;                    ///< run, build, inspect, pipeline
  std::vector<std::string> programArguments; ///< run: what follows `--`
  std::string name;                          ///< new: the folder to make
  std::string filter;                        ///< test: a regular expression
  bool timesOnly = false;                    ///< pipeline: no layers
  PtxOptions ptx;
};

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_OPTIONS_H
