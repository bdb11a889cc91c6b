// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant expressions: PTX ISA 9.0, section 4.5.

#include "ptx/parser-impl.h"

#include <bit>
#include <charconv>

using namespace tessera::ptx;

namespace {

/// Binary operators from loosely to tightly binding, as in C.
int precedence(std::string_view op) {
  struct Entry {
    std::string_view op;
    int precedence;
  };
  static constexpr Entry entries[] = {
      {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
      {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
      {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
  for (const Entry &entry : entries)
    if (entry.op == op)
      return entry.precedence;
  return 0;
}

double asDouble(const Constant &value) {
  if (value.isSingle)
    return std::bit_cast<float>(std::uint32_t(value.bits));
  if (value.isFloat)
    return std::bit_cast<double>(value.bits);
  return value.isUnsigned ? double(value.bits)
                          : double(std::int64_t(value.bits));
}

Constant makeDouble(double value) {
  return {std::bit_cast<std::uint64_t>(value), false, true, false};
}

bool isTrue(const Constant &value) {
  return value.isFloat ? asDouble(value) != 0 : value.bits != 0;
}

std::optional<Constant> applyToDoubles(std::string_view op, double a,
                                       double b) {
  auto truth = [](bool value) { return Constant{value}; };
  if (op == "+")
    return makeDouble(a + b);
  if (op == "-")
    return makeDouble(a - b);
  if (op == "*")
    return makeDouble(a * b);
  if (op == "/")
    return makeDouble(a / b);
  if (op == "==")
    return truth(a == b);
  if (op == "!=")
    return truth(a != b);
  if (op == "<")
    return truth(a < b);
  if (op == ">")
    return truth(a > b);
  if (op == "<=")
    return truth(a <= b);
  if (op == ">=")
    return truth(a >= b);
  return std::nullopt;
}

std::uint64_t divide(std::uint64_t a, std::uint64_t b, bool isUnsigned,
                     bool wantRemainder) {
  if (isUnsigned)
    return wantRemainder ? a % b : a / b;
  if (std::int64_t(b) == -1)
    return wantRemainder ? 0 : 0 - a;
  return std::uint64_t(wantRemainder ? std::int64_t(a) % std::int64_t(b)
                                     : std::int64_t(a) / std::int64_t(b));
}

bool less(std::uint64_t a, std::uint64_t b, bool isUnsigned) {
  return isUnsigned ? a < b : std::int64_t(a) < std::int64_t(b);
}

std::uint64_t shift(const Constant &a, std::uint64_t amount, bool left) {
  if (left)
    return amount > 63 ? 0 : a.bits << amount;
  if (a.isUnsigned)
    return amount > 63 ? 0 : a.bits >> amount;
  return std::uint64_t(std::int64_t(a.bits) >> (amount > 63 ? 63 : amount));
}

} // namespace

bool Parser::atConstant() const {
  return token.kind == Token::Kind::number || token.is('-') || token.is('+') ||
         token.is('~') || token.is('(');
}

std::optional<Constant> Parser::parseConstant() { return parseTernary(0); }

std::optional<Constant> Parser::parseTernary(unsigned depth) {
  auto condition = parseBinary(1, depth);
  if (!condition || !token.is('?'))
    return condition;
  advance();
  auto then = parseTernary(depth + 1);
  if (!then || !expect(':', "in a conditional constant"))
    return std::nullopt;
  auto otherwise = parseTernary(depth + 1);
  if (!otherwise)
    return std::nullopt;
  return isTrue(*condition) ? then : otherwise;
}

std::optional<Constant> Parser::parseBinary(int minPrecedence, unsigned depth) {
  auto left = parseUnary(depth);
  while (left && token.kind == Token::Kind::punctuation) {
    // `p|q` is a pair of operands, never a constant on its left.
    int level = precedence(token.text);
    if (level == 0 || level < minPrecedence)
      break;
    Token op = token;
    advance();
    auto right = parseBinary(level + 1, depth + 1);
    if (!right)
      return std::nullopt;
    left = applyBinary(op.text, op.pos, *left, *right);
  }
  return left;
}

std::optional<Constant> Parser::applyBinary(std::string_view op, SourcePos pos,
                                            const Constant &a,
                                            const Constant &b) {
  if (op == "&&")
    return Constant{isTrue(a) && isTrue(b)};
  if (op == "||")
    return Constant{isTrue(a) || isTrue(b)};
  if (a.isFloat || b.isFloat) {
    auto result = applyToDoubles(op, asDouble(a), asDouble(b));
    if (!result)
      error(pos, "operator '" + std::string(op) +
                     "' does not take floating-point constants");
    return result;
  }

  bool isUnsigned = a.isUnsigned || b.isUnsigned;
  auto value = [&](std::uint64_t bits) { return Constant{bits, isUnsigned}; };
  switch (op[0]) {
  case '+':
    return value(a.bits + b.bits);
  case '-':
    return value(a.bits - b.bits);
  case '*':
    return value(a.bits * b.bits);
  case '/':
  case '%':
    if (b.bits != 0)
      return value(divide(a.bits, b.bits, isUnsigned, op[0] == '%'));
    error(pos, "division by zero in a constant");
    return std::nullopt;
  case '&':
    return value(a.bits & b.bits);
  case '|':
    return value(a.bits | b.bits);
  case '^':
    return value(a.bits ^ b.bits);
  case '=':
    return Constant{a.bits == b.bits};
  case '!':
    return Constant{a.bits != b.bits};
  case '<':
    if (op == "<<")
      return Constant{shift(a, b.bits, true), a.isUnsigned};
    return Constant{op == "<" ? less(a.bits, b.bits, isUnsigned)
                              : !less(b.bits, a.bits, isUnsigned)};
  default:
    if (op == ">>")
      return Constant{shift(a, b.bits, false), a.isUnsigned};
    return Constant{op == ">" ? less(b.bits, a.bits, isUnsigned)
                              : !less(a.bits, b.bits, isUnsigned)};
  }
}

std::optional<Constant> Parser::parseUnary(unsigned depth) {
  if (depth > options.maxNesting) {
    error(token.pos, "this constant is nested too deeply");
    return std::nullopt;
  }
  if (token.kind == Token::Kind::number)
    return parseNumber();
  Token op = token;
  if (consumeIf('(')) {
    // `(.s64)` and `(.u64)` are casts.
    if (token.is(".s64") || token.is(".u64")) {
      bool isUnsigned = token.is(".u64");
      advance();
      if (!expect(')', "after the type of a cast"))
        return std::nullopt;
      auto value = parseUnary(depth + 1);
      if (value && !value->isFloat)
        value->isUnsigned = isUnsigned;
      return value;
    }
    auto value = parseTernary(depth + 1);
    if (!value || !expect(')', "after a constant"))
      return std::nullopt;
    return value;
  }
  if (!op.is('-') && !op.is('+') && !op.is('~') && !op.is('!')) {
    errorExpected("a constant");
    return std::nullopt;
  }
  advance();
  auto value = parseUnary(depth + 1);
  if (!value || op.is('+'))
    return value;
  if (op.is('!'))
    return Constant{!isTrue(*value)};
  if (op.is('-') && value->isFloat) {
    value->bits ^=
        value->isSingle ? std::uint64_t(1) << 31 : std::uint64_t(1) << 63;
    return value;
  }
  if (value->isFloat) {
    error(op.pos, "operator '~' does not take floating-point constants");
    return std::nullopt;
  }
  if (op.is('~'))
    return Constant{~value->bits, value->isUnsigned};
  // The magnitude of the least integer fits no signed constant.
  bool isLeast = value->bits == std::uint64_t(1) << 63;
  return Constant{0 - value->bits, value->isUnsigned && !isLeast};
}

std::optional<Constant> Parser::parseNumber() {
  Token number = token;
  advance();
  std::string_view text = number.text;
  auto bad = [&](std::string_view why) -> std::optional<Constant> {
    error(number.pos, "'" + std::string(number.text.substr(0, 40)) + "' " +
                          std::string(why));
    return std::nullopt;
  };
  auto read = [](std::string_view digits, auto &value, int base) {
    auto [end, ec] = std::from_chars(
        digits.data(), digits.data() + digits.size(), value, base);
    return ec == std::errc() && end == digits.data() + digits.size();
  };
  char second = text.size() > 1 ? text[1] : '\0';
  bool isSingle = second == 'f' || second == 'F';
  if (text[0] == '0' && (isSingle || second == 'd' || second == 'D')) {
    Constant value{0, false, true, isSingle};
    if (text.size() != (isSingle ? 10u : 18u) ||
        !read(text.substr(2), value.bits, 16))
      return bad(isSingle ? "needs eight hexadecimal digits after '0f'"
                          : "needs sixteen hexadecimal digits after '0d'");
    return value;
  }
  bool isHex = second == 'x' || second == 'X';
  if (!isHex && text.find_first_of(".eE") != std::string_view::npos) {
    double value = 0;
    auto [end, ec] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc() || end != text.data() + text.size())
      return bad("is no floating-point constant");
    return makeDouble(value);
  }

  bool isUnsigned = text.ends_with('U') || text.ends_with('u');
  if (isUnsigned)
    text.remove_suffix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    bool isBinary = second == 'b' || second == 'B';
    base = isHex ? 16 : isBinary ? 2 : 8;
    text.remove_prefix(isHex || isBinary ? 2 : 1);
  }
  std::uint64_t bits = 0;
  auto [end, ec] =
      std::from_chars(text.data(), text.data() + text.size(), bits, base);
  if (ec == std::errc::result_out_of_range)
    return bad("does not fit 64 bits");
  if (ec != std::errc() || end != text.data() + text.size())
    return bad("is no number");
  return Constant{bits, isUnsigned || (bits >> 63) != 0};
}

std::optional<std::uint64_t> Parser::parseUnsigned(std::string_view what,
                                                   std::uint64_t limit) {
  SourcePos pos = token.pos;
  if (!atConstant()) {
    errorExpected(what);
    return std::nullopt;
  }
  auto value = parseConstant();
  if (!value)
    return std::nullopt;
  bool isNegative = !value->isUnsigned && std::int64_t(value->bits) < 0;
  if (value->isFloat || isNegative || value->bits > limit) {
    error(pos, std::string(what) + " must be an integer from 0 to " +
                   std::to_string(limit));
    return std::nullopt;
  }
  return value->bits;
}

std::optional<std::uint32_t> Parser::parseUnsigned32(std::string_view what) {
  auto value = parseUnsigned(what, std::numeric_limits<std::uint32_t>::max());
  return value ? std::optional(std::uint32_t(*value)) : std::nullopt;
}

std::optional<std::int64_t> Parser::parseOffset() {
  SourcePos pos = token.pos;
  auto value = parseConstant();
  if (!value)
    return std::nullopt;
  if (value->isFloat) {
    error(pos, "an offset must be an integer");
    return std::nullopt;
  }
  return std::int64_t(value->bits);
}
