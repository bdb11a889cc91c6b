// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts single tests in the reports of the test runners.

#ifndef TESSERA_TOOLS_TESSERA_TEST_REPORT_H
#define TESSERA_TOOLS_TESSERA_TEST_REPORT_H

#include "tools/tessera/error.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::driver {

struct TestCounts {
  int passed = 0;
  int failed = 0;
  int skipped = 0;

  TestCounts &operator+=(const TestCounts &other);
  int all() const { return passed + failed + skipped; }
  /// "12 passed, 0 failed, 1 skipped".
  std::string summary() const;
  friend bool operator==(const TestCounts &, const TestCounts &) = default;
};

/// Reads the JSON that a GoogleTest program writes. Disabled tests are skipped
/// ones.
Result<TestCounts> countGoogleTests(std::string_view json);

/// Reads the JSON that `lit --output` writes. Expected failures pass; tests
/// that a filter left out do not count.
Result<TestCounts> countLitTests(std::string_view json);

/// A program that CTest runs.
struct CTestEntry {
  std::string name;
  std::filesystem::path program;
};

/// Reads what `ctest --show-only=json-v1` prints.
Result<std::vector<CTestEntry>> readCTestList(std::string_view json);

/// The single tests of CTest's entries: those in a program's GoogleTest report
/// (`<program>.json` in `reports`), or one for a program without a report. A
/// program in `failed` whose report has no failure (it crashed, say) counts
/// one failure more.
Result<TestCounts> countCTest(const std::vector<CTestEntry> &entries,
                              const std::set<std::string> &failed,
                              const std::filesystem::path &reports);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_TEST_REPORT_H
