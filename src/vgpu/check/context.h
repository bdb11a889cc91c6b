// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the checkers share: the findings, and the words for places and memory.

#ifndef TESSERA_VGPU_CHECK_CONTEXT_H
#define TESSERA_VGPU_CHECK_CONTEXT_H

#include "vgpu/check/finding.h"
#include "vgpu/check/sites.h"
#include "vgpu/monitor.h"

#include <cstdint>
#include <string>

namespace tessera::vgpu::check {

struct Context {
  FindingList findings;
  SiteTable sites;
  const Launch *launch = nullptr; ///< the present one

  [[nodiscard]] std::uint32_t siteOf(const Warp &warp,
                                     const Instr &instr) const {
    return sites.number(*warp.current->frame->function, instr);
  }

  /// A thread of the present launch at the instruction of number `site`.
  [[nodiscard]] Place place(const Dim3 &block, unsigned thread,
                            std::uint32_t site, std::string what) const;
  [[nodiscard]] Place place(const Warp &warp, const Instr &instr, unsigned lane,
                            std::string what) const;

  /// "byte 16 of shared variable 'tile' (1024 bytes)"; `target` is whose
  /// shared memory it is.
  [[nodiscard]] std::string describeShared(std::uint64_t offset) const;
  [[nodiscard]] std::string describeGlobal(std::uint64_t address) const;
};

/// A checker: a monitor with the common context.
class Checker : public Monitor {
public:
  explicit Checker(Context &context) : context(context) {}
  /// The process, or the device, ends.
  virtual void finish() {}

protected:
  Context &context;
};

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_CONTEXT_H
