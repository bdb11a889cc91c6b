// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/program.h"
#include "tools/tessera/temp_folder.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace tessera::driver;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class ProgramTest : public testing::Test {
protected:
  TempFolder folder = TempFolder::create().value();
  fs::path root = folder.path();
  Layout layout;

  void SetUp() override {
    layout.examples = root / "examples";
    write("examples/vecadd/vecadd.cpp");
  }

  std::string write(const fs::path &path) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << "int main() {}\n";
    return root / path;
  }

  std::string errorOf(const std::vector<std::string> &words) const {
    Result<Program> program = resolveProgram(words, layout);
    return program ? "no error" : program.error().message;
  }
};

TEST_F(ProgramTest, ANameIsAnExample) {
  Program program = resolveProgram({"vecadd"}, layout).value();
  EXPECT_EQ(program.name, "vecadd");
  EXPECT_THAT(program.sources,
              ElementsAre(root / "examples/vecadd/vecadd.cpp"));
}

TEST_F(ProgramTest, AMistypedNameGetsASuggestion) {
  EXPECT_THAT(errorOf({"vecad"}), HasSubstr("did you mean 'vecadd'?"));
  EXPECT_THAT(errorOf({"quicksilver"}),
              HasSubstr("there is no example, folder or file 'quicksilver'"));
}

TEST_F(ProgramTest, AFolderIsItsSources) {
  write("prog/b.cpp");
  write("prog/a.cc");
  write("prog/notes.txt");
  write("prog/sub/c.cpp");
  Program program = resolveProgram({root / "prog/"}, layout).value();
  EXPECT_EQ(program.name, "prog");
  EXPECT_THAT(program.sources,
              ElementsAre(root / "prog/a.cc", root / "prog/b.cpp"));
}

TEST_F(ProgramTest, AFolderWithoutSourcesIsAnError) {
  write("empty/notes.txt");
  EXPECT_THAT(errorOf({root / "empty"}), HasSubstr("holds no C++ source"));
}

TEST_F(ProgramTest, FilesMayHaveObjectsAmongThem) {
  std::string a = write("a.cpp"), b = write("b.cxx"), o = write("c.o");
  Program program = resolveProgram({a, o, b}, layout).value();
  EXPECT_EQ(program.name, "a");
  EXPECT_THAT(program.sources, ElementsAre(a, b));
  EXPECT_THAT(program.objects, ElementsAre(o));
}

TEST_F(ProgramTest, MissingFilesAreNamed) {
  EXPECT_THAT(errorOf({"missing.cpp"}),
              HasSubstr("no such file: 'missing.cpp'"));
  EXPECT_THAT(errorOf({write("a.cpp"), "missing.cpp"}),
              HasSubstr("no such file: 'missing.cpp'"));
}

TEST_F(ProgramTest, OtherFilesAreRefused) {
  EXPECT_THAT(errorOf({write("x.cu")}), HasSubstr("neither a C++ source"));
  EXPECT_THAT(errorOf({write("x.o")}), HasSubstr("no C++ source is given"));
  EXPECT_THAT(errorOf({write("a.cpp"), root / "examples"}),
              HasSubstr("is a folder"));
}

TEST_F(ProgramTest, TheOutputMustBeWritable) {
  Program program = resolveProgram({write("a.cpp")}, layout).value();
  auto error = [&](const fs::path &output) {
    Result<void> result = checkOutput(output, program);
    return result ? "no error" : result.error().message;
  };
  EXPECT_EQ(error(root / "out"), "no error");
  EXPECT_THAT(error(root / "none/out"), HasSubstr("there is no folder"));
  EXPECT_THAT(error(root / "examples"), HasSubstr("it is a folder"));
  EXPECT_THAT(error(root / "a.cpp"), HasSubstr("also an input"));
}

} // namespace
