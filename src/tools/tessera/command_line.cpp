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

constexpr std::array<VerbInfo, 10> verbs = {{
    {Verb::run, "run", "Compile a program and run it"},
    {Verb::build, "build", "Compile a program into a file"},
    {Verb::inspect, "inspect", "Print the IR or the PTX of the kernels"},
    {Verb::pipeline, "pipeline", "Print all phases, with times and IRs"},
    {Verb::list, "list", "List the examples"},
    {Verb::create, "new", "Make a folder with a small program"},
    {Verb::doctor, "doctor", "Say what is missing, and how to mend it"},
    {Verb::ptx, "ptx", "Run a kernel of a PTX file"},
    {Verb::clean, "clean", "Remove the build tree"},
    {Verb::test, "test", "Build everything and run the tests"},
}};

constexpr const char *examplesOfUse = R"(Examples:
  tessera run hello_constant                 an example, by its name
  tessera run main.cpp util.cpp -- 100       files; after -- the program's words
  tessera build saxpy.cpp -o saxpy --arch=sm_90
  tessera inspect saxpy.cpp --emit=ptx
  tessera pipeline vecadd
  tessera ptx run scale.ptx --block 256 --arg in:data.bin --arg 2.5 --show 1:f32

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

constexpr const char *ptxRunFooter =
    R"(Values of --arg, one for each parameter, in order:
  42  0x2a  -1  1.5          a number of the parameter's type
  i32:-1  f16:0.5  u64:7     a number of another type of the same size
  hex:00ff...                the bytes of a structure
  in:FILE[:BYTES]            a buffer with a file's content, and zeros after it
  zero:BYTES                 a buffer of zeros
  fill:BYTES:[TYPE:]VALUE    a buffer full of a value; without a type, of a byte
ARGUMENT is a number from 1, or a parameter's name.
)";

struct MomentsName {
  const char *name;
  vgpu::AsyncMoments moments;
};
constexpr std::array<MomentsName, 3> momentsNames = {{
    {"late", vgpu::AsyncMoments::late},
    {"early", vgpu::AsyncMoments::early},
    {"seeded", vgpu::AsyncMoments::seeded},
}};

void addMomentsOption(CLI::App &app, PtxOptions &options) {
  std::vector<std::string> names;
  for (const MomentsName &entry : momentsNames)
    names.emplace_back(entry.name);
  app.add_option_function<std::string>(
         "--moments",
         [&](const std::string &name) {
           options.moments =
               std::ranges::find(momentsNames, name, &MomentsName::name)
                   ->moments;
         },
         "When asynchronous operations take effect there: late (default), "
         "early or seeded")
      ->check(CLI::IsMember(names))
      ->type_name("WHEN");
}

void addSanitizeOption(CLI::App &app, PtxOptions &options) {
  app.add_option_function<std::string>(
         "--sanitize",
         [&](const std::string &name) {
           options.sanitize = vgpu::check::toolsNamed(name).value_or(0);
         },
         "Watch the run with memcheck, racecheck or all; what they find is an "
         "error")
      ->check([](const std::string &name) {
        return vgpu::check::toolsNamed(name)
                   ? std::string()
                   : "there is no checker '" + name +
                         "'; the checkers are memcheck, racecheck, and all";
      })
      ->type_name("TOOL");
}

void addPtxRunOptions(CLI::App &app, PtxOptions &options) {
  app.footer(ptxRunFooter);
  app.add_option("file", options.file, "PTX text")
      ->required()
      ->type_name("FILE");
  app.add_option("--kernel", options.kernel,
                 "The kernel; may be left out where there is one")
      ->type_name("NAME");
  app.add_option("--grid", options.grid, "Blocks (default 1)")
      ->type_name("X[,Y[,Z]]");
  app.add_option("--block", options.block,
                 "Threads of a block (default: what the kernel requires, or 1)")
      ->type_name("X[,Y[,Z]]");
  app.add_option("--cluster", options.cluster,
                 "Blocks of a cluster (default: what the kernel requires)")
      ->type_name("X[,Y[,Z]]");
  app.add_option("--shared", options.shared, "Dynamic shared memory")
      ->type_name("BYTES");
  addList(app, "--arg", options.arguments, "The next argument; see below")
      ->type_name("VALUE");
  addList(app, "--show", options.shows, "Print a buffer after the run (u32)")
      ->type_name("ARGUMENT[:TYPE[:COUNT]]");
  addList(app, "--save", options.saves, "Write a buffer to a file")
      ->type_name("ARGUMENT=FILE");
  app.add_option("--device", options.device, "vgpu:0 (default) or cuda:N")
      ->type_name("DEVICE");
  app.add_option_function<std::uint64_t>(
         "--seed",
         [&](std::uint64_t seed) {
           options.seed = seed;
           options.hasSeed = true;
         },
         "Order of the warps on the virtual GPU")
      ->type_name("N");
  addMomentsOption(app, options);
  app.add_option_function<std::uint64_t>(
         "--stress",
         [&](std::uint64_t count) {
           options.stress = count;
           options.hasStress = true;
         },
         "Run with N seeds, one after another; their outputs must agree")
      ->type_name("N");
  app.add_option("--max-instructions", options.maxInstructions,
                 "Stop after so many instructions of a warp")
      ->type_name("N");
  addSanitizeOption(app, options);
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
    for (const CLI::App *verb : app.get_subcommands()) {
      for (const CLI::App *inner : verb->get_subcommands())
        return inner->help("tessera " + verb->get_name());
      return verb->help("tessera");
    }
    return app.help();
  }

  std::string nameOfVerb() const {
    for (const CLI::App *verb : app.get_subcommands()) {
      for (const CLI::App *inner : verb->get_subcommands())
        return verb->get_name() + " " + inner->get_name();
      return verb->get_name();
    }
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
    case Verb::ptx: {
      verb.require_subcommand(1);
      CLI::App &run = *verb.add_subcommand("run", "Run a kernel");
      run.callback([this] { invocation.ptx.verb = PtxVerb::run; });
      addPtxRunOptions(run, invocation.ptx);
      return;
    }
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
