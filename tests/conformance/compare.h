// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds a device's answers against recorded ones.

#ifndef TESSERA_TESTS_CONFORMANCE_COMPARE_H
#define TESSERA_TESTS_CONFORMANCE_COMPARE_H

#include "recording.h"

#include <span>

namespace tessera::conformance {

enum class Verdict : std::uint8_t {
  matches,
  differs,
  notExecuted, ///< the device under test refuses what the recorded one took
  refused,     ///< the recorded device refuses it, too
  notRecorded, ///< or recorded with other inputs
};

struct Comparison {
  Verdict verdict = Verdict::notRecorded;
  std::vector<unsigned> threads; ///< whose results differ
};

/// `recorded` and `answer` may be null: there is none.
[[nodiscard]] Comparison compare(const Form &form, const Answer *recorded,
                                 const Answer *answer);

/// Whether one result agrees: bit for bit, or as near as the instruction's
/// tolerance, which `firstSource` may choose.
[[nodiscard]] bool agrees(const Tolerance &tolerance, ptx::Type type,
                          std::uint64_t firstSource, std::uint64_t expected,
                          std::uint64_t got);

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_COMPARE_H
