// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/suggest.h"

#include <gtest/gtest.h>
#include <vector>

using namespace tessera::driver;

namespace {

const std::vector<std::string> verbs = {"run", "build", "inspect", "new"};

TEST(Suggest, FindsTheNearest) {
  EXPECT_EQ(nearest("biuld", verbs), "build");
  EXPECT_EQ(nearest("inspct", verbs), "inspect");
  EXPECT_EQ(nearest("rn", verbs), "run");
}

TEST(Suggest, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest("frobnicate", verbs), std::nullopt);
  EXPECT_EQ(nearest("", verbs), std::nullopt);
  EXPECT_EQ(nearest("run", {}), std::nullopt);
}

TEST(Suggest, MakesAQuestion) {
  EXPECT_EQ(didYouMean("rnu", verbs), "; did you mean 'run'?");
  EXPECT_EQ(didYouMean("frobnicate", verbs), "");
}

} // namespace
