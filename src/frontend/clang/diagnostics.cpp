// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/diagnostics.h"
#include "dialect/mir/location.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace tessera::frontend {

void reportError(DiagnosticsEngine &diagnostics, llvm::StringRef message) {
  diagnostics.Report(
      diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "tessera: %0"))
      << message;
}

FrontendCallbacks ClangDiagnostics::callbacks() {
  return {[this](const Diagnostic &diagnostic) { report(diagnostic); },
          [this](const image::SourceLocation &location) {
            return isLibraryCode(location);
          }};
}

SourceLocation
ClangDiagnostics::translate(const image::SourceLocation &location) const {
  if (location.file.empty() || location.line == 0)
    return {};
  SourceManager &sources = compiler.getSourceManager();
  auto file = sources.getFileManager().getOptionalFileRef(location.file);
  if (!file)
    return {};
  return sources.translateFileLineCol(*file, location.line,
                                      std::max(location.column, 1u));
}

llvm::StringRef
ClangDiagnostics::lineFrom(const image::SourceLocation &location) const {
  SourceLocation place = translate(location);
  if (place.isInvalid())
    return {};
  bool invalid = false;
  const SourceManager &sources = compiler.getSourceManager();
  auto [file, offset] = sources.getDecomposedLoc(place);
  llvm::StringRef text = sources.getBufferData(file, &invalid);
  if (invalid || offset > text.size())
    return {};
  return text.drop_front(offset).take_until(
      [](char c) { return c == '\n' || c == '\r'; });
}

bool ClangDiagnostics::isLibraryCode(
    const image::SourceLocation &location) const {
  if (mir::isLibraryHeader(location.file))
    return true;
  SourceLocation place = translate(location);
  return place.isValid() && compiler.getSourceManager().isInSystemHeader(place);
}

void ClangDiagnostics::emit(unsigned level,
                            const image::SourceLocation &location,
                            const std::string &message) {
  DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  auto kind = static_cast<DiagnosticsEngine::Level>(level);
  SourceLocation place = translate(location);
  if (place.isValid()) {
    diagnostics.Report(place, diagnostics.getCustomDiagID(kind, "%0"))
        << message;
    return;
  }
  // A place that clang cannot show (a generated file, say) is still told.
  std::string prefix =
      location.file.empty()
          ? std::string()
          : location.file + ":" + std::to_string(location.line) + ": ";
  diagnostics.Report(diagnostics.getCustomDiagID(kind, "%0"))
      << prefix + message;
}

void ClangDiagnostics::report(const Diagnostic &diagnostic) {
  DiagnosticsEngine::Level level =
      diagnostic.severity == Severity::error     ? DiagnosticsEngine::Error
      : diagnostic.severity == Severity::warning ? DiagnosticsEngine::Warning
                                                 : DiagnosticsEngine::Remark;
  emit(level, diagnostic.location, diagnostic.message);
  for (const Diagnostic::Note &note : diagnostic.notes)
    emit(DiagnosticsEngine::Note, note.location, note.message);
}

} // namespace tessera::frontend
