// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/process.h"
#include "tools/tessera/temp_folder.h"
#include "tools/tessera/test_report.h"
#include "tools/tessera/verbs/verbs.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

class Stopwatch {
public:
  /// Seconds since the object was made.
  double seconds() const {
    std::chrono::duration<double> time = Clock::now() - begin;
    return time.count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
};

std::string jobs() {
  return std::to_string(std::max(1u, std::thread::hardware_concurrency()));
}

Result<void> buildAll(const Layout &layout) {
  Result<ExitStatus> status =
      runAndWait({.words = {"cmake", "--build", layout.buildRoot.string(),
                            "--parallel", jobs()},
                  .environment = {}});
  if (!status)
    return std::unexpected(status.error());
  if (!status->succeeded())
    return fail("the build failed (" + status->describe() + ")");
  return {};
}

/// The names in CTest's record of failures: lines of "number:name".
std::set<std::string> readFailures(const fs::path &record) {
  std::set<std::string> names;
  std::ifstream file(record);
  for (std::string line; std::getline(file, line);)
    if (std::size_t colon = line.find(':'); colon != std::string::npos)
      names.insert(line.substr(colon + 1));
  return names;
}

Result<TestCounts> runCTest(const std::string &filter, const Layout &layout,
                            const fs::path &scratch) {
  Command command{.words = {"ctest", "--test-dir", layout.buildRoot.string()},
                  .environment = {}};
  if (!filter.empty())
    command.words.insert(command.words.end(), {"-R", filter});

  Command listing = command;
  listing.words.emplace_back("--show-only=json-v1");
  Result<CapturedOutput> listed = runAndCapture(listing);
  if (!listed)
    return std::unexpected(listed.error());
  if (!listed->status.succeeded())
    return fail("ctest cannot list the tests: " + listed->output);
  Result<std::vector<CTestEntry>> entries = readCTestList(listed->output);
  if (!entries)
    return std::unexpected(entries.error());
  if (entries->empty())
    return TestCounts();

  fs::path record = layout.buildRoot / "Testing/Temporary/LastTestsFailed.log";
  std::error_code ignored;
  fs::remove(record, ignored);
  command.words.insert(command.words.end(), {"--output-on-failure", "--timeout",
                                             "900", "--parallel", jobs()});
  command.environment.emplace_back("GTEST_OUTPUT",
                                   "json:" + (scratch / "").string());
  Result<ExitStatus> status = runAndWait(command);
  if (!status)
    return std::unexpected(status.error());
  std::set<std::string> failed = readFailures(record);
  if (!status->succeeded() && failed.empty())
    return fail("ctest ended with " + status->describe());
  return countCTest(*entries, failed, scratch);
}

/// An invalid expression is CTest's and lit's to report; both read the same
/// simple ones.
Result<TestCounts> runLit(const std::string &filter, const Layout &layout,
                          const fs::path &scratch) {
  fs::path suite = layout.buildRoot / "tests";
  fs::path report = scratch / "lit-report.json";
  Command command{.words = {TESSERA_LIT, "--succinct", "--verbose", "--workers",
                            jobs(), "--output", report.string()},
                  .environment = {}};
  if (!filter.empty())
    command.words.insert(command.words.end(),
                         {"--filter", filter, "--allow-empty-runs"});
  command.words.push_back(suite.string());
  Result<ExitStatus> status = runAndWait(command);
  if (!status)
    return std::unexpected(status.error());
  std::ifstream file(report);
  if (!file)
    return fail("lit ended with " + status->describe() +
                " and without a report");
  Result<TestCounts> counts =
      countLitTests(std::string{std::istreambuf_iterator<char>(file), {}});
  if (counts && !status->succeeded() && counts->failed == 0)
    return fail("lit ended with " + status->describe());
  return counts;
}

} // namespace

Result<int> runTests(const std::string &filter, const Layout &layout) {
  if (!layout.isBuildTree())
    return fail("'test' needs a source tree: run ./tessera test in a clone");
  Stopwatch buildTime;
  if (Result<void> built = buildAll(layout); !built)
    return std::unexpected(built.error());
  double buildSeconds = buildTime.seconds();

  Result<TempFolder> scratch = TempFolder::create();
  if (!scratch)
    return std::unexpected(scratch.error());
  Stopwatch testTime;
  TestCounts counts;
  for (auto runner : {runCTest, runLit}) {
    Result<TestCounts> some = runner(filter, layout, scratch->path());
    if (!some)
      return std::unexpected(some.error());
    counts += *some;
  }
  if (counts.all() == 0)
    return fail(filter.empty() ? "there are no tests"
                               : "no test's name matches '" + filter + "'");
  std::printf("\nbuild %.1f s, tests %.1f s\n%s\n", buildSeconds,
              testTime.seconds(), counts.summary().c_str());
  return counts.failed == 0 ? 0 : exitFailure;
}

} // namespace tessera::driver
