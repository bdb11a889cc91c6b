// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page docs/conformance.md.

#ifndef TESSERA_TESTS_CONFORMANCE_TABLE_H
#define TESSERA_TESTS_CONFORMANCE_TABLE_H

#include "compare.h"

#include <span>
#include <string>
#include <vector>

namespace tessera::conformance {

/// A line for each row of the instruction table; `verdicts` are those of
/// `allForms`, in their order.
[[nodiscard]] std::string
conformancePage(const std::vector<std::string> &recordingHeader,
                std::span<const Verdict> verdicts);

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_TABLE_H
