// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/command_line.h"

#include "tools/tessera/phases.h"
#include "tools/tessera/suggest.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

namespace tessera::driver {

namespace {

struct VerbInfo {
  Verb verb;
  const char *name;
  const char *description;
};

constexpr std::array<VerbInfo, 9> verbs = {{
    {Verb::run, "run", "Compile a program and run it"},
    {Verb::build, "build", "Compile a program into a file"},
    {Verb::inspect, "inspect", "Print the IR or the PTX of the kernels"},
    {Verb::pipeline, "pipeline", "Print all phases, with times and IRs"},
    {Verb::list, "list", "List the examples"},
    {Verb::create, "new", "Make a folder with a small program"},
    {Verb::doctor, "doctor", "Say what is missing, and how to mend it"},
    {Verb::clean, "clean", "Remove the build tree"},
    {Verb::test, "test", "Build everything and run the tests"},
}};

constexpr const char *examplesOfUse = R"(Examples:
  tessera run hello_constant                 an example, by its name
  tessera run main.cpp util.cpp -- 100       files; after -- the program's words
  tessera build saxpy.cpp -o saxpy --arch=sm_90
  tessera inspect saxpy.cpp --emit=ptx
  tessera pipeline vecadd

TESSERA_DEVICE=cuda:N or vgpu:0 chooses the device that a program runs on;
TESSERA_PTX_SAFETY=error, warn or off says how findings in the PTX are taken.
)";

/// clang spells some options that CLI11 reads as a bundle of letters with one
/// dash: give those the second one.
std::string withTwoDashes(const std::string &word) {
  for (std::string_view prefix : {"-std=", "-ftessera-"})
    if (word.starts_with(prefix))
      return "-" + word;
  return word;
}

CLI::Option *addList(CLI::App &app, const std::string &name,
                     std::vector<std::string> &values,
                     const std::string &description) {
  return app.add_option(name, values, description)->allow_extra_args(false);
}

void addCompileOptions(CLI::App &app, CompileOptions &options) {
  app.add_option("target", options.target,
                 "The name of an example, a folder, or C++ files")
      ->required()
      ->type_name("TARGET");
  app.add_option("--arch", options.arch,
                 "GPU architecture: sm_75 to sm_90a (several with commas), "
                 "native, or default: the least that the kernels need")
      ->type_name("ARCH");
  app.add_option("-o", options.output, "Output file")->type_name("FILE");
  app.add_option("-O", options.optimisation, "Optimisation of the host code")
      ->type_name("0..3")
      ->check(CLI::IsMember({"0", "1", "2", "3"}));
  app.add_flag("-g", options.debugInfo, "Debug information");
  app.add_flag("-v,--verbose", options.verbose,
               "Print the commands and the nine phases");
  app.add_flag("--print", options.print,
               "Print the commands, run none of them");
  addList(app, "-I", options.includeFolders, "Folder of headers")
      ->type_name("DIR");
  addList(app, "-D", options.definitions, "Macro")->type_name("NAME[=VALUE]");
  addList(app, "-L", options.libraryFolders, "Folder of libraries")
      ->type_name("DIR");
  addList(app, "-l", options.libraries, "Library")->type_name("NAME");
  app.add_option("--std", options.standard, "C++ standard (also -std=)")
      ->type_name("c++20");
  addList(app, "--clang-arg", options.clangArguments,
          "One more argument for clang")
      ->type_name("ARG");
  app.add_option("--compiler", options.compiler, "Another clang++ 22")
      ->type_name("PATH");
  addList(app, "--emit", options.emit,
          "Print a layer: mir, mir-opt, llvm-dialect, ll or ptx")
      ->type_name("LAYER");
  app.add_option("--stop-after", options.stopAfter,
                 "Stop after a phase, discover to embed")
      ->type_name("PHASE");
  app.add_flag("--emit-ptx", options.emitPtx,
               "Write the PTX to a file beside the output");
  app.add_flag("--ftessera-safe", options.safe,
               "Pointers, casts and PTX only in [[tessera::unsafe]] functions "
               "(also -ftessera-safe)");
  app.add_flag("--ftessera-strict-fp", options.strictFloat,
               "No contraction of floating-point operations (also "
               "-ftessera-strict-fp)");
}

Result<void> checkNames(const CompileOptions &options) {
  for (const std::string &layer : options.emit)
    if (Result<Layer> known = findLayer(layer); !known)
      return std::unexpected(known.error());
  if (!options.stopAfter.empty())
    if (Result<std::string_view> known = findPhase(options.stopAfter); !known)
      return std::unexpected(known.error());
  return {};
}

std::vector<std::string> verbNames() {
  std::vector<std::string> names;
  for (const VerbInfo &info : verbs)
    names.emplace_back(info.name);
  return names;
}

/// The command line's grammar, bound to the invocation that it fills.
class Grammar {
public:
  Grammar() {
    app.set_version_flag("--version", "tessera " TESSERA_VERSION);
    app.footer(examplesOfUse);
    app.require_subcommand(1);
    for (const VerbInfo &info : verbs)
      addVerb(info);
  }

  /// Throws CLI::ParseError, also for `--help` and `--version`.
  void parse(std::vector<std::string> words) {
    std::ranges::reverse(words); // CLI11 takes them from the back
    app.parse(std::move(words));
  }

  /// The help text of the verb that was being parsed, or of the program.
  std::string help() {
    for (const CLI::App *verb : app.get_subcommands())
      return verb->help("tessera");
    return app.help();
  }

  std::string nameOfVerb() const {
    for (const CLI::App *verb : app.get_subcommands())
      return verb->get_name();
    return {};
  }

  Invocation invocation;

private:
  void addVerb(const VerbInfo &info) {
    CLI::App &verb = *app.add_subcommand(info.name, info.description);
    verb.footer("");
    verb.callback([this, kind = info.verb] { invocation.verb = kind; });
    switch (info.verb) {
    case Verb::run:
    case Verb::build:
    case Verb::inspect:
      addCompileOptions(verb, invocation.compile);
      return;
    case Verb::pipeline:
      addCompileOptions(verb, invocation.compile);
      verb.add_flag("--times", invocation.timesOnly, "Times only, no layers");
      return;
    case Verb::create:
      verb.add_option("name", invocation.name, "The folder to make")
          ->required()
          ->type_name("NAME");
      return;
    case Verb::test:
      verb.add_option("filter", invocation.filter,
                      "Only tests whose name matches this expression")
          ->type_name("REGEX");
      return;
    case Verb::list:
    case Verb::doctor:
    case Verb::clean:
      return;
    }
  }

  CLI::App app{"Compiles C++ programs with GPU kernels, and runs them.",
               "tessera"};
};

/// CLI11's message, made one line, with a hint for options that are clang's.
std::string explain(const CLI::ParseError &error, const std::string &verb) {
  std::string text = error.what();
  std::ranges::replace(text, '\n', ' ');
  bool unknownWord = dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr;
  if (unknownWord && text.contains(" -"))
    text += " (clang's own options go through --clang-arg=…)";
  return text + "; see 'tessera " + (verb.empty() ? "" : verb + " ") +
         "--help'";
}

} // namespace

Result<std::variant<Invocation, Information>>
readCommandLine(const std::vector<std::string> &words) {
  if (words.empty())
    return fail("say what to do: " + std::string("tessera run hello_constant") +
                    ", or 'tessera --help'",
                exitUsage);
  std::vector<std::string> names = verbNames();
  bool isVerb = std::ranges::find(names, words[0]) != names.end();
  if (!words[0].starts_with("-") && !isVerb)
    return fail("unknown verb '" + words[0] + "'" +
                    didYouMean(words[0], names) +
                    " ('tessera --help' lists "
                    "them)",
                exitUsage);

  auto end = std::ranges::find(words, "--");
  std::vector<std::string> own;
  std::transform(words.begin(), end, std::back_inserter(own), withTwoDashes);
  Grammar grammar;
  try {
    grammar.parse(std::move(own));
  } catch (const CLI::CallForHelp &) {
    return Information{grammar.help()};
  } catch (const CLI::CallForVersion &version) {
    return Information{std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError &error) {
    return fail(explain(error, grammar.nameOfVerb()), exitUsage);
  }

  Invocation &invocation = grammar.invocation;
  if (end != words.end()) {
    if (invocation.verb != Verb::run)
      return fail("only 'run' passes on what follows --", exitUsage);
    invocation.programArguments.assign(std::next(end), words.end());
  }
  if (Result<void> known = checkNames(invocation.compile); !known)
    return std::unexpected(known.error());
  return invocation;
}

} // namespace tessera::driver
