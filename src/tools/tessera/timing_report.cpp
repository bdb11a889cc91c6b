// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/timing_report.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

namespace tessera::driver {

Result<TimingReport> TimingReport::read(const std::filesystem::path &file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return TimingReport();
  std::ifstream stream(file);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse(text);
}

Result<TimingReport> TimingReport::parse(std::string_view json) {
  try {
    nlohmann::json document = nlohmann::json::parse(json);
    TimingReport report;
    report.kernels = document.at("kernels").get<int>();
    for (const nlohmann::json &phase : document.at("phases"))
      report.phases.push_back({.index = phase.at("index").get<int>(),
                               .name = phase.at("name").get<std::string>(),
                               .detail = phase.value("detail", std::string()),
                               .milliseconds = phase.at("ms").get<double>()});
    return report;
  } catch (const nlohmann::json::exception &failure) {
    return fail(std::string("the plugin's report of phase times is damaged: ") +
                failure.what());
  }
}

} // namespace tessera::driver
