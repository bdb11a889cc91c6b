// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/layout.h"
#include "tools/tessera/temp_folder.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace tessera::driver;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class LayoutTest : public testing::Test {
protected:
  TempFolder folder = TempFolder::create().value();
  fs::path root = folder.path();

  void write(const fs::path &path, const std::string &text = "") const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
};

TEST_F(LayoutTest, AnInstallationLiesUnderItsPrefix) {
  Layout layout = Layout::around(root / "bin/tessera").value();
  EXPECT_FALSE(layout.isBuildTree());
  EXPECT_EQ(layout.plugin, root / "lib/tessera/libtessera-plugin.so");
  EXPECT_EQ(layout.runtime, root / "lib/tessera/libtessera-runtime.a");
  EXPECT_EQ(layout.include, root / "include");
  EXPECT_EQ(layout.examples, root / "share/tessera/examples");
}

TEST_F(LayoutTest, ABuildTreeNamesItsSources) {
  write("CMakeCache.txt", "# x\nCMAKE_HOME_DIRECTORY:INTERNAL=/src/tessera\n");
  Layout layout = Layout::around(root / "bin/tessera").value();
  EXPECT_TRUE(layout.isBuildTree());
  EXPECT_EQ(layout.plugin, root / "lib/libtessera-plugin.so");
  EXPECT_EQ(layout.include, "/src/tessera/include");
  EXPECT_EQ(layout.examples, "/src/tessera/examples");
}

TEST_F(LayoutTest, ADamagedCacheIsAnError) {
  write("CMakeCache.txt", "nothing here\n");
  EXPECT_FALSE(Layout::around(root / "bin/tessera"));
}

TEST_F(LayoutTest, NamesTheFirstMissingFile) {
  Layout layout = Layout::around(root / "bin/tessera").value();
  EXPECT_THAT(layout.checkComplete().error().message,
              HasSubstr("libtessera-plugin.so"));
  write("lib/tessera/libtessera-plugin.so");
  EXPECT_THAT(layout.checkComplete().error().message,
              HasSubstr("libtessera-runtime.a"));
  write("lib/tessera/libtessera-runtime.a");
  EXPECT_THAT(layout.checkComplete().error().message, HasSubstr("tessera.h"));
  write("include/tessera/tessera.h");
  EXPECT_TRUE(layout.checkComplete());
}

TEST_F(LayoutTest, ExamplesAreFoldersWithSources) {
  write("share/tessera/examples/vecadd/vecadd.cpp");
  write("share/tessera/examples/reduce/reduce.cpp");
  write("share/tessera/examples/notes/README.md");
  write("share/tessera/examples/stray.cpp");
  Layout layout = Layout::around(root / "bin/tessera").value();
  EXPECT_THAT(layout.exampleNames(), ElementsAre("reduce", "vecadd"));
}

} // namespace
