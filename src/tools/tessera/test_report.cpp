// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/test_report.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

using nlohmann::json;

namespace tessera::driver {

namespace {

/// Calls `read` with the parsed text; a damaged report becomes an error.
template <typename Read>
auto readReport(std::string_view what, std::string_view text, Read read)
    -> Result<decltype(read(json()))> {
  try {
    return read(json::parse(text));
  } catch (const json::exception &failure) {
    return fail(std::string(what) + " is damaged: " + failure.what());
  }
}

void countGoogleTest(const json &test, TestCounts &counts) {
  if (test.contains("failures"))
    ++counts.failed;
  else if (test.at("status") == "NOTRUN" || test.at("result") == "SKIPPED")
    ++counts.skipped;
  else
    ++counts.passed;
}

void countLitTest(const std::string &code, TestCounts &counts) {
  if (code == "PASS" || code == "FLAKYPASS" || code == "XFAIL")
    ++counts.passed;
  else if (code == "UNSUPPORTED" || code == "SKIPPED")
    ++counts.skipped;
  else if (code != "EXCLUDED")
    ++counts.failed;
}

} // namespace

TestCounts &TestCounts::operator+=(const TestCounts &other) {
  passed += other.passed;
  failed += other.failed;
  skipped += other.skipped;
  return *this;
}

std::string TestCounts::summary() const {
  return std::to_string(passed) + " passed, " + std::to_string(failed) +
         " failed, " + std::to_string(skipped) + " skipped";
}

Result<TestCounts> countGoogleTests(std::string_view text) {
  return readReport("a GoogleTest report", text, [](const json &document) {
    TestCounts counts;
    for (const json &suite : document.at("testsuites"))
      for (const json &test : suite.at("testsuite"))
        countGoogleTest(test, counts);
    return counts;
  });
}

Result<TestCounts> countLitTests(std::string_view text) {
  return readReport("lit's report", text, [](const json &document) {
    TestCounts counts;
    for (const json &test : document.at("tests"))
      countLitTest(test.at("code").get<std::string>(), counts);
    return counts;
  });
}

Result<std::vector<CTestEntry>> readCTestList(std::string_view text) {
  return readReport("CTest's list of tests", text, [](const json &document) {
    std::vector<CTestEntry> entries;
    for (const json &test : document.at("tests")) {
      CTestEntry entry{.name = test.at("name").get<std::string>(),
                       .program = {}};
      // A program that was not built has no command.
      if (test.contains("command"))
        entry.program = test.at("command").at(0).get<std::string>();
      entries.push_back(std::move(entry));
    }
    return entries;
  });
}

Result<TestCounts> countCTest(const std::vector<CTestEntry> &entries,
                              const std::set<std::string> &failed,
                              const std::filesystem::path &reports) {
  TestCounts counts;
  for (const CTestEntry &entry : entries) {
    bool entryFailed = failed.contains(entry.name);
    std::filesystem::path report =
        reports / (entry.program.filename().string() + ".json");
    std::error_code ignored;
    if (!std::filesystem::exists(report, ignored)) {
      ++(entryFailed ? counts.failed : counts.passed);
      continue;
    }
    std::ifstream file(report);
    Result<TestCounts> single =
        countGoogleTests(std::string{std::istreambuf_iterator<char>(file), {}});
    if (!single)
      return fail(entry.name + ": " + single.error().message);
    counts += *single;
    if (entryFailed && single->failed == 0)
      ++counts.failed;
  }
  return counts;
}

} // namespace tessera::driver
