// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our diagnostics as clang's, at their places in the source.

#ifndef TESSERA_FRONTEND_CLANG_DIAGNOSTICS_H
#define TESSERA_FRONTEND_CLANG_DIAGNOSTICS_H

#include "frontend/llvm/device-module.h"

namespace clang {
class CompilerInstance;
class DiagnosticsEngine;
class SourceLocation;
} // namespace clang

namespace tessera::frontend {

/// Reports `message` without a place.
void reportError(clang::DiagnosticsEngine &diagnostics,
                 llvm::StringRef message);

class ClangDiagnostics {
public:
  explicit ClangDiagnostics(clang::CompilerInstance &compiler)
      : compiler(compiler) {}

  /// What the pipeline calls; valid as long as this object.
  FrontendCallbacks callbacks();

  /// The source text from a place to the end of its line; empty when it cannot
  /// be had.
  llvm::StringRef lineFrom(const image::SourceLocation &location) const;

private:
  clang::CompilerInstance &compiler;

  void report(const Diagnostic &diagnostic);
  void emit(unsigned level, const image::SourceLocation &location,
            const std::string &message);
  clang::SourceLocation translate(const image::SourceLocation &location) const;
  bool isLibraryCode(const image::SourceLocation &location) const;
};

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_DIAGNOSTICS_H
