// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What forms are applied to. Made anew in every run, always the same: a
// recording holds outputs only.

#ifndef TESSERA_TESTS_CONFORMANCE_INPUTS_H
#define TESSERA_TESTS_CONFORMANCE_INPUTS_H

#include "form.h"

#include <cstdint>
#include <vector>

namespace tessera::conformance {

/// The sources of all threads, thread by thread, each in the low bits of its
/// word; a predicate is 0 or 1.
[[nodiscard]] std::vector<std::uint64_t> inputsOf(const Form &form);

/// Changes when the inputs of a form do, so that a recording made with others
/// is noticed.
[[nodiscard]] std::uint32_t fingerprint(const Form &form);

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_INPUTS_H
