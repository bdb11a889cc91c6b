// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the checkers share: kernels with a planted bug, and the
// same without it.

#ifndef TESSERA_TESTS_VGPU_CHECK_HARNESS_H
#define TESSERA_TESTS_VGPU_CHECK_HARNESS_H

#include "vgpu/check/checks.h"
#include "vgpu/vgpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tessera::vgpu::test {

/// A device with checkers.
class CheckedDevice {
public:
  explicit CheckedDevice(check::ToolSet tools = check::allTools,
                         Options options = {})
      : checks(check::makeChecks({.tools = tools})), device([&] {
          options.monitor = checks->monitor();
          options.maxInstructions = 1'000'000; // a hang becomes a failure
          return options;
        }()) {}

  /// Runs a kernel; its parameters are numbers of 64 bits.
  Result<void> run(const std::string &ptx, std::string_view kernel,
                   const LaunchConfig &config,
                   const std::vector<std::uint64_t> &arguments) {
    auto module = device.load(ptx);
    if (!module)
      return std::unexpected(module.error());
    return device.launch(*module, kernel, config,
                         std::as_bytes(std::span(arguments)));
  }
  std::uint64_t allocate(std::uint64_t bytes) {
    return device.allocate(bytes).value();
  }
  std::uint64_t upload(std::size_t words, std::uint32_t value = 1) {
    const std::uint64_t at = allocate(words * 4);
    const std::vector<std::uint32_t> values(words, value);
    EXPECT_TRUE(device.write(at, std::as_bytes(std::span(values))));
    return at;
  }
  [[nodiscard]] std::string report() const {
    std::string text;
    for (const check::Finding &finding : checks->findings())
      text += finding.text() + '\n';
    return text;
  }

  std::shared_ptr<check::Checks> checks;
  Device device;
};

} // namespace tessera::vgpu::test

#endif // TESSERA_TESTS_VGPU_CHECK_HARNESS_H
