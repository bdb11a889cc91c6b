// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

#include <gmock/gmock.h>

using namespace tessera::ptx;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// The errors of statements; they begin in line 8, column 1.
std::string errorsIn(std::string_view statements) {
  return errorsOf(inKernel(statements));
}

TEST(ParserErrors, UnknownInstruction) {
  EXPECT_EQ(errorsIn("  frob.b32.x4 %r1, %r2;"),
            "8:3: unknown instruction 'frob.b32.x4'\n");
}

TEST(ParserErrors, UnknownModifier) {
  EXPECT_EQ(errorsIn("add.quux.s32 %r1, %r2, %r3;"),
            "8:4: unknown instruction 'add.quux.s32': 'add' has no modifier "
            "'.quux'\n");
}

TEST(ParserErrors, MisplacedModifier) {
  EXPECT_EQ(errorsIn("mul.s32 %r1, %r2, %r3;"),
            "8:4: unknown instruction 'mul.s32': '.s32' cannot follow "
            "'mul'\n");
  EXPECT_EQ(errorsIn("add.s32.ftz %r1, %r2, %r3;"),
            "8:8: unknown instruction 'add.s32.ftz': '.ftz' cannot follow "
            "'add.s32'\n");
}

TEST(ParserErrors, MissingModifier) {
  EXPECT_EQ(errorsIn("mul.lo %r1, %r2, %r3;"),
            "8:1: unknown instruction 'mul.lo': a modifier is missing at its "
            "end\n");
}

TEST(ParserErrors, UndeclaredNames) {
  EXPECT_EQ(errorsIn("add.s32 %r1, %q, 3;"), "8:14: '%q' is not declared\n");
  EXPECT_EQ(errorsIn("add.s32 %r1, %r9, 3;"), "8:14: '%r9' is not declared\n");
  EXPECT_EQ(errorsIn("add.s32 %r1, %r01, 3;"),
            "8:14: '%r01' is not declared\n");
  EXPECT_EQ(errorsIn("ld.global.b32 %r1, [nothing];"),
            "8:21: 'nothing' is not declared\n");
  EXPECT_EQ(errorsIn("call nothing;"),
            "8:6: function 'nothing' is not declared\n");
}

TEST(ParserErrors, Selectors) {
  EXPECT_EQ(errorsIn("vadd.u32.u32.u32 %r1, %r2.q1, %r3;"),
            "8:26: '.q1' is no selector ('.b0' to '.b3', '.h0', '.h1', or "
            "digits for each lane)\n");
}

TEST(ParserErrors, MissingLabel) {
  EXPECT_EQ(errorsIn("@%p1 bra nowhere;"),
            "8:10: label 'nowhere' is not defined\n");
  EXPECT_EQ(errorsIn("{ inner: } bra inner;"),
            "8:16: label 'inner' is not defined\n");
  EXPECT_EQ(errorsIn("t: .branchtargets a, b; a: brx.idx %r1, t;"),
            "8:22: label 'b' is not defined\n");
  EXPECT_EQ(errorsIn("a: brx.idx %r1, a;"),
            "8:17: 'a' is not a table of targets\n");
}

TEST(ParserErrors, DuplicateNames) {
  EXPECT_EQ(errorsIn("a:\na: mov.b32 %r1, 0;"),
            "9:1: 'a' is already declared in line 8\n");
  EXPECT_EQ(errorsIn(".reg .b32 x; .reg .f32 x;"),
            "8:24: 'x' is already declared in line 8\n");
  EXPECT_EQ(errorsIn(".reg .b32 %r<5>;"),
            "8:11: '%r' is already declared in line 7\n");
  EXPECT_EQ(errorsOf(".version 8.0\n.target sm_80\n.global .b32 a;\n"
                     ".global .b32 a;\n"),
            "4:14: 'a' is already declared in line 3\n");
  EXPECT_EQ(errorsOf(".version 8.0\n.target sm_80\n.func f { ret; }\n"
                     ".func f { ret; }\n"),
            "4:7: 'f' is already declared in line 3\n");
}

TEST(ParserErrors, OperandCount) {
  EXPECT_EQ(errorsIn("add.s32 %r1, %r2;"),
            "8:1: 'add.s32' takes 3 operands but has 2\n");
  EXPECT_EQ(errorsIn("bar.sync 0, 32, 64;"),
            "8:1: 'bar.sync' takes 1 to 2 operands but has 3\n");
}

TEST(ParserErrors, OperandKinds) {
  EXPECT_EQ(errorsIn("add.s32 3, %r2, %r3;"),
            "8:9: expected a register as operand 1 of 'add.s32'\n");
  EXPECT_EQ(errorsIn("ld.global.b32 %r1, %rd1;"),
            "8:20: expected an address in brackets as operand 2 of "
            "'ld.global.b32'\n");
  EXPECT_EQ(errorsIn("add.u64 %rd1, gvar, 3;"),
            "8:15: expected a register or a constant as operand 2 of "
            "'add.u64'\n");
  EXPECT_EQ(errorsIn("lop3.b32 %r1, %r2, %r3, %r4, %r5;"),
            "8:30: expected an integer constant as operand 5 of 'lop3.b32'\n");
}

TEST(ParserErrors, Guards) {
  EXPECT_EQ(errorsIn("@%r1 bra x; x:"), "8:2: '%r1' is not a predicate\n");
  EXPECT_EQ(errorsIn("@!%z1 bra x; x:"),
            "8:3: '%z1' is not a declared register\n");
}

TEST(ParserErrors, Syntax) {
  EXPECT_EQ(errorsIn("add.s32 %r1, %r2, %r3"),
            "9:1: expected ';' after an instruction but found 'ret'\n");
  EXPECT_EQ(errorsIn("mov.b64 {%r1, %r2, %rd1;"),
            "8:24: expected '}' after a vector but found ';'\n");
  EXPECT_EQ(errorsIn("mov.b32 %r1, \"x\";"),
            "8:14: expected an operand but found '\"x\"'\n");
  EXPECT_EQ(errorsIn("mov.b32 %r1, `;"),
            "8:14: '`': this byte has no meaning in PTX\n");
}

TEST(ParserErrors, Numbers) {
  EXPECT_EQ(errorsIn("mov.b64 %rd1, 18446744073709551616;"),
            "8:15: '18446744073709551616' does not fit 64 bits\n");
  EXPECT_EQ(errorsIn("mov.f32 %f1, 0f123;"),
            "8:14: '0f123' needs eight hexadecimal digits after '0f'\n");
  EXPECT_EQ(errorsIn("mov.b32 %r1, 09;"), "8:14: '09' is no number\n");
  EXPECT_EQ(errorsIn("mov.b32 %r1, 1/0;"),
            "8:15: division by zero in a constant\n");
}

TEST(ParserErrors, Header) {
  EXPECT_EQ(errorsOf(""), "1:1: expected '.version', with which a module "
                          "begins, but found the end of the text\n");
  EXPECT_EQ(errorsOf(".version eight"),
            "1:10: expected a version such as '8.0' but found 'eight'\n");
  EXPECT_EQ(errorsOf(".version 8.0\n.target gfx90a\n"),
            "2:9: 'gfx90a' is no architecture such as 'sm_80'\n");
  EXPECT_EQ(errorsOf(".version 8.0\n.target sm_80\n.address_size 16\n"),
            "3:15: the address size must be 32 or 64\n");
}

TEST(ParserErrors, Declarations) {
  std::string head = ".version 8.0\n.target sm_80\n";
  EXPECT_EQ(errorsOf(head + ".global .align 3 .b8 a;"),
            "3:16: an alignment must be a power of two\n");
  EXPECT_EQ(errorsOf(head + ".global .q32 a;"),
            "3:9: expected a type but found '.q32'\n");
  EXPECT_EQ(errorsOf(head + ".global .b32 a[4][];"),
            "3:19: only the first extent may be left out\n");
  EXPECT_EQ(errorsOf(head + ".global .b64 a[200000000000000][2000];"),
            "3:14: 'a' is too large\n");
  EXPECT_EQ(errorsOf(head + ".global .b64 a = b;"),
            "3:18: 'b' is not declared\n");
}

TEST(ParserErrors, SeveralErrorsInTextOrder) {
  EXPECT_EQ(errorsIn("foo;\nadd.s32 %r1, %q;\nbar.sync;"),
            "8:1: unknown instruction 'foo'\n"
            "9:14: '%q' is not declared\n"
            "10:1: 'bar.sync' takes 1 to 2 operands but has 0\n");
}

TEST(ParserErrors, NoMoreThanAskedFor) {
  std::string statements;
  for (int i = 0; i < 100; ++i)
    statements += "foo;\n";
  auto module = parse(inKernel(statements), {.maxErrors = 3});
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().size(), 3u);
}

TEST(ParserErrors, UnfinishedBody) {
  EXPECT_THAT(errorsOf(std::string(kernelHead) + "ret;\n"),
              StartsWith("8:1: expected '}' at the end of the body that begins "
                         "in line 6"));
}

TEST(ParserErrors, NestingIsBounded) {
  std::string deep(100000, '(');
  EXPECT_THAT(errorsIn("mov.b32 %r1, " + deep + "1;"),
              HasSubstr("this constant is nested too deeply"));
  EXPECT_THAT(errorsIn("mov.b32 %r1, " + std::string(100000, '~') + "1;"),
              HasSubstr("this constant is nested too deeply"));
  EXPECT_THAT(errorsIn(std::string(100000, '{')),
              HasSubstr("blocks are nested too deeply"));
  EXPECT_THAT(errorsOf(".version 8.0\n.target sm_80\n.global .b32 a[] = " +
                       std::string(100000, '{')),
              HasSubstr("this initial value is nested too deeply"));
  EXPECT_THAT(errorsIn("mov.b32 " + std::string(100000, '{')),
              HasSubstr("operands are nested too deeply"));
}

TEST(ParserErrors, LongTextIsRefused) {
  auto module = parse(inKernel(""), {.maxBytes = 100});
  ASSERT_FALSE(module);
  EXPECT_THAT(module.error()[0].message, HasSubstr("more than the limit"));
}

TEST(ParserErrors, EveryPrefixOfAModuleIsHandled) {
  std::string text = inKernel("@%p1 ld.global.v2.b32 {%r1, %r2}, [%rd1+8];\n"
                              "{ .reg .b32 t; mov.b32 t, (1+2)*3; }\n"
                              "setp.eq.s32 %p1|%p2, %r1, %r2; L: bra L;");
  ASSERT_TRUE(parse(text));
  for (std::size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_FALSE(parse(text.substr(0, size)) && size > kernelHead.size())
        << size;
}

TEST(Diagnostics, RenderWithACaret) {
  std::string text = "first\n\tadd %r1\nlast";
  Diagnostic diagnostic{{2, 6}, "what is wrong"};
  EXPECT_EQ(diagnostic.render(text, "a.ptx"),
            "a.ptx:2:6: error: what is wrong\n\tadd %r1\n\t    ^\n");
  EXPECT_EQ(diagnostic.render(text),
            "2:6: error: what is wrong\n\tadd %r1\n\t    ^\n");
  EXPECT_EQ((Diagnostic{{9, 1}, "past the end"}.render(text)),
            "9:1: error: past the end\n\n^\n");
}

TEST(Diagnostics, CutLongLines) {
  std::string text = std::string(1000, 'x');
  std::string shown = Diagnostic{{1, 500}, "here"}.render(text);
  EXPECT_LT(shown.size(), 400u);
  EXPECT_THAT(shown, HasSubstr("\n" + std::string(80, ' ') + "^\n"));
}

} // namespace
