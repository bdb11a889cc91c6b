// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/arch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::driver;
using testing::HasSubstr;

namespace {

TEST(Arch, DefaultLeavesTheChoiceToThePlugin) {
  EXPECT_EQ(resolveArch("default").value(), "");
}

TEST(Arch, TakesSeveralWithCommas) {
  EXPECT_EQ(resolveArch("sm_75,sm_90a").value(), "sm_75,sm_90a");
}

TEST(Arch, SuggestsTheNearestName) {
  Result<std::string> arch = resolveArch("sm90");
  ASSERT_FALSE(arch);
  EXPECT_THAT(arch.error().message, HasSubstr("unknown architecture 'sm90'"));
  EXPECT_THAT(arch.error().message, HasSubstr("did you mean 'sm_90'?"));
  EXPECT_EQ(arch.error().exitCode, exitUsage);
}

TEST(Arch, RefusesEmptyPartsOfAList) {
  EXPECT_FALSE(resolveArch(""));
  EXPECT_FALSE(resolveArch("sm_80,"));
  EXPECT_FALSE(resolveArch(",sm_80"));
}

TEST(Arch, NativeIsWhatTheGpuCanRun) {
  EXPECT_EQ(archForCapability(75).value(), "sm_75");
  EXPECT_EQ(archForCapability(88).value(), "sm_87");
  EXPECT_EQ(archForCapability(90).value(), "sm_90a");
}

TEST(Arch, LaterGpusGetWhatIsPortable) {
  EXPECT_EQ(archForCapability(100).value(), "sm_90");
}

TEST(Arch, OlderGpusAreRefused) {
  Result<std::string> arch = archForCapability(61);
  ASSERT_FALSE(arch);
  EXPECT_THAT(arch.error().message, HasSubstr("6.1"));
}

} // namespace
