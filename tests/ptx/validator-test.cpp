// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/validator.h"
#include "support.h"

using namespace tessera::ptx;

namespace {

std::string problemsOf(std::string_view text) {
  std::string out;
  for (const Diagnostic &diagnostic : validate(parsed(text)))
    out += std::to_string(diagnostic.pos.line) + ":" +
           std::to_string(diagnostic.pos.column) + ": " + diagnostic.message +
           "\n";
  return out;
}

std::string problemsIn(std::string_view statements) {
  return problemsOf(inKernel(statements));
}

TEST(Validator, AcceptsWhatIsRight) {
  EXPECT_EQ(problemsIn("add.s32 %r1, %r2, 3; add.f32 %f1, %r1, 0f3F800000;\n"
                       "ld.global.u8 %r1, [%rd1]; ld.global.s8 %rs1, [gvar];\n"
                       "cvt.s32.s8 %r1, %r2; cvt.u16.u32 %r1, %r2;\n"
                       "mov.b64 %rd1, {%r1, %r2}; mov.b32 {%rs1, %rs2}, %r1;\n"
                       "mov.u32 %r1, svar; ld.shared.b32 %r1, [svar+4];\n"
                       "selp.b32 %r1, %r2, %r3, %p1; not.pred %p1, %p2;\n"
                       "ld.param.u64 %rd1, [p0]; mov.u64 %rd2, %clock64;"),
            "");
}

TEST(Validator, RegisterClasses) {
  EXPECT_EQ(problemsIn("add.s32 %r1, %f1, %r2;"),
            "8:14: register '%f1' is .f32, which does not fit .s32 of "
            "'add.s32'\n");
  EXPECT_EQ(problemsIn("add.f32 %f1, %fd1, %f2;"),
            "8:14: register '%fd1' is .f64, which does not fit .f32 of "
            "'add.f32'\n");
  EXPECT_EQ(problemsIn("selp.b32 %r1, %r2, %r3, %r4;"),
            "8:25: register '%r4' is .b32, which does not fit .pred of "
            "'selp.b32'\n");
}

TEST(Validator, Widths) {
  EXPECT_EQ(problemsIn("mov.b64 %r1, 0;"),
            "8:9: register '%r1' is .b32, which does not fit .b64 of "
            "'mov.b64'\n");
  EXPECT_EQ(problemsIn("mul.wide.s32 %r1, %r2, %r3;"),
            "8:14: register '%r1' is .b32, which does not fit .s64 of "
            "'mul.wide.s32'\n");
  EXPECT_EQ(problemsIn("ld.global.b64 %r1, [%rd1];"),
            "8:15: register '%r1' is .b32, which does not fit .b64 of "
            "'ld.global.b64'\n");
  EXPECT_EQ(problemsIn("shl.b64 %rd1, %rd2, %rd3;"),
            "8:21: register '%rd3' is .b64, which does not fit .u32 of "
            "'shl.b64'\n");
  EXPECT_EQ(problemsIn("mov.u32 %r1, %clock64;"),
            "8:14: '%clock64' is .u64, which does not fit .u32\n");
}

TEST(Validator, Constants) {
  EXPECT_EQ(problemsIn("add.s32 %r1, %r2, 1.5;"),
            "8:19: this constant cannot be a .s32\n");
  EXPECT_EQ(problemsIn("mov.b32 %r1, 1.5;"),
            "8:14: this constant cannot be a .b32\n");
  EXPECT_EQ(problemsIn("add.f32 %f1, %f2, 1;"),
            "8:19: this constant cannot be a .f32\n");
}

TEST(Validator, Vectors) {
  EXPECT_EQ(problemsIn("ld.global.v4.b32 {%r1, %r2}, [%rd1];"),
            "8:18: expected 4 elements but found 2\n");
  EXPECT_EQ(problemsIn("ld.global.v2.b32 %r1, [%rd1];"),
            "8:18: expected a vector of 2 elements\n");
  EXPECT_EQ(problemsIn("mov.b64 %rd1, {%r1, %r2, %r3};"),
            "8:15: a vector of 3 elements does not make a .b64\n");
  EXPECT_EQ(problemsIn("mov.b64 %rd1, {%rs1, %r2};"),
            "8:16: register '%rs1' is .b16, which does not fit .b32 of "
            "'mov.b64'\n");
  EXPECT_EQ(problemsIn("ld.shared.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [svar];"),
            "8:1: 'ld.shared.v4.b64': vectors have at most 128 bits, in "
            "'.global' also 256\n");
}

TEST(Validator, StateSpaces) {
  EXPECT_EQ(problemsIn("ld.shared.b32 %r1, [gvar];"),
            "8:20: 'gvar' is in '.global', but 'ld.shared.b32' accesses "
            "'.shared'\n");
  EXPECT_EQ(problemsIn("st.global.b32 [svar], %r1;"),
            "8:15: 'svar' is in '.shared', but 'st.global.b32' accesses "
            "'.global'\n");
  EXPECT_EQ(problemsIn("cvta.shared.u64 %rd1, gvar;"),
            "8:23: 'gvar' is in '.global', not in '.shared'\n");
  EXPECT_EQ(problemsIn("cp.async.ca.shared.global [gvar], [gvar], 4;"),
            "8:27: 'gvar' is in '.global', but 'cp.async.ca.shared.global' "
            "accesses '.shared'\n");
  EXPECT_EQ(problemsIn("st.param.u64 [p0], %rd1;"),
            "8:14: parameters of an entry cannot be written\n");
  EXPECT_EQ(problemsIn("ld.global.b32 %r1, [%f1];"),
            "8:20: register '%f1' is .f32 and cannot be an address\n");
}

TEST(Validator, Negation) {
  EXPECT_EQ(problemsIn("add.s32 %r1, !%r2, %r3;"),
            "8:14: '%r2' is .b32; only predicates can be negated\n");
}

TEST(Validator, SelectorsOfVideoInstructions) {
  EXPECT_EQ(problemsIn("vadd.s32.u32.s32.sat %r1.b1, %r2.b0, %r3.h1, %r4;\n"
                       "vadd.s32.u32.s32 %r1, %r2, 5;\n"
                       "vmad.s32.u32.u32 %r1, -%r2.b0, -%r3.h1, -%r4;\n"
                       "vadd2.u32.u32.u32.sat %r1.h10, %r2.h32, %r3, %r4;\n"
                       "vset4.u32.u32.lt.add %r1.b310, %r2, %r3, %r4;"),
            "");
  EXPECT_EQ(problemsIn("vadd.s32.u32.s32 %r1, %r2, %r3.b10;"),
            "8:28: '.b10' is no selector of this operand\n");
  EXPECT_EQ(problemsIn("vadd.s32.u32.s32 %r1.b1, %r2, %r3;"),
            "8:18: this operand cannot have the selector '.b1'\n");
  EXPECT_EQ(problemsIn("vadd4.u32.u32.u32 %r1.b0123, %r2, %r3, %r4;"),
            "8:19: '.b0123' is no selector of this operand\n");
  EXPECT_EQ(problemsIn("vmad.s32.u32.u32.po %r1, -%r2, %r3, %r4;"),
            "8:26: this operand cannot be negated\n");
  EXPECT_EQ(problemsOf(".version 9.0\n.target sm_90a\n.address_size 64\n"
                       ".entry e() {\n.reg .b32 %r<9>;\n"
                       "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col."
                       "f16.e4m3.e5m2.f16 {%r0, %r1}, {%r2, %r3, %r4, %r5},\n"
                       "{%r2, %r3, %r4, %r5}, {%r6, %r7}, %r8, 0;\n}\n"),
            "6:1: 'mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f16."
            "e4m3.e5m2.f16' needs '.target sm_120a or sm_120f', but this "
            "module has sm_90a\n");
}

TEST(Validator, SpecialRegistersAreForMovAndCvt) {
  EXPECT_EQ(
      problemsIn("add.u32 %r1, %tid.x, 1;"),
      "8:14: '%tid' is a special register, which only 'mov' and 'cvt' read\n");
  EXPECT_EQ(problemsIn("add.u32 %r1, WARP_SZ, 1;"), "");
  EXPECT_EQ(problemsIn("cvt.u64.u32 %rd1, %tid.x;"), "");
  EXPECT_EQ(problemsIn("mov.u32 %r1, %tid;"),
            "8:14: '%tid' is a vector; name a component\n");
}

TEST(Validator, AScopeOnceOnly) {
  EXPECT_EQ(problemsIn("atom.global.cta.add.u32 %r1, [%rd1], 1;"), "");
  EXPECT_EQ(problemsIn("atom.cta.global.add.u32 %r1, [%rd1], 1;"), "");
  EXPECT_EQ(problemsIn("atom.cta.global.gpu.add.u32 %r1, [%rd1], 1;"),
            "8:1: 'atom.cta.global.gpu.add.u32': a scope may be given only "
            "once\n");
}

TEST(Validator, VersionAndTarget) {
  std::string body = "{ .reg .b32 %r<3>; redux.sync.add.u32 %r1, %r2, 15; }";
  EXPECT_EQ(problemsOf(".version 6.3\n.target sm_75\n.entry k " + body),
            "3:29: 'redux.sync.add.u32' needs '.version 7.0', but this module "
            "has 6.3\n"
            "3:29: 'redux.sync.add.u32' needs '.target sm_80', but this "
            "module has sm_75\n");
  EXPECT_EQ(problemsOf(".version 7.0\n.target sm_80\n.entry k " + body), "");
  EXPECT_EQ(problemsOf(".version 7.0\n.target sm_90\n"),
            "2:1: sm_90 needs '.version 7.8', but this module has 7.0\n");
  EXPECT_EQ(problemsOf(".version 8.0\n.target sm_91\n"),
            "2:1: unknown architecture 'sm_91'\n");
  EXPECT_EQ(problemsOf(".version 8.0\n.target sm_90\n.entry k { "
                       "wgmma.fence.sync.aligned; }"),
            "3:12: 'wgmma.fence.sync.aligned' needs '.target sm_90a', but "
            "this module has sm_90\n");
}

TEST(Validator, Comparisons) {
  EXPECT_EQ(problemsIn("setp.ltu.s32 %p1, %r1, %r2;"),
            "8:1: 'setp.ltu.s32': '.ltu' compares floating-point numbers "
            "only\n");
  EXPECT_EQ(problemsIn("setp.lo.s32 %p1, %r1, %r2;"),
            "8:1: 'setp.lo.s32': '.lo' compares unsigned integers only\n");
  EXPECT_EQ(problemsIn("setp.lt.b32 %p1, %r1, %r2;"),
            "8:1: 'setp.lt.b32': '.lt' does not compare untyped values\n");
}

TEST(Validator, Conversions) {
  EXPECT_EQ(problemsIn("cvt.s32.f32 %r1, %f1;"),
            "8:1: 'cvt.s32.f32': a conversion to an integer needs '.rni', "
            "'.rzi', '.rmi' or '.rpi'\n");
  EXPECT_EQ(problemsIn("cvt.f32.s32 %f1, %r1;"),
            "8:1: 'cvt.f32.s32': a conversion from an integer needs '.rn', "
            "'.rz', '.rm' or '.rp'\n");
  EXPECT_EQ(problemsIn("cvt.f32.f64 %f1, %fd1;"),
            "8:1: 'cvt.f32.f64': a conversion to a smaller format needs "
            "'.rn', '.rz', '.rm' or '.rp'\n");
  EXPECT_EQ(problemsIn("cvt.rn.s32.u16 %r1, %rs1;"),
            "8:1: 'cvt.rn.s32.u16': integers are converted without "
            "rounding\n");
  EXPECT_EQ(problemsIn("cvt.rni.ftz.s32.f64 %r1, %fd1;"),
            "8:1: 'cvt.rni.ftz.s32.f64': '.ftz' is for '.f32'\n");
  EXPECT_EQ(problemsIn("cvt.sat.s32.u16 %r1, %rs2;"),
            "8:1: 'cvt.sat.s32.u16': '.sat' has nothing to do here\n");
  EXPECT_EQ(problemsIn("cvt.sat.u32.s16 %r1, %rs2;"), "");
  EXPECT_EQ(problemsIn("cvt.rn.bf16.u8 %rs1, %rs2;"),
            "8:1: 'cvt.rn.bf16.u8': '.bf16' is not converted from or to 8-bit "
            "integers\n");
  EXPECT_EQ(problemsIn("cvt.rz.f64.f32 %fd1, %f1;"),
            "8:1: 'cvt.rz.f64.f32': a conversion to a format that is no "
            "smaller is exact and takes no rounding\n");
}

TEST(Validator, Declarations) {
  std::string head = ".version 8.0\n.target sm_80\n";
  EXPECT_EQ(problemsOf(head + ".shared .b32 a = 3;"),
            "3:14: a variable in '.shared' cannot be initialised\n");
  EXPECT_EQ(problemsOf(head + ".extern .global .b32 a = 3;"),
            "3:22: an '.extern' variable cannot be initialised\n");
  EXPECT_EQ(problemsOf(head + ".global .b32 a[2] = {1, 2, 3};"),
            "3:28: too many initial values for 'a'\n");
  EXPECT_EQ(problemsOf(head + ".global .pred a;"),
            "3:15: a variable cannot be a predicate\n");
  EXPECT_EQ(problemsOf(head + ".func f(.param .b32 a);\n"
                              ".func f(.param .b64 a) { ret; }"),
            "4:7: 'f' does not fit its declaration in line 3\n");
}

TEST(Validator, Calls) {
  std::string head = ".version 8.0\n.target sm_80\n"
                     ".func (.param .b32 r) f(.param .b32 a) { ret; }\n"
                     ".entry e { ret; }\n.entry k { .reg .b64 %rd<2>; "
                     ".param .b32 x; .param .b64 y;\n";
  EXPECT_EQ(problemsOf(head + "call (x), f, (x); }"), "");
  EXPECT_EQ(problemsOf(head + "call (x), f, (y); }"),
            "6:15: argument 1 has 8 bytes, but the function's has 4\n");
  EXPECT_EQ(problemsOf(head + "call f, (x); }"),
            "6:1: this call has 0 results, but the function has 1\n");
  EXPECT_EQ(problemsOf(head + "call e; }"),
            "6:6: 'e' is an entry and cannot be called\n");
  EXPECT_EQ(problemsOf(head + "call (x), %rd1, (x); }"),
            "6:1: an indirect call needs a prototype or call targets\n");
}

} // namespace
