// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/trap-expressions.h"
#include "frontend/clang/diagnostics.h"
#include "llvm/ADT/StringExtras.h"

namespace tessera::frontend {
namespace {

constexpr size_t longestExpression = 80;

/// The expression at the start of `line`: up to the bracket that closes its
/// first subscript or call. Empty when there is none on the line.
llvm::StringRef readAccess(llvm::StringRef line) {
  unsigned depth = 0;
  bool opened = false;
  for (size_t i = 0; i < line.size() && i < longestExpression; ++i) {
    char c = line[i];
    if (c == '[' || c == '(') {
      ++depth;
      opened = true;
    } else if (c == ']' || c == ')') {
      if (depth == 0)
        return {};
      // `f(x)[i]` and `a[i][j]` go on.
      llvm::StringRef rest = line.drop_front(i + 1).ltrim();
      if (--depth == 0 && !rest.starts_with("[") && !rest.starts_with(".") &&
          !rest.starts_with("->"))
        return line.take_front(i + 1);
    } else if (depth == 0 && opened && c == ';') {
      return {};
    } else if (depth == 0 && !llvm::isAlnum(c) && c != '_' && c != '.' &&
               c != ':' && c != ' ' && c != '-' && c != '>') {
      return {};
    }
  }
  return {};
}

bool isAccess(image::TrapKind kind) {
  return kind == image::TrapKind::bounds || kind == image::TrapKind::range;
}

} // namespace

void addTrapExpressions(image::Image &image, const ClangDiagnostics &places) {
  for (image::TrapSite &site : image.trapSites)
    if (isAccess(site.kind) && site.expression.empty())
      site.expression = readAccess(places.lineFrom(site.location)).str();
}

} // namespace tessera::frontend
