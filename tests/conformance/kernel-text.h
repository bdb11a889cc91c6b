// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX text for forms.

#ifndef TESSERA_TESTS_CONFORMANCE_KERNEL_TEXT_H
#define TESSERA_TESTS_CONFORMANCE_KERNEL_TEXT_H

#include "form.h"

#include <span>
#include <string>

namespace tessera::conformance {

/// A module with a kernel `k0`, `k1`, … for each form, in order. A kernel takes
/// two addresses of global memory: the sources, 8 bytes each, thread by thread,
/// and where the results go in the same way. `.version` is the least that all
/// forms accept.
[[nodiscard]] std::string moduleText(std::span<const Form *const> forms);

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_KERNEL_TEXT_H
