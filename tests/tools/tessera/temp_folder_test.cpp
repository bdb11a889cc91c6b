// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/temp_folder.h"

#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace tessera::driver;

namespace {

TEST(TempFolder, GoesWithAllItHolds) {
  fs::path path;
  {
    TempFolder folder = TempFolder::create().value();
    path = folder.path();
    fs::create_directories(path / "sub");
    std::ofstream(path / "sub/file") << "x";
    EXPECT_TRUE(fs::exists(path / "sub/file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempFolder, MovingKeepsOneOwner) {
  TempFolder folder = TempFolder::create().value();
  fs::path path = folder.path();
  {
    TempFolder moved = std::move(folder);
    EXPECT_EQ(moved.path(), path);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempFolder, SaysWhereItCannotBeMade) {
  const char *variable = std::getenv("TMPDIR");
  std::string former = variable ? variable : "/tmp";
  setenv("TMPDIR", "/no/such/folder", 1);
  Result<TempFolder> folder = TempFolder::create();
  setenv("TMPDIR", former.c_str(), 1);
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message,
              testing::AllOf(testing::HasSubstr("/no/such/folder"),
                             testing::HasSubstr("TMPDIR")));
}

} // namespace
