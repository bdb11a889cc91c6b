// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in PTX text and what is wrong there.

#ifndef TESSERA_PTX_DIAGNOSTIC_H
#define TESSERA_PTX_DIAGNOSTIC_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::ptx {

/// A place in PTX text; lines and columns count from 1, columns count bytes.
/// Line 0 means "no place".
struct SourcePos {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(SourcePos, SourcePos) = default;
};

/// An error in PTX text.
struct Diagnostic {
  SourcePos pos;
  std::string message; ///< one clear line, without position

  /// "file:line:column: error: message", the source line and a caret under the
  /// column. `text` is the text that was parsed; an empty `file` leaves the
  /// name out.
  [[nodiscard]] std::string render(std::string_view text,
                                   std::string_view file = {}) const;
};

} // namespace tessera::ptx

#endif // TESSERA_PTX_DIAGNOSTIC_H
