// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::driver;
using testing::HasSubstr;

namespace {

TEST(Compiler, ReadsTheVersionOfClang) {
  EXPECT_EQ(readClangVersion(
                "c", "Debian clang version 22.1.8 (1~deb12u1)\nTarget: x")
                .value(),
            "22.1.8");
}

TEST(Compiler, RefusesAnotherRelease) {
  Result<std::string> version =
      readClangVersion("clang++-14", "Debian clang version 14.0.6\n");
  ASSERT_FALSE(version);
  EXPECT_THAT(version.error().message,
              testing::AllOf(HasSubstr("clang 14.0.6"),
                             HasSubstr("made for clang 22")));
}

TEST(Compiler, RefusesOtherCompilers) {
  Result<std::string> version = readClangVersion("g++", "g++ (Debian) 12.2.0");
  ASSERT_FALSE(version);
  EXPECT_THAT(version.error().message, HasSubstr("'g++' is not clang"));
}

TEST(Compiler, SaysHowToGetOneThatIsMissing) {
  Result<Compiler> compiler = findCompiler("/no/such/clang++");
  ASSERT_FALSE(compiler);
  EXPECT_THAT(compiler.error().message,
              testing::AllOf(HasSubstr("/no/such/clang++"),
                             HasSubstr("apt-get install clang-22")));
}

} // namespace
