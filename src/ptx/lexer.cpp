// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/lexer.h"

#include <algorithm>
#include <array>

using namespace tessera::ptx;

namespace {

enum CharClass : std::uint8_t {
  letter = 1, ///< may begin an identifier
  digit = 2,
  prefix = 4,  ///< `_`, `$`, `%`: begins an identifier
  follows = 8, ///< may follow in an identifier
};

constexpr std::array<std::uint8_t, 256> makeCharClasses() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c)
    classes[c] = classes[c - 'a' + 'A'] = letter | follows;
  for (int c = '0'; c <= '9'; ++c)
    classes[c] = digit | follows;
  classes['_'] = classes['$'] = prefix | follows;
  classes['%'] = prefix;
  return classes;
}

constexpr std::array<std::uint8_t, 256> charClasses = makeCharClasses();

bool is(char c, unsigned classes) {
  return (charClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

} // namespace

Token Lexer::makeToken(Token::Kind kind, std::size_t start) const {
  return {kind,
          text.substr(start, at - start),
          {line, std::uint32_t(start - lineStart + 1)}};
}

bool Lexer::peeksIdentifier() const {
  std::size_t next = text.find_first_not_of(" \t", at);
  return next != std::string_view::npos && is(text[next], letter | prefix);
}

bool Lexer::skipBlanks() {
  while (at < text.size()) {
    char c = text[at];
    if (c == '\n') {
      ++at;
      startLine();
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at;
    } else if (c == '/' && peek(1) == '/') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '/' && peek(1) == '*') {
      std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos)
        return false;
      for (; at < end; ++at)
        if (text[at] == '\n') {
          ++line;
          lineStart = at + 1;
        }
      at = end + 2;
    } else {
      break;
    }
  }
  return true;
}

void Lexer::lexNumber() {
  bool isHex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
  bool isBits = peek() == '0' && (peek(1) == 'f' || peek(1) == 'F' ||
                                  peek(1) == 'd' || peek(1) == 'D');
  auto isSign = [&] {
    char before = text[at - 1];
    return (peek() == '+' || peek() == '-') && !isHex && !isBits &&
           (before == 'e' || before == 'E') && is(peek(1), digit);
  };
  ++at;
  while (is(peek(), letter | digit) || (peek() == '.' && is(peek(1), digit)) ||
         isSign())
    ++at;
  // "1." is a number too; what follows the point is no word then.
  if (peek() == '.' && !is(peek(1), letter | prefix))
    ++at;
}

bool Lexer::lexString() {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') {
      ++at;
      continue;
    }
    if (text[at] == '"') {
      ++at;
      return true;
    }
  }
  return false;
}

void Lexer::lexPunctuation() {
  constexpr std::string_view pairs[] = {
      "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  for (std::string_view pair : pairs) {
    if (text.substr(at, 2) == pair) {
      at += 2;
      return;
    }
  }
  ++at;
}

Token Lexer::next() {
  if (!skipBlanks()) {
    std::size_t start = at;
    at = text.size();
    message = "this comment does not end";
    Token token = makeToken(Token::Kind::error, start);
    token.text = text.substr(start, 2);
    return token;
  }
  std::size_t start = at;
  if (at >= text.size())
    return makeToken(Token::Kind::end, start);

  char c = text[at];
  if (is(c, letter) || (is(c, prefix) && (c == '_' || is(peek(1), follows)))) {
    ++at;
    while (is(peek(), follows))
      ++at;
    return makeToken(Token::Kind::identifier, start);
  }
  if (is(c, digit)) {
    lexNumber();
    return makeToken(Token::Kind::number, start);
  }
  if (c == '.' && is(peek(1), follows)) {
    ++at;
    while (is(peek(), follows) ||
           (peek() == ':' && peek(1) == ':' && is(peek(2), follows)))
      at += peek() == ':' ? 2 : 1;
    return makeToken(Token::Kind::dotWord, start);
  }
  if (c == '"') {
    if (lexString())
      return makeToken(Token::Kind::string, start);
    message = "this string does not end on its line";
    return makeToken(Token::Kind::error, start);
  }
  constexpr std::string_view punctuation = "(){}[],;:+-*/%&|^~!<>=?@.";
  if (punctuation.find(c) != std::string_view::npos) {
    lexPunctuation();
    return makeToken(Token::Kind::punctuation, start);
  }
  ++at;
  message = "this byte has no meaning in PTX";
  return makeToken(Token::Kind::error, start);
}

void Lexer::extendToMnemonic(Token &token) {
  std::size_t start = std::size_t(token.text.data() - text.data());
  for (;;) {
    if (is(peek(), follows))
      ++at;
    else if (peek() == '.' && is(peek(1), follows))
      at += 2;
    else if (peek() == ':' && peek(1) == ':' && is(peek(2), follows))
      at += 3;
    else
      break;
  }
  token.text = text.substr(start, at - start);
}
