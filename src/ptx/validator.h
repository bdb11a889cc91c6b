// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the grammar cannot say: types, widths and register classes of operands,
// state spaces, `.version` and `.target`.

#ifndef TESSERA_PTX_VALIDATOR_H
#define TESSERA_PTX_VALIDATOR_H

#include "ptx/ast.h"
#include "ptx/diagnostic.h"

#include <cstddef>
#include <vector>

namespace tessera::ptx {

struct ValidateOptions {
  /// Checking ends after this many errors.
  std::size_t maxErrors = 20;
};

/// Checks a module that `parse` returned; empty when it is valid. Thread-safe.
[[nodiscard]] std::vector<Diagnostic>
validate(const Module &module, const ValidateOptions &options = {});

} // namespace tessera::ptx

#endif // TESSERA_PTX_VALIDATOR_H
