// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checkers of the virtual GPU as one monitor.
//
//   auto checks = check::makeChecks({.tools = check::allTools});
//   vgpu::Device device({.monitor = checks->monitor()});
//   … launches …
//   for (const check::Finding &finding : checks->findings()) …

#ifndef TESSERA_VGPU_CHECK_CHECKS_H
#define TESSERA_VGPU_CHECK_CHECKS_H

#include "vgpu/check/finding.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::vgpu {
class Monitor;
}

namespace tessera::vgpu::check {

/// A set of tools: one bit for each.
using ToolSet = std::uint8_t;
constexpr ToolSet toolBit(Tool tool) { return ToolSet(1u << unsigned(tool)); }
inline constexpr ToolSet allTools = 3;

/// "racecheck", or "all"; empty for no name of a tool.
[[nodiscard]] std::optional<ToolSet> toolsNamed(std::string_view name);

struct CheckOptions {
  ToolSet tools = allTools;
  bool findsLeaks = true; ///< memcheck, in `finish`
};

/// The checkers, and what they have found.
class Checks {
public:
  virtual ~Checks() = default;
  /// As `Options::monitor` wants it.
  [[nodiscard]] virtual std::shared_ptr<Monitor> monitor() = 0;
  /// The device is used no more: now leaks are leaks.
  virtual void finish() = 0;
  [[nodiscard]] virtual std::vector<Finding> findings() const = 0;
};

[[nodiscard]] std::shared_ptr<Checks> makeChecks(const CheckOptions &options);

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_CHECKS_H
