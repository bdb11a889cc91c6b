// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text to `Module`.

#ifndef TESSERA_PTX_PARSER_H
#define TESSERA_PTX_PARSER_H

#include "ptx/ast.h"
#include "ptx/diagnostic.h"

#include <cstddef>
#include <expected>
#include <string_view>
#include <vector>

namespace tessera::ptx {

struct ParseOptions {
  /// Reading ends after this many errors.
  std::size_t maxErrors = 20;
  /// Deepest nesting of blocks, initialisers and constant expressions.
  unsigned maxNesting = 64;
  /// Longest text in bytes; longer text is one error.
  std::size_t maxBytes = std::size_t(1) << 30;
};

/// Reads one module. Names are resolved: registers, symbols and labels of the
/// result are indices. Every instruction of the result is a form of the
/// instruction table (opcode, modifiers, number and kinds of operands); types
/// and state spaces of operands, versions and targets are the validator's.
/// The module keeps its own copy of `text`. Errors are in text order, at least
/// one. Thread-safe.
[[nodiscard]] std::expected<Module, std::vector<Diagnostic>>
parse(std::string_view text, const ParseOptions &options = {});

} // namespace tessera::ptx

#endif // TESSERA_PTX_PARSER_H
