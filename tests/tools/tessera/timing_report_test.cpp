// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/timing_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::driver;

namespace {

TEST(TimingReport, ReadsPhases) {
  TimingReport report = TimingReport::parse(R"({"kernels": 3, "phases": [
      {"index": 1, "name": "discover", "detail": "3 kernels", "ms": 1.25},
      {"index": 2, "name": "import", "ms": 2}]})")
                            .value();
  EXPECT_EQ(report.kernels, 3);
  ASSERT_EQ(report.phases.size(), 2u);
  EXPECT_EQ(report.phases[0].name, "discover");
  EXPECT_EQ(report.phases[0].detail, "3 kernels");
  EXPECT_DOUBLE_EQ(report.phases[0].milliseconds, 1.25);
  EXPECT_EQ(report.phases[1].index, 2);
}

TEST(TimingReport, NoFileMeansNoKernels) {
  EXPECT_EQ(TimingReport::read("/no/such/report").value().kernels, 0);
}

TEST(TimingReport, DamageIsAnError) {
  Result<TimingReport> report = TimingReport::parse(R"({"kernels": "many"})");
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, testing::HasSubstr("damaged"));
}

} // namespace
