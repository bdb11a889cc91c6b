// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::driver;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

Invocation read(const std::vector<std::string> &words) {
  return std::get<Invocation>(readCommandLine(words).value());
}

std::string errorOf(const std::vector<std::string> &words) {
  auto result = readCommandLine(words);
  if (result)
    return "no error";
  EXPECT_EQ(result.error().exitCode, exitUsage);
  EXPECT_THAT(result.error().message, testing::Not(HasSubstr("\n")));
  return result.error().message;
}

TEST(CommandLine, ReadsClangsSpellings) {
  CompileOptions options =
      read({"build", "a.cpp", "-O3", "-g", "-Iinc", "-I", "more", "-DA",
            "-DB=-x", "-Ldir", "-lm", "-std=c++23", "-ftessera-safe",
            "-ftessera-strict-fp", "-o", "out", "b.cpp"})
          .compile;
  EXPECT_THAT(options.target, ElementsAre("a.cpp", "b.cpp"));
  EXPECT_EQ(options.optimisation, "3");
  EXPECT_TRUE(options.debugInfo);
  EXPECT_THAT(options.includeFolders, ElementsAre("inc", "more"));
  EXPECT_THAT(options.definitions, ElementsAre("A", "B=-x"));
  EXPECT_THAT(options.libraryFolders, ElementsAre("dir"));
  EXPECT_THAT(options.libraries, ElementsAre("m"));
  EXPECT_EQ(options.standard, "c++23");
  EXPECT_TRUE(options.safe);
  EXPECT_TRUE(options.strictFloat);
  EXPECT_EQ(options.output, "out");
}

TEST(CommandLine, ListsTakeOneValueEach) {
  CompileOptions options =
      read({"run", "-I", "inc", "a.cpp", "--emit", "mir", "b.cpp"}).compile;
  EXPECT_THAT(options.target, ElementsAre("a.cpp", "b.cpp"));
  EXPECT_THAT(options.emit, ElementsAre("mir"));
}

TEST(CommandLine, PassesClangsOwnOptionsThrough) {
  CompileOptions options =
      read({"build", "a.cpp", "--clang-arg=-march=native", "--clang-arg=-w"})
          .compile;
  EXPECT_THAT(options.clangArguments, ElementsAre("-march=native", "-w"));
}

TEST(CommandLine, TheProgramsWordsAreItsOwn) {
  Invocation invocation =
      read({"run", "vecadd", "--", "-v", "--help", "--", "x"});
  EXPECT_THAT(invocation.programArguments,
              ElementsAre("-v", "--help", "--", "x"));
  EXPECT_FALSE(invocation.compile.verbose);
}

TEST(CommandLine, OnlyRunHasAProgram) {
  EXPECT_THAT(errorOf({"build", "vecadd", "--", "x"}), HasSubstr("'run'"));
}

TEST(CommandLine, UnknownVerbsGetASuggestion) {
  EXPECT_THAT(errorOf({"rnu", "vecadd"}),
              HasSubstr("unknown verb 'rnu'; did you mean 'run'?"));
  EXPECT_THAT(errorOf({"frobnicate"}), HasSubstr("unknown verb"));
}

TEST(CommandLine, NothingIsAnErrorThatSaysWhatToDo) {
  EXPECT_THAT(errorOf({}), HasSubstr("tessera run hello_constant"));
}

TEST(CommandLine, UnknownOptionsPointToClangArg) {
  EXPECT_THAT(
      errorOf({"build", "a.cpp", "-march=native"}),
      testing::AllOf(HasSubstr("-march=native"), HasSubstr("--clang-arg")));
}

TEST(CommandLine, ChecksNames) {
  EXPECT_THAT(errorOf({"inspect", "a.cpp", "--emit=mri"}),
              HasSubstr("mir, mir-opt, llvm-dialect, ll, ptx"));
  EXPECT_THAT(errorOf({"build", "a.cpp", "--stop-after=end"}),
              HasSubstr("discover, import"));
  EXPECT_THAT(errorOf({"build", "a.cpp", "-O4"}), HasSubstr("-O"));
}

TEST(CommandLine, ATargetIsNeeded) {
  EXPECT_THAT(errorOf({"run"}), HasSubstr("target"));
  EXPECT_THAT(errorOf({"new"}), HasSubstr("name"));
}

TEST(CommandLine, HelpAndVersionAreInformation) {
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"--version"}})
    EXPECT_TRUE(
        std::holds_alternative<Information>(readCommandLine(words).value()));
  auto help = readCommandLine({"--help"}).value();
  EXPECT_THAT(std::get<Information>(help).text,
              testing::AllOf(HasSubstr("Examples:"), HasSubstr("pipeline")));
}

} // namespace
