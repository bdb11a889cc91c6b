// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace tessera::ptx;
using testing::ElementsAre;

namespace {

std::vector<std::string> tokensOf(std::string_view text) {
  std::vector<std::string> tokens;
  Lexer lexer(text);
  for (Token token = lexer.next(); token.kind != Token::Kind::end;
       token = lexer.next()) {
    tokens.emplace_back(token.text);
    if (token.kind == Token::Kind::error)
      tokens.emplace_back(lexer.errorMessage());
  }
  return tokens;
}

TEST(Lexer, SplitsAnInstruction) {
  EXPECT_THAT(tokensOf("@!%p1 ld.global.v2.f32 {%f1,%f2}, [%rd1+-8];"),
              ElementsAre("@", "!", "%p1", "ld", ".global", ".v2", ".f32", "{",
                          "%f1", ",", "%f2", "}", ",", "[", "%rd1", "+", "-",
                          "8", "]", ";"));
}

TEST(Lexer, KeepsDoubleColonsInWords) {
  EXPECT_THAT(tokensOf(".shared::cta.L2::128B x:"),
              ElementsAre(".shared::cta", ".L2::128B", "x", ":"));
}

TEST(Lexer, ReadsNumbers) {
  EXPECT_THAT(tokensOf("0x1F 017 0b11 42U 1.5 1e-5 2.5E+3 0f3F800000 "
                       "0d3FF0000000000000 1-2"),
              ElementsAre("0x1F", "017", "0b11", "42U", "1.5", "1e-5", "2.5E+3",
                          "0f3F800000", "0d3FF0000000000000", "1", "-", "2"));
}

TEST(Lexer, ReadsIdentifiersWithPrefixes) {
  EXPECT_THAT(tokensOf("$L__BB0_1 _Z1f %SP _ a%b"),
              ElementsAre("$L__BB0_1", "_Z1f", "%SP", "_", "a", "%b"));
}

TEST(Lexer, SkipsCommentsAndCountsTheirLines) {
  Lexer lexer("// one\n/* two\nthree */ x\r\n\ty");
  Token x = lexer.next();
  EXPECT_EQ(x.text, "x");
  EXPECT_EQ(x.pos, (SourcePos{3, 10}));
  Token y = lexer.next();
  EXPECT_EQ(y.pos, (SourcePos{4, 2}));
}

TEST(Lexer, KeepsEscapedQuotesInStrings) {
  EXPECT_THAT(tokensOf(R"("a\"b" c)"), ElementsAre(R"("a\"b")", "c"));
}

TEST(Lexer, TwoCharacterOperators) {
  EXPECT_THAT(tokensOf("<<>>==!=&&||<=>="),
              ElementsAre("<<", ">>", "==", "!=", "&&", "||", "<=", ">="));
}

TEST(Lexer, ReportsWhatDoesNotEnd) {
  EXPECT_THAT(tokensOf("a /* b"),
              ElementsAre("a", "/*", "this comment does not end"));
  EXPECT_THAT(
      tokensOf("\"abc\nx"),
      ElementsAre("\"abc", "this string does not end on its line", "x"));
}

TEST(Lexer, ReportsBytesWithoutMeaning) {
  EXPECT_THAT(tokensOf(std::string_view("a\0b", 3)),
              ElementsAre("a", std::string(1, '\0'),
                          "this byte has no meaning in PTX", "b"));
  EXPECT_THAT(tokensOf("`"),
              ElementsAre("`", "this byte has no meaning in PTX"));
}

TEST(Lexer, ExtendsAnIdentifierToAMnemonic) {
  Lexer lexer("cp.async.bulk.shared::cluster.global [%r1]");
  Token token = lexer.next();
  EXPECT_EQ(token.text, "cp");
  lexer.extendToMnemonic(token);
  EXPECT_EQ(token.text, "cp.async.bulk.shared::cluster.global");
  EXPECT_EQ(lexer.next().text, "[");
}

} // namespace
