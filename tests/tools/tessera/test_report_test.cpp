// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/temp_folder.h"
#include "tools/tessera/test_report.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace tessera::driver;

namespace {

constexpr const char *googleTestReport = R"({"testsuites": [
  {"name": "A", "testsuite": [
    {"name": "passes", "status": "RUN", "result": "COMPLETED"},
    {"name": "fails", "status": "RUN", "result": "COMPLETED",
     "failures": [{"failure": "x", "type": ""}]},
    {"name": "skipped", "status": "RUN", "result": "SKIPPED"}]},
  {"name": "B", "testsuite": [
    {"name": "DISABLED_x", "status": "NOTRUN", "result": "SUPPRESSED"},
    {"name": "passes", "status": "RUN", "result": "COMPLETED"}]}]})";

constexpr const char *passingReport = R"({"testsuites": [{"testsuite": [
    {"name": "x", "status": "RUN", "result": "COMPLETED"}]}]})";

TEST(TestReport, CountsGoogleTests) {
  EXPECT_EQ(countGoogleTests(googleTestReport).value(),
            (TestCounts{.passed = 2, .failed = 1, .skipped = 2}));
}

TEST(TestReport, CountsLitTests) {
  constexpr const char *report = R"({"tests": [
    {"code": "PASS"}, {"code": "XFAIL"}, {"code": "FAIL"}, {"code": "XPASS"},
    {"code": "UNRESOLVED"}, {"code": "TIMEOUT"}, {"code": "UNSUPPORTED"},
    {"code": "EXCLUDED"}]})";
  EXPECT_EQ(countLitTests(report).value(),
            (TestCounts{.passed = 2, .failed = 4, .skipped = 1}));
}

TEST(TestReport, DamagedReportsAreErrors) {
  EXPECT_FALSE(countGoogleTests("{"));
  EXPECT_FALSE(countGoogleTests("{}"));
  EXPECT_FALSE(countLitTests(R"({"tests": [{"code": 1}]})"));
  EXPECT_FALSE(readCTestList("[]"));
}

TEST(TestReport, ReadsCTestsList) {
  constexpr const char *list = R"({"tests": [
    {"name": "a", "command": ["/b/bin/a_test", "x"]}, {"name": "unbuilt"}]})";
  std::vector<CTestEntry> entries = readCTestList(list).value();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].program, "/b/bin/a_test");
  EXPECT_EQ(entries[1].name, "unbuilt");
}

class CTestCounts : public testing::Test {
protected:
  TempFolder folder = TempFolder::create().value();

  void report(const char *program, const char *text) const {
    std::ofstream(folder.path() / (std::string(program) + ".json")) << text;
  }
  TestCounts count(const std::set<std::string> &failed) const {
    return countCTest({{"a", "/bin/a"}, {"b", "/bin/b"}}, failed, folder.path())
        .value();
  }
};

TEST_F(CTestCounts, ReportsCountTheirTests) {
  report("a", googleTestReport);
  report("b", passingReport);
  EXPECT_EQ(count({"a"}), (TestCounts{.passed = 3, .failed = 1, .skipped = 2}));
}

TEST_F(CTestCounts, ProgramsWithoutReportCountOnce) {
  EXPECT_EQ(count({"b"}), (TestCounts{.passed = 1, .failed = 1}));
}

TEST_F(CTestCounts, ACrashAfterTheReportIsAFailure) {
  report("a", passingReport);
  report("b", passingReport);
  EXPECT_EQ(count({"b"}), (TestCounts{.passed = 2, .failed = 1}));
}

TEST(TestReport, SummaryIsTheClosingLine) {
  EXPECT_EQ((TestCounts{.passed = 12, .failed = 0, .skipped = 1}).summary(),
            "12 passed, 0 failed, 1 skipped");
}

} // namespace
