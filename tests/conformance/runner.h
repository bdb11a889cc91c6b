// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs forms on a device.

#ifndef TESSERA_TESTS_CONFORMANCE_RUNNER_H
#define TESSERA_TESTS_CONFORMANCE_RUNNER_H

#include "recording.h"

#include <tessera/device.h>

#include <functional>
#include <span>

namespace tessera::conformance {

/// Runs the forms, many in one module. Where a module is refused, its halves
/// are tried, down to the single form, whose answer then says why. `onProgress`
/// is called with the number of forms done. When the device itself fails, the
/// forms that it has not answered have none, and `failure` says why.
struct RunResult {
  std::map<std::string, Answer, std::less<>> answers;
  std::string failure;
};
[[nodiscard]] RunResult
runForms(device on, std::span<const Form *const> forms,
         const std::function<void(std::size_t)> &onProgress);

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_RUNNER_H
