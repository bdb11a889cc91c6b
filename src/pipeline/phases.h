// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nine phases: their names, their order, their times.

#ifndef TESSERA_PIPELINE_PHASES_H
#define TESSERA_PIPELINE_PHASES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

enum class Phase {
  discover = 1, ///< kernels and all they reach; what the device cannot do
  import,       ///< LLVM IR → llvm dialect, annotated calls → mir
  verify,       ///< every op's own rules
  optimise,     ///< inline, promote, fold, drop implied checks
  lower,        ///< mir → llvm and nvvm dialects
  exportIr,     ///< llvm dialect → LLVM IR
  codegen,      ///< LLVM's optimiser and NVPTX → PTX
  guard,        ///< read the PTX back, check it
  embed,        ///< the image into the host's object
};

inline constexpr unsigned phaseCount = 9;

llvm::StringRef phaseName(Phase phase);
std::optional<Phase> parsePhase(llvm::StringRef name);

/// "1 kernel", "2 kernels".
std::string countOf(unsigned count, llvm::StringRef noun);

/// Measures the phases of one compilation and tells of them.
class PhaseLog {
public:
  /// With `verbose`, a line goes to standard error at the end of each phase.
  explicit PhaseLog(bool verbose) : verbose(verbose) {}

  /// Runs from its construction to `finish`. A phase that fails is left
  /// unfinished and not recorded.
  class Running {
  public:
    Running(PhaseLog &log, Phase phase)
        : log(log), phase(phase), start(std::chrono::steady_clock::now()) {}
    /// `detail` is what came out, in a few words.
    void finish(std::string detail);

  private:
    PhaseLog &log;
    Phase phase;
    std::chrono::steady_clock::time_point start;
  };
  Running begin(Phase phase) { return Running(*this, phase); }

  /// Writes {"kernels": n, "phases": [{index, name, detail, ms}, …]}.
  llvm::Error writeTimings(llvm::StringRef file, unsigned kernelCount) const;

private:
  struct Entry {
    Phase phase;
    std::string detail;
    double milliseconds;
  };
  bool verbose;
  std::vector<Entry> entries;
};

} // namespace tessera

#endif // TESSERA_PIPELINE_PHASES_H
