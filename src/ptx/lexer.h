// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX text to tokens. Tokens are views into the text; nothing is allocated.

#ifndef TESSERA_PTX_LEXER_H
#define TESSERA_PTX_LEXER_H

#include "ptx/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tessera::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    error,      ///< `text` is the offending part; see `Lexer::errorMessage`
    identifier, ///< with its `%`, `$` or `_`
    dotWord,    ///< ".b32", ".shared::cta": with the dot
    number,     ///< as written, with a `U` suffix; not yet checked
    string,     ///< with its quotes
    punctuation,
  };
  Kind kind = Kind::end;
  std::string_view text;
  SourcePos pos;

  [[nodiscard]] bool is(std::string_view what) const {
    return text == what && kind != Kind::string;
  }
  [[nodiscard]] bool is(char what) const {
    return kind == Kind::punctuation && text.size() == 1 &&
           text.front() == what;
  }
};

class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}

  /// The next token; `Kind::end` for ever at the end.
  Token next();

  /// Continues `token`, an identifier that was the last token, to a whole
  /// mnemonic: "add.sat.s32".
  void extendToMnemonic(Token &token);

  /// Whether an identifier follows on this line.
  [[nodiscard]] bool peeksIdentifier() const;

  /// Why the last `Kind::error` token is one.
  [[nodiscard]] std::string_view errorMessage() const { return message; }

private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }
  /// Skips white space and comments; false at an unterminated comment.
  bool skipBlanks();
  void startLine() {
    ++line;
    lineStart = at;
  }
  void lexNumber();
  [[nodiscard]] bool lexString();
  void lexPunctuation();
  [[nodiscard]] Token makeToken(Token::Kind kind, std::size_t start) const;

  std::string_view text;
  std::size_t at = 0;
  std::size_t lineStart = 0;
  std::uint32_t line = 1;
  std::string_view message;
};

} // namespace tessera::ptx

#endif // TESSERA_PTX_LEXER_H
