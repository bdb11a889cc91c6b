// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/clang_command.h"

#include <string_view>

namespace tessera::driver {

namespace {

/// Adds one argument of the plugin.
void addPluginArgument(std::vector<std::string> &words, std::string_view name,
                       std::string_view value = {}) {
  std::string word = "-fplugin-arg-tessera-" + std::string(name);
  if (!value.empty())
    word += "=" + std::string(value);
  words.push_back(std::move(word));
}

/// A file's name such that clang cannot take it for an option.
std::string asInput(const std::filesystem::path &path) {
  std::string text = path.string();
  return text.starts_with("-") ? "./" + text : text;
}

} // namespace

ClangCommand::ClangCommand(const Layout &layout, const CompileOptions &options,
                           std::string compiler, std::string arch,
                           std::optional<std::filesystem::path> deviceMath)
    : layout(layout), options(options), compiler(std::move(compiler)),
      arch(std::move(arch)), deviceMath(std::move(deviceMath)) {}

Command ClangCommand::compose(const CompileStep &step) const {
  using Product = CompileStep::Product;
  Command command;
  std::vector<std::string> &words = command.words;
  words.push_back(compiler);
  addLanguageOptions(words);
  if (step.product != Product::link)
    addPlugin(words, step);
  words.insert(words.end(), options.clangArguments.begin(),
               options.clangArguments.end());
  if (step.product == Product::object)
    words.emplace_back("-c");
  for (const std::filesystem::path &input : step.inputs)
    words.push_back(asInput(input));
  if (step.product != Product::object)
    addLinkInputs(words);
  words.emplace_back("-o");
  words.push_back(asInput(step.output));
  return command;
}

void ClangCommand::addLanguageOptions(std::vector<std::string> &words) const {
  words.push_back("-std=" + options.standard);
  words.push_back("-O" + options.optimisation);
  if (options.debugInfo)
    words.emplace_back("-g");
  if (options.strictFloat)
    words.emplace_back("-ffp-contract=off");
}

void ClangCommand::addPlugin(std::vector<std::string> &words,
                             const CompileStep &step) const {
  words.push_back("-fplugin=" + layout.plugin.string());
  // After a crash clang would preprocess all inputs again, libraries included:
  // minutes, for a reproducer that then fails.
  words.emplace_back("-fno-crash-diagnostics");
  if (!arch.empty())
    addPluginArgument(words, "arch", arch);
  if (options.verbose)
    addPluginArgument(words, "verbose");
  if (options.safe)
    addPluginArgument(words, "safe");
  if (options.strictFloat)
    addPluginArgument(words, "strict-fp");
  for (const auto &[layer, file] : step.emits)
    addPluginArgument(words, "emit", layer + ":" + file);
  if (!step.stopAfter.empty())
    addPluginArgument(words, "stop-after", step.stopAfter);
  if (!step.ptxOutput.empty())
    addPluginArgument(words, "ptx-out", step.ptxOutput.string());
  if (!step.timingReport.empty())
    addPluginArgument(words, "timings", step.timingReport.string());
  if (deviceMath)
    addPluginArgument(words, "clc", deviceMath->string());
  words.push_back("-I" + layout.include.string());
  for (const std::string &folder : options.includeFolders)
    words.push_back("-I" + folder);
  for (const std::string &definition : options.definitions)
    words.push_back("-D" + definition);
}

void ClangCommand::addLinkInputs(std::vector<std::string> &words) const {
  for (const std::string &folder : options.libraryFolders)
    words.push_back("-L" + folder);
  for (const std::string &library : options.libraries)
    words.push_back("-l" + library);
  words.push_back(layout.runtime.string());
  words.emplace_back("-ldl");
  words.emplace_back("-lpthread");
}

} // namespace tessera::driver
