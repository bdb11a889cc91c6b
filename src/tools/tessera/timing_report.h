// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_TIMING_REPORT_H
#define TESSERA_TOOLS_TESSERA_TIMING_REPORT_H

#include "tools/tessera/error.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::driver {

struct PhaseTime {
  int index = 0; ///< from 1
  std::string name;
  std::string detail; ///< "3 kernels, 7 device functions"
  double milliseconds = 0;
};

/// What the plugin wrote about the compilation of one source.
struct TimingReport {
  int kernels = 0;
  std::vector<PhaseTime> phases;

  /// A file that is not there means that the plugin had nothing to do: a
  /// report without kernels. Anything else unreadable is an error.
  static Result<TimingReport> read(const std::filesystem::path &file);

  static Result<TimingReport> parse(std::string_view json);
};

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_TIMING_REPORT_H
