// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source text of checked accesses, for the messages of failed checks.

#ifndef TESSERA_FRONTEND_CLANG_TRAP_EXPRESSIONS_H
#define TESSERA_FRONTEND_CLANG_TRAP_EXPRESSIONS_H

#include "image/image.h"

namespace tessera::frontend {

class ClangDiagnostics;

/// Fills in the expression of those of the image's trap sites that check an
/// index or a part of a span: `y[i + 1]`, as the user wrote it. Text that spans
/// lines or is long is left out.
void addTrapExpressions(image::Image &image, const ClangDiagnostics &places);

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_TRAP_EXPRESSIONS_H
