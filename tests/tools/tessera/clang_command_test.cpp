// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/clang_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::driver;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

using Product = CompileStep::Product;

class ClangCommandTest : public testing::Test {
protected:
  Layout layout{.plugin = "/lib/plugin.so",
                .runtime = "/lib/runtime.a",
                .include = "/include",
                .examples = {},
                .buildRoot = {},
                .sourceRoot = {}};
  CompileOptions options;
  std::string arch;

  std::vector<std::string> compose(const CompileStep &step) const {
    return ClangCommand(layout, options, "clang++-22", arch, std::nullopt)
        .compose(step)
        .words;
  }
};

TEST_F(ClangCommandTest, OneCommandMakesAProgram) {
  EXPECT_THAT(compose({.inputs = {"a.cpp"}, .output = "a"}),
              ElementsAre("clang++-22", "-std=c++20", "-O2",
                          "-fplugin=/lib/plugin.so", "-fno-crash-diagnostics",
                          "-I/include", "a.cpp", "/lib/runtime.a", "-ldl",
                          "-lpthread", "-o", "a"));
}

TEST_F(ClangCommandTest, AnObjectIsNotLinked) {
  std::vector<std::string> words = compose(
      {.product = Product::object, .inputs = {"a.cpp"}, .output = "a.o"});
  EXPECT_THAT(words, Contains("-c"));
  EXPECT_THAT(words, Not(Contains("/lib/runtime.a")));
}

TEST_F(ClangCommandTest, LinkingNeedsNoPlugin) {
  options.definitions = {"X"};
  EXPECT_THAT(
      compose({.product = Product::link, .inputs = {"a.o"}, .output = "a"}),
      ElementsAre("clang++-22", "-std=c++20", "-O2", "a.o", "/lib/runtime.a",
                  "-ldl", "-lpthread", "-o", "a"));
}

TEST_F(ClangCommandTest, PassesOnTheUsersOptions) {
  options.optimisation = "0";
  options.standard = "c++23";
  options.debugInfo = true;
  options.includeFolders = {"inc"};
  options.definitions = {"N=1"};
  options.libraryFolders = {"libs"};
  options.libraries = {"m"};
  options.clangArguments = {"-march=native"};
  std::vector<std::string> words =
      compose({.inputs = {"a.cpp"}, .output = "a"});
  for (const char *word : {"-O0", "-std=c++23", "-g", "-Iinc", "-DN=1",
                           "-Llibs", "-lm", "-march=native"})
    EXPECT_THAT(words, Contains(word));
}

TEST_F(ClangCommandTest, LibrariesFollowTheSources) {
  options.libraries = {"m"};
  std::vector<std::string> words =
      compose({.inputs = {"a.cpp"}, .output = "a"});
  EXPECT_LT(std::ranges::find(words, "a.cpp"), std::ranges::find(words, "-lm"));
}

TEST_F(ClangCommandTest, TellsThePluginWhatToDo) {
  options.verbose = true;
  options.safe = true;
  options.strictFloat = true;
  arch = "sm_75,sm_90";
  std::vector<std::string> words =
      compose({.product = Product::object,
               .inputs = {"a.cpp"},
               .output = "/dev/null",
               .emits = {{"mir", "-"}, {"ptx", "x.ptx"}},
               .stopAfter = "codegen",
               .ptxOutput = "a.ptx",
               .timingReport = "t.json"});
  for (const char *argument :
       {"verbose", "safe", "strict-fp", "arch=sm_75,sm_90", "emit=mir:-",
        "emit=ptx:x.ptx", "stop-after=codegen", "ptx-out=a.ptx",
        "timings=t.json"})
    EXPECT_THAT(words,
                Contains("-fplugin-arg-tessera-" + std::string(argument)));
}

TEST_F(ClangCommandTest, StrictFloatIsForTheHostAsWell) {
  options.strictFloat = true;
  EXPECT_THAT(compose({.inputs = {"a.cpp"}, .output = "a"}),
              Contains("-ffp-contract=off"));
}

TEST_F(ClangCommandTest, NamesTheDeviceMathWhereItIsKnown) {
  ClangCommand command(layout, options, "clang++-22", "", "/clc/nvptx64--.bc");
  EXPECT_THAT(command.compose({.inputs = {"a.cpp"}, .output = "a"}).words,
              Contains("-fplugin-arg-tessera-clc=/clc/nvptx64--.bc"));
}

TEST_F(ClangCommandTest, NoFileIsTakenForAnOption) {
  EXPECT_THAT(compose({.inputs = {"-o.cpp"}, .output = "-v"}),
              testing::AllOf(Contains("./-o.cpp"), Contains("./-v")));
}

} // namespace
