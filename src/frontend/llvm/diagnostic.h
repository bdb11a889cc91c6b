// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics of the compiler's own phases. A front end turns them into its
// own kind: the clang plugin into clang diagnostics with carets.

#ifndef TESSERA_FRONTEND_LLVM_DIAGNOSTIC_H
#define TESSERA_FRONTEND_LLVM_DIAGNOSTIC_H

#include "image/image.h"
#include <functional>
#include <string>
#include <vector>

namespace tessera {

enum class Severity { error, warning, remark };

/// One message at a place in the user's source; `notes` explain it, such as
/// the chain of calls from a kernel to the place.
struct Diagnostic {
  struct Note {
    image::SourceLocation location;
    std::string message;
  };
  Severity severity = Severity::error;
  image::SourceLocation location;
  std::string message;
  std::vector<Note> notes;
};

using DiagnosticHandler = std::function<void(const Diagnostic &)>;

} // namespace tessera

#endif // TESSERA_FRONTEND_LLVM_DIAGNOSTIC_H
