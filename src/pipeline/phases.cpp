// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/phases.h"
#include "pipeline/output.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {
namespace {
constexpr StringLiteral names[phaseCount] = {"discover", "import", "verify",
                                             "optimise", "lower",  "export",
                                             "codegen",  "guard",  "embed"};
} // namespace

StringRef phaseName(Phase phase) { return names[unsigned(phase) - 1]; }

std::optional<Phase> parsePhase(StringRef name) {
  for (unsigned i = 0; i < phaseCount; ++i)
    if (names[i] == name)
      return Phase(i + 1);
  return std::nullopt;
}

std::string countOf(unsigned count, StringRef noun) {
  return (Twine(count) + " " + noun + (count == 1 ? "" : "s")).str();
}

void PhaseLog::Running::finish(std::string detail) {
  double ms = std::chrono::duration<double, std::milli>(
                  std::chrono::steady_clock::now() - start)
                  .count();
  if (log.verbose)
    errs() << formatv("PHASE {0}/{1} {2,-9} {3} ({4:F1} ms)\n", unsigned(phase),
                      phaseCount, phaseName(phase), detail, ms);
  log.entries.push_back({phase, std::move(detail), ms});
}

Error PhaseLog::writeTimings(StringRef file, unsigned kernelCount) const {
  json::Array phases;
  for (const Entry &entry : entries)
    phases.push_back(json::Object{{"index", unsigned(entry.phase)},
                                  {"name", phaseName(entry.phase)},
                                  {"detail", entry.detail},
                                  {"ms", entry.milliseconds}});
  json::Value document =
      json::Object{{"kernels", kernelCount}, {"phases", std::move(phases)}};
  return writeFile(file, formatv("{0:2}\n", document).str());
}

} // namespace tessera
