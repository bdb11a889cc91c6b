// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/builder.h"
#include "tools/tessera/phases.h"
#include "tools/tessera/temp_folder.h"
#include "tools/tessera/timing_report.h"
#include "tools/tessera/verbs/verbs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

std::string asMilliseconds(double time) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f ms", time);
  return text;
}

/// Fills up with spaces to a width in characters, of which UTF-8 takes several
/// bytes.
std::string padded(std::string text, std::size_t width) {
  auto characters = static_cast<std::size_t>(std::ranges::count_if(
      text, [](unsigned char byte) { return (byte & 0xC0) != 0x80; }));
  if (characters < width)
    text.append(width - characters, ' ');
  return text;
}

/// Prints a layer's file, indented by nothing so that it can be copied out.
void printLayer(const Layer &layer, const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || file.peek() == std::ifstream::traits_type::eof())
    return;
  std::cout << "\n--- " << layer.name << ": " << layer.title << " ---\n"
            << file.rdbuf() << "--- end of " << layer.name << " ---\n\n";
}

void printPhase(const PhaseTime &phase) {
  std::cout << "PHASE " << phase.index << '/' << phaseNames.size() << ' '
            << padded(phase.name, 9) << ' ' << padded(phase.detail, 44) << ' '
            << asMilliseconds(phase.milliseconds) << '\n';
}

/// Compiles one source to an object and prints what each phase made of it.
Result<void> showSource(const Builder &builder, const CompileOptions &options,
                        bool timesOnly, const fs::path &source,
                        const fs::path &scratch) {
  CompileStep step{.product = CompileStep::Product::object,
                   .inputs = {source},
                   .output = scratch / "object.o",
                   .stopAfter = options.stopAfter,
                   .timingReport = scratch / "times.json"};
  if (!timesOnly)
    for (const Layer &layer : layers)
      step.emits.emplace_back(layer.name, scratch / layer.name);

  auto begin = std::chrono::steady_clock::now();
  if (Result<void> compiled = builder.run(step, source.string()); !compiled)
    return compiled;
  if (options.print)
    return {};
  Milliseconds whole = std::chrono::steady_clock::now() - begin;

  Result<TimingReport> report = TimingReport::read(step.timingReport);
  if (!report)
    return fail(source.string() + ": " + report.error().message);
  if (report->kernels == 0)
    return fail(source.string() + " has no kernels to show");
  std::cout << "process A  tessera: finds the plugin, starts clang\n"
            << "process B  " << builder.describe(step) << "\n\n";
  double inPhases = 0;
  for (const PhaseTime &phase : report->phases) {
    printPhase(phase);
    inPhases += phase.milliseconds;
    for (const Layer &layer : layers)
      if (layer.madeBy == phase.name)
        printLayer(layer, scratch / layer.name);
  }
  std::cout << "\n"
            << source.string() << ": " << report->kernels
            << (report->kernels == 1 ? " kernel" : " kernels") << ", "
            << asMilliseconds(inPhases) << " in the phases, "
            << asMilliseconds(whole.count()) << " in clang altogether\n";
  return {};
}

} // namespace

Result<int> showPipeline(const Invocation &invocation, const Layout &layout) {
  const CompileOptions &options = invocation.compile;
  Result<Program> program = resolveProgram(options.target, layout);
  if (!program)
    return std::unexpected(program.error());
  Result<Builder> builder = Builder::create(layout, options);
  if (!builder)
    return std::unexpected(builder.error());
  for (const fs::path &source : program->sources) {
    Result<TempFolder> scratch = TempFolder::create();
    if (!scratch)
      return std::unexpected(scratch.error());
    Result<void> shown = showSource(*builder, options, invocation.timesOnly,
                                    source, scratch->path());
    if (!shown)
      return std::unexpected(shown.error());
  }
  return 0;
}

} // namespace tessera::driver
