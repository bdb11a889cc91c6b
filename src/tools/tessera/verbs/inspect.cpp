// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/builder.h"
#include "tools/tessera/phases.h"
#include "tools/tessera/temp_folder.h"
#include "tools/tessera/verbs/verbs.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

std::string fileText(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The layers asked for, in the order in which the phases make them.
std::vector<Layer> wantedLayers(const CompileOptions &options) {
  std::vector<Layer> wanted;
  for (const Layer &layer : layers)
    if (std::ranges::find(options.emit, layer.name) != options.emit.end())
      wanted.push_back(layer);
  return wanted;
}

/// Compiles one source as far as its last wanted layer and returns the layers'
/// texts, one after the other. With several, each gets a heading.
Result<std::string> layersOf(const Builder &builder,
                             const CompileOptions &options,
                             const fs::path &source, const fs::path &scratch) {
  std::vector<Layer> wanted = wantedLayers(options);
  CompileStep step{.product = CompileStep::Product::object,
                   .inputs = {source},
                   .output = "/dev/null",
                   .stopAfter = options.stopAfter};
  if (step.stopAfter.empty())
    step.stopAfter = wanted.back().stopAfter;
  for (const Layer &layer : wanted)
    step.emits.emplace_back(layer.name, scratch / layer.name);
  if (Result<void> compiled = builder.run(step, source.string()); !compiled)
    return std::unexpected(compiled.error());
  if (options.print)
    return std::string();

  std::string text;
  for (const auto &[layer, file] : step.emits) {
    std::string body = fileText(file);
    if (body.empty())
      continue;
    if (wanted.size() > 1)
      text += "// ----- " + layer + " -----\n";
    text += body;
    fs::remove(file);
  }
  if (text.empty())
    return fail(source.string() + " has no kernels to show");
  return text;
}

/// Writes to a file, or to standard output when none is named.
Result<void> write(const std::string &text, const std::string &output) {
  if (output.empty()) {
    if (std::cout << text << std::flush)
      return {};
    return fail("cannot write to standard output");
  }
  std::ofstream file(output, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    return fail("cannot write '" + output + "': " + std::strerror(errno));
  return {};
}

Result<void> checkOptions(const CompileOptions &options,
                          const Program &program) {
  if (!options.output.empty() && program.sources.size() > 1)
    return fail("-o takes the layers of one source, and there are several",
                exitUsage);
  if (!options.output.empty())
    if (Result<void> valid = checkOutput(options.output, program); !valid)
      return valid;
  if (!options.stopAfter.empty() && !wantedLayers(options).empty()) {
    auto placeOf = [](std::string_view phase) {
      return std::ranges::find(phaseNames, phase) - phaseNames.begin();
    };
    Layer last = wantedLayers(options).back();
    if (placeOf(options.stopAfter) < placeOf(last.madeBy))
      return fail("--emit=" + std::string(last.name) + " comes after phase " +
                      options.stopAfter + ", at which the compilation stops",
                  exitUsage);
  }
  return {};
}

} // namespace

Result<int> inspectProgram(const Invocation &invocation, const Layout &layout) {
  CompileOptions options = invocation.compile;
  if (options.emit.empty())
    options.emit.emplace_back(layers.front().name);
  Result<Program> program = resolveProgram(options.target, layout);
  if (!program)
    return std::unexpected(program.error());
  if (Result<void> valid = checkOptions(options, *program); !valid)
    return std::unexpected(valid.error());
  Result<Builder> builder = Builder::create(layout, options);
  if (!builder)
    return std::unexpected(builder.error());
  Result<TempFolder> scratch = TempFolder::create();
  if (!scratch)
    return std::unexpected(scratch.error());

  std::string text;
  for (const fs::path &source : program->sources) {
    Result<std::string> more =
        layersOf(*builder, options, source, scratch->path());
    if (!more)
      return std::unexpected(more.error());
    text += *more;
  }
  if (Result<void> written = write(text, options.output); !written)
    return std::unexpected(written.error());
  return 0;
}

} // namespace tessera::driver
