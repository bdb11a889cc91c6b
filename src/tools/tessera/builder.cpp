// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/builder.h"

#include "tools/tessera/arch.h"
#include "tools/tessera/compiler.h"
#include "tools/tessera/phases.h"
#include "tools/tessera/temp_folder.h"

#include <iostream>
#include <set>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

using Product = CompileStep::Product;

std::string allSources(const Program &program) {
  std::string text;
  for (const fs::path &source : program.sources)
    text += (text.empty() ? "" : ", ") + source.string();
  return text;
}

/// Two sources of one name would write one PTX file.
Result<void> checkDistinctStems(const Program &program) {
  std::set<std::string> seen;
  for (const fs::path &source : program.sources)
    if (!seen.insert(source.stem()).second)
      return fail("--emit-ptx: two sources are called '" +
                  source.stem().string() + "'");
  return {};
}

std::vector<std::pair<std::string, std::string>>
emitsToStandardOutput(const CompileOptions &options) {
  std::vector<std::pair<std::string, std::string>> emits;
  for (const std::string &layer : options.emit)
    emits.emplace_back(layer, "-");
  return emits;
}

bool stopsBeforeTheEnd(const CompileOptions &options) {
  return !options.stopAfter.empty() && options.stopAfter != phaseNames.back();
}

} // namespace

Result<Builder> Builder::create(const Layout &layout,
                                const CompileOptions &options) {
  if (Result<void> complete = layout.checkComplete(); !complete)
    return std::unexpected(complete.error());
  Result<std::string> arch = resolveArch(options.arch);
  if (!arch)
    return std::unexpected(arch.error());
  Result<Compiler> compiler = findCompiler(options.compiler);
  if (!compiler)
    return std::unexpected(compiler.error());
  return Builder(options, ClangCommand(layout, options, compiler->path, *arch,
                                       findDeviceMath()));
}

Result<bool> Builder::build(const Program &program, const fs::path &output,
                            const fs::path &ptxFolder) const {
  if (stopsBeforeTheEnd(*options)) {
    if (Result<void> stopped = stopEarly(program); !stopped)
      return std::unexpected(stopped.error());
    return false;
  }
  if (Result<void> writable = checkOutput(output, program); !writable)
    return std::unexpected(writable.error());
  if (options->emitPtx && program.sources.size() > 1) {
    Result<void> built = buildSeparately(program, output, ptxFolder);
    if (!built)
      return std::unexpected(built.error());
    return true;
  }
  CompileStep step{.product = Product::program,
                   .inputs = program.sources,
                   .output = output,
                   .emits = emitsToStandardOutput(*options)};
  step.inputs.insert(step.inputs.end(), program.objects.begin(),
                     program.objects.end());
  if (options->emitPtx)
    step.ptxOutput = ptxFolder / (output.filename().string() + ".ptx");
  if (Result<void> built = run(step, allSources(program)); !built)
    return std::unexpected(built.error());
  return true;
}

Result<void> Builder::buildSeparately(const Program &program,
                                      const fs::path &output,
                                      const fs::path &ptxFolder) const {
  if (Result<void> distinct = checkDistinctStems(program); !distinct)
    return distinct;
  Result<TempFolder> scratch = TempFolder::create();
  if (!scratch)
    return std::unexpected(scratch.error());
  CompileStep link{.product = Product::link, .output = output};
  for (const fs::path &source : program.sources) {
    std::string stem = source.stem().string();
    fs::path object = scratch->path() / (stem + ".o");
    Result<void> compiled = run({.product = Product::object,
                                 .inputs = {source},
                                 .output = object,
                                 .emits = emitsToStandardOutput(*options),
                                 .ptxOutput = ptxFolder / (stem + ".ptx")},
                                source.string());
    if (!compiled)
      return compiled;
    link.inputs.push_back(object);
  }
  link.inputs.insert(link.inputs.end(), program.objects.begin(),
                     program.objects.end());
  return run(link, output.string());
}

Result<void> Builder::stopEarly(const Program &program) const {
  for (const fs::path &source : program.sources) {
    Result<void> compiled = run({.product = Product::object,
                                 .inputs = {source},
                                 .output = "/dev/null",
                                 .emits = emitsToStandardOutput(*options),
                                 .stopAfter = options->stopAfter},
                                source.string());
    if (!compiled)
      return compiled;
  }
  return {};
}

Result<void> Builder::run(const CompileStep &step,
                          std::string_view what) const {
  Command command = clang.compose(step);
  if (options->print) {
    std::cout << quoted(command) << std::endl;
    return {};
  }
  announce(*options, 'B', command);
  Result<ExitStatus> status = runAndWait(command);
  if (!status)
    return std::unexpected(status.error());
  if (status->succeeded())
    return {};
  return fail("clang++ could not " +
              std::string(step.product == Product::link ? "link" : "compile") +
              " " + std::string(what) + " (" + status->describe() + ")");
}

std::string Builder::describe(const CompileStep &step) const {
  return quoted(clang.compose(step));
}

void announce(const CompileOptions &options, char process,
              const Command &command) {
  if (options.verbose)
    std::cerr << '[' << process << "] " << quoted(command) << std::endl;
}

} // namespace tessera::driver
