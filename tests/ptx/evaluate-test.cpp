// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "evaluator.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

using namespace tessera::ptx;

namespace {

constexpr std::uint64_t nan32 = 0x7fffffff;
constexpr float inf = std::numeric_limits<float>::infinity();
const float nanf32 = std::numeric_limits<float>::quiet_NaN();

/// Words with corners among them.
std::uint32_t someWord(std::mt19937 &generator) {
  switch (generator() % 4) {
  case 0:
    return generator() % 40;
  case 1:
    return ~0u - generator() % 3;
  case 2:
    return 0x7fffffffu + generator() % 3;
  default:
    return generator();
  }
}

TEST(Evaluate, IntegerArithmeticAgainstTheHost) {
  std::mt19937 generator(7);
  for (int i = 0; i < 60; ++i) {
    std::uint32_t a = someWord(generator), b = someWord(generator);
    std::uint32_t c = someWord(generator);
    auto sa = std::int32_t(a), sb = std::int32_t(b);
    auto wide = std::int64_t(sa) * sb;
    EXPECT_EQ(valueOf("add.u32", a, b), a + b);
    EXPECT_EQ(valueOf("sub.s32", a, b), a - b);
    EXPECT_EQ(valueOf("mul.lo.u32", a, b), a * b);
    EXPECT_EQ(valueOf("mul.hi.u32", a, b), (std::uint64_t(a) * b) >> 32);
    EXPECT_EQ(valueOf("mul.hi.s32", a, b), std::uint32_t(wide >> 32));
    EXPECT_EQ(valueOf("mul.wide.s32", a, b), std::uint64_t(wide));
    EXPECT_EQ(valueOf("mul.wide.u32", a, b), std::uint64_t(a) * b);
    EXPECT_EQ(valueOf("mad.lo.s32", a, b, c), a * b + c);
    EXPECT_EQ(valueOf("min.s32", a, b), std::uint32_t(std::min(sa, sb)));
    EXPECT_EQ(valueOf("max.u32", a, b), std::max(a, b));
    EXPECT_EQ(valueOf("sad.s32", a, b, c),
              c + std::uint32_t(sa < sb ? std::int64_t(sb) - sa
                                        : std::int64_t(sa) - sb));
    if (b != 0) {
      EXPECT_EQ(valueOf("div.u32", a, b), a / b);
      EXPECT_EQ(valueOf("rem.u32", a, b), a % b);
      EXPECT_EQ(valueOf("div.s32", a, b), std::uint32_t(std::int64_t(sa) / sb));
      EXPECT_EQ(valueOf("rem.s32", a, b), std::uint32_t(std::int64_t(sa) % sb));
    }
  }
}

TEST(Evaluate, SixteenBitProductsDoNotOverflow) {
  EXPECT_EQ(valueOf("mul.lo.u16", 0xffff, 0xffff), 1u);
  EXPECT_EQ(valueOf("mul.hi.u16", 0xffff, 0xffff), 0xfffeu);
  EXPECT_EQ(valueOf("mul.wide.s16", 0x8000, 0x8000), 0x40000000u);
}

TEST(Evaluate, HighProductsOf64Bits) {
  EXPECT_EQ(valueOf("mul.hi.u64", -1, -1), ~std::uint64_t(0) - 1);
  EXPECT_EQ(valueOf("mul.hi.s64", -1, -1), 0u);
  EXPECT_EQ(valueOf("mul.hi.s64", std::int64_t(1) << 63, 2), ~std::uint64_t(0));
}

TEST(Evaluate, DivisionByZeroAndOverflow) {
  EXPECT_EQ(valueOf("div.u32", 5, 0), 0xffffffffu);
  EXPECT_EQ(valueOf("rem.u32", 5, 0), 0xffffffffu);
  EXPECT_EQ(valueOf("rem.s16", 5, 0), 0xffffu);
  EXPECT_EQ(valueOf("div.s32", 0x80000000, -1), 0x80000000u);
  EXPECT_EQ(valueOf("rem.s32", 0x80000000, -1), 0u);
  EXPECT_EQ(valueOf("div.s64", std::int64_t(1) << 63, -1), std::uint64_t(1)
                                                               << 63);
}

TEST(Evaluate, Saturation) {
  EXPECT_EQ(valueOf("add.sat.s32", 0x7fffffff, 1), 0x7fffffffu);
  EXPECT_EQ(valueOf("add.sat.s32", 0x80000000, -1), 0x80000000u);
  EXPECT_EQ(valueOf("add.sat.s32", 5, -7), 0xfffffffeu);
  EXPECT_EQ(valueOf("sub.sat.s32", 0x80000000, 1), 0x80000000u);
  EXPECT_EQ(valueOf("sub.sat.s32", 0, 0x80000000), 0x7fffffffu);
  EXPECT_EQ(valueOf("mad.hi.sat.s32", 0x7fffffff, 0x7fffffff, 0x70000000),
            0x7fffffffu);
}

TEST(Evaluate, CarryChains) {
  Evaluated sum = evaluate("add.cc.u32", {0xffffffff, 1});
  EXPECT_EQ(sum.value, 0u);
  EXPECT_TRUE(sum.carry);
  EXPECT_FALSE(evaluate("add.cc.u32", {0x7fffffff, 1}).carry);
  EXPECT_EQ(evaluate("addc.u32", {1, 2}, true).value, 4u);
  EXPECT_EQ(evaluate("addc.u32", {1, 2}, false).value, 3u);
  Evaluated all = evaluate("addc.cc.u32", {0xffffffff, 0xffffffff}, true);
  EXPECT_EQ(all.value, 0xffffffffu);
  EXPECT_TRUE(all.carry);
  EXPECT_TRUE(evaluate("sub.cc.u64", {0, 1}).carry) << "a borrow";
  EXPECT_EQ(evaluate("subc.u32", {5, 2}, true).value, 2u);
  EXPECT_TRUE(evaluate("subc.cc.u32", {0, 0}, true).carry);
  EXPECT_FALSE(evaluate("subc.cc.u32", {0, 0}, false).carry);
  Evaluated product = evaluate("mad.lo.cc.u32", {0x10000, 0xffff, 0xffffffff});
  EXPECT_EQ(product.value, 0xfffeffffu);
  EXPECT_TRUE(product.carry);
  EXPECT_EQ(evaluate("madc.hi.u32", {0xffffffff, 0xffffffff, 1}, true).value,
            0u);
}

TEST(Evaluate, TwentyFourBitProducts) {
  EXPECT_EQ(valueOf("mul24.lo.u32", 0xff000002, 3), 6u);
  EXPECT_EQ(valueOf("mul24.lo.s32", 0x00ffffff, 5), std::uint32_t(-5));
  EXPECT_EQ(valueOf("mul24.hi.u32", 0x00ffffff, 0x00ffffff), 0xfffffe00u);
}

TEST(Evaluate, ShiftsClampTheirAmount) {
  EXPECT_EQ(valueOf("shl.b32", 1, 31), 0x80000000u);
  EXPECT_EQ(valueOf("shl.b32", 1, 32), 0u);
  EXPECT_EQ(valueOf("shl.b32", 1, -1), 0u);
  EXPECT_EQ(valueOf("shl.b16", 0xffff, 15), 0x8000u);
  EXPECT_EQ(valueOf("shl.b16", 1, 16), 0u);
  EXPECT_EQ(valueOf("shr.u64", -1, 63), 1u);
  EXPECT_EQ(valueOf("shr.u64", -1, 64), 0u);
  EXPECT_EQ(valueOf("shr.s32", 0x80000000, 40), 0xffffffffu);
  EXPECT_EQ(valueOf("shr.s32", 0x40000000, 40), 0u);
  EXPECT_EQ(valueOf("shr.s16", 0x8000, 3), 0xf000u);
  EXPECT_EQ(valueOf("shr.b32", 0x80000000, 31), 1u);
}

TEST(Evaluate, FunnelShifts) {
  EXPECT_EQ(valueOf("shf.l.wrap.b32", 0x80000001, 0x12345678, 4), 0x23456788u);
  EXPECT_EQ(valueOf("shf.l.wrap.b32", 0x80000001, 0x12345678, 36), 0x23456788u);
  EXPECT_EQ(valueOf("shf.l.clamp.b32", 0x80000001, 0x12345678, 36),
            0x80000001u);
  EXPECT_EQ(valueOf("shf.r.wrap.b32", 0x80000001, 0x12345678, 4), 0x88000000u);
  EXPECT_EQ(valueOf("shf.r.clamp.b32", 0x80000001, 0x12345678, 99),
            0x12345678u);
}

/// bfe as the ISA's own loop.
std::uint32_t referenceBfe(std::uint32_t a, unsigned position, unsigned length,
                           bool isSigned) {
  bool sign = isSigned && length != 0 &&
              (a >> std::min(position + length - 1, 31u) & 1);
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 32; ++i) {
    bool bit = i < length && position + i < 32 ? a >> (position + i) & 1 : sign;
    result |= std::uint32_t(bit) << i;
  }
  return result;
}

TEST(Evaluate, BitFieldsAgainstTheIsaLoops) {
  for (std::uint32_t a : {0x12345678u, 0x80000000u, 0xffffffffu, 0x0000ff00u})
    for (unsigned position : {0u, 1u, 8u, 15u, 31u, 32u, 100u})
      for (unsigned length : {0u, 1u, 7u, 8u, 24u, 31u, 32u, 200u}) {
        EXPECT_EQ(valueOf("bfe.u32", a, position, length),
                  referenceBfe(a, position, length, false))
            << a << " " << position << " " << length;
        EXPECT_EQ(valueOf("bfe.s32", a, position, length),
                  referenceBfe(a, position, length, true))
            << a << " " << position << " " << length;
        std::uint32_t inserted = 0x0f0f0f0f;
        for (unsigned i = 0; i < length && position + i < 32; ++i) {
          inserted &= ~(1u << (position + i));
          inserted |= (i < 32 ? a >> i & 1 : 0) << (position + i);
        }
        EXPECT_EQ(valueOf("bfi.b32", a, 0x0f0f0f0f, position, length), inserted)
            << a << " " << position << " " << length;
      }
  EXPECT_EQ(valueOf("bfe.s64", 0x00f0000000000000, 52, 4), ~std::uint64_t(0));
  EXPECT_EQ(valueOf("bfe.u64", 0xabcd, 0x104, 0x108), 0u);
  EXPECT_EQ(valueOf("bfi.b64", 0, 0x1f, 0x100, 1), 0x1fu);
  EXPECT_EQ(valueOf("bfe.u32", 0xabcd, 0x104, 0x108), 0xbcu)
      << "only the low bytes of position and length count";
}

TEST(Evaluate, CountingAndFinding) {
  EXPECT_EQ(valueOf("popc.b64", -1), 64u);
  EXPECT_EQ(valueOf("clz.b32", 0), 32u);
  EXPECT_EQ(valueOf("clz.b64", 1), 63u);
  EXPECT_EQ(valueOf("brev.b32", 0x12345678), 0x1e6a2c48u);
  EXPECT_EQ(valueOf("brev.b64", 1), std::uint64_t(1) << 63);
  EXPECT_EQ(valueOf("bfind.u32", 0x00010000), 16u);
  EXPECT_EQ(valueOf("bfind.shiftamt.u32", 0x00010000), 15u);
  EXPECT_EQ(valueOf("bfind.u32", 0), 0xffffffffu);
  EXPECT_EQ(valueOf("bfind.s32", -1), 0xffffffffu);
  EXPECT_EQ(valueOf("bfind.s32", -5), 2u);
  EXPECT_EQ(valueOf("fns.b32", 0b10110, 0, 1), 1u);
  EXPECT_EQ(valueOf("fns.b32", 0b10110, 0, 3), 4u);
  EXPECT_EQ(valueOf("fns.b32", 0b10110, 4, -2), 2u);
  EXPECT_EQ(valueOf("fns.b32", 0b10110, 3, 0), 0xffffffffu);
  EXPECT_EQ(valueOf("fns.b32", 0b10110, 2, 0), 2u);
  EXPECT_EQ(valueOf("fns.b32", 0b10110, 40, -1), 0xffffffffu);
  EXPECT_EQ(valueOf("bmsk.clamp.b32", 4, 8), 0xff0u);
  EXPECT_EQ(valueOf("bmsk.clamp.b32", 4, 40), 0xfffffff0u);
  EXPECT_EQ(valueOf("szext.clamp.s32", 0x8f, 8), 0xffffff8fu);
  EXPECT_EQ(valueOf("szext.clamp.u32", 0x18f, 8), 0x8fu);
}

TEST(Evaluate, Permutations) {
  EXPECT_EQ(valueOf("prmt.b32", 0x33221100, 0x77665544, 0x7531), 0x77553311u);
  EXPECT_EQ(valueOf("prmt.b32", 0x33221180, 0x77665544, 0x0008), 0x808080ffu)
      << "bit 3 copies the sign";
  EXPECT_EQ(valueOf("prmt.b32.f4e", 0x33221100, 0x77665544, 3), 0x66554433u);
  EXPECT_EQ(valueOf("prmt.b32.b4e", 0x33221100, 0x77665544, 0), 0x55667700u);
  EXPECT_EQ(valueOf("prmt.b32.rc8", 0x33221100, 0x77665544, 2), 0x22222222u);
  EXPECT_EQ(valueOf("prmt.b32.ecl", 0x33221100, 0x77665544, 1), 0x33221111u);
  EXPECT_EQ(valueOf("prmt.b32.ecr", 0x33221100, 0x77665544, 1), 0x11111100u);
  EXPECT_EQ(valueOf("prmt.b32.rc16", 0x33221100, 0x77665544, 1), 0x33223322u);
}

TEST(Evaluate, LogicTables) {
  std::mt19937 generator(3);
  for (unsigned table : {0x00u, 0x80u, 0xfeu, 0x96u, 0xe8u, 0xcau, 0xffu}) {
    std::uint32_t a = generator(), b = generator(), c = generator();
    std::uint32_t expected = 0;
    for (unsigned i = 0; i < 32; ++i) {
      unsigned index = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
      expected |= (table >> index & 1) << i;
    }
    EXPECT_EQ(valueOf("lop3.b32", a, b, c, table), expected) << table;
  }
  EXPECT_EQ(valueOf("cnot.b32", 0), 1u);
  EXPECT_EQ(valueOf("cnot.b32", 7), 0u);
  EXPECT_EQ(valueOf("xor.pred", 1, 1), 0u);
  EXPECT_EQ(valueOf("not.pred", 0), 1u);
}

TEST(Evaluate, DotProducts) {
  EXPECT_EQ(valueOf("dp4a.s32.s32", 0xff02fe03, 0x01020304, 10),
            std::uint32_t(-1 * 1 + 2 * 2 + -2 * 3 + 3 * 4 + 10));
  EXPECT_EQ(valueOf("dp4a.u32.u32", 0xff02fe03, 0x01020304, 10),
            255u + 4 + 254 * 3 + 12 + 10);
  EXPECT_EQ(valueOf("dp4a.u32.s32", 0x000000ff, 0x000000ff, 0),
            std::uint32_t(-255));
  EXPECT_EQ(valueOf("dp2a.hi.s32.s32", 0xffff0002, 0x05060708, 0),
            std::uint32_t(-5 + 12));
}

TEST(Evaluate, IntegerComparisons) {
  EXPECT_EQ(valueOf("setp.lt.s32", -1, 0), 1u);
  EXPECT_EQ(valueOf("setp.lt.u32", -1, 0), 0u);
  EXPECT_EQ(valueOf("setp.hs.u32", -1, 0), 1u);
  EXPECT_EQ(valueOf("setp.ls.u32", 3, 3), 1u);
  EXPECT_EQ(valueOf("setp.ne.b64", std::int64_t(1) << 40, 0), 1u);
  Evaluated both = evaluate("setp.ge.and.s16", {5, 5, 1});
  EXPECT_EQ(both.value, 1u);
  EXPECT_EQ(both.second, 0u);
  both = evaluate("setp.ge.or.s16", {5, 5, 1});
  EXPECT_EQ(both.second, 1u) << "the complement is combined too";
  EXPECT_EQ(valueOf("setp.eq.xor.s32", 5, 5, 1), 0u);
  EXPECT_EQ(valueOf("set.gt.u32.s32", 5, 4), 0xffffffffu);
  EXPECT_EQ(valueOf("set.gt.f32.s32", 5, 4), 0x3f800000u);
  EXPECT_EQ(valueOf("set.gt.and.u32.s32", 5, 4, 0), 0u);
  EXPECT_EQ(valueOf("selp.b32", 1, 2, 0), 2u);
  EXPECT_EQ(valueOf("slct.u32.s32", 1, 2, -1), 2u);
  EXPECT_EQ(valueOf("slct.u32.f32", 1, 2, -0.0f), 1u);
  EXPECT_EQ(valueOf("slct.u32.f32", 1, 2, nanf32), 2u);
}

TEST(Evaluate, OrderedAndUnorderedComparisons) {
  struct Case {
    const char *name;
    bool less, equal, greater, unordered;
  };
  for (Case c :
       {Case{"eq", 0, 1, 0, 0}, Case{"ne", 1, 0, 1, 0}, Case{"lt", 1, 0, 0, 0},
        Case{"le", 1, 1, 0, 0}, Case{"gt", 0, 0, 1, 0}, Case{"ge", 0, 1, 1, 0},
        Case{"equ", 0, 1, 0, 1}, Case{"neu", 1, 0, 1, 1},
        Case{"ltu", 1, 0, 0, 1}, Case{"leu", 1, 1, 0, 1},
        Case{"gtu", 0, 0, 1, 1}, Case{"geu", 0, 1, 1, 1},
        Case{"num", 1, 1, 1, 0}, Case{"nan", 0, 0, 0, 1}}) {
    std::string name = std::string("setp.") + c.name + ".f32";
    EXPECT_EQ(valueOf(name, 1.0f, 2.0f), c.less) << name;
    EXPECT_EQ(valueOf(name, -0.0f, 0.0f), c.equal) << name;
    EXPECT_EQ(valueOf(name, inf, 2.0f), c.greater) << name;
    EXPECT_EQ(valueOf(name, nanf32, 2.0f), c.unordered) << name;
    EXPECT_EQ(valueOf(name, 2.0f, nanf32), c.unordered) << name;
    std::string wide = std::string("setp.") + c.name + ".f64";
    EXPECT_EQ(valueOf(wide, 1.0, double(nanf32)), c.unordered) << wide;
    std::string half = std::string("setp.") + c.name + ".f16";
    EXPECT_EQ(valueOf(half, 0x3c00, 0x4000), c.less) << half;
    EXPECT_EQ(valueOf(half, 0x7e00, 0x4000), c.unordered) << half;
  }
  EXPECT_EQ(valueOf("setp.eq.f32", 1e-40f, 2e-40f), 0u);
  EXPECT_EQ(valueOf("setp.eq.ftz.f32", 1e-40f, 2e-40f), 1u);
}

TEST(Evaluate, NanResultsAreCanonical) {
  float payload = std::bit_cast<float>(0xffc12345u);
  EXPECT_EQ(valueOf("add.f32", payload, 1.0f), nan32);
  EXPECT_EQ(valueOf("sub.f32", inf, inf), nan32);
  EXPECT_EQ(valueOf("mul.f32", inf, 0.0f), nan32);
  EXPECT_EQ(valueOf("div.rn.f32", 0.0f, 0.0f), nan32);
  EXPECT_EQ(valueOf("sqrt.rn.f32", -1.0f), nan32);
  EXPECT_EQ(valueOf("fma.rn.f32", inf, 0.0f, 1.0f), nan32);
  EXPECT_EQ(valueOf("add.f16", 0x7e01, 0x3c00), 0x7fffu);
  EXPECT_EQ(valueOf("lg2.approx.f32", -1.0f), nan32);
  EXPECT_EQ(valueOf("neg.f32", payload), nan32);
  EXPECT_EQ(valueOf("abs.bf16", 0xffc5), 0x7fffu);
}

TEST(Evaluate, DoublePrecisionKeepsPayloads) {
  auto signaling = std::bit_cast<double>(0x7ff0000000000001);
  EXPECT_EQ(valueOf("add.f64", signaling, 1.0), 0x7ff8000000000001u);
  EXPECT_EQ(valueOf("neg.f64", signaling), 0x7ff8000000000001u);
  EXPECT_EQ(valueOf("mul.f64", 0.0, double(inf)), 0xfff8000000000000u);
  EXPECT_EQ(valueOf("cvt.f64.f32", std::bit_cast<float>(0xffc12345u)),
            0xfff82468a0000000u);
  EXPECT_EQ(valueOf("cvt.f32.bf16", 0x7f81), 0x7f810000u);
  EXPECT_EQ(valueOf("cvt.f64.f16", 0xfe55), 0xfff9540000000000u);
  EXPECT_EQ(valueOf("cvt.ftz.f64.f32", std::bit_cast<float>(0x7f800001u)),
            0x7fffffffe0000000u);
  EXPECT_EQ(valueOf("cvt.f64.f64", signaling), bitsOf(signaling));
  auto negative = std::bit_cast<double>(0xfff8123456789abc);
  EXPECT_EQ(valueOf("cvt.rn.f16.f64", negative), 0xfe04u);
  EXPECT_EQ(valueOf("div.rn.f64", signaling, negative), 0x7ff8000000000001u);
  EXPECT_EQ(valueOf("fma.rn.f64", 1.0, signaling, negative),
            0x7ff8000000000001u);
}

TEST(Evaluate, TinyResultsAreFlushedBeforeRounding) {
  float almostOne = 1 - 0x1p-24f;
  EXPECT_EQ(valueOf("mul.f32", almostOne, 0x1p-126f), bitsOf(0x1p-126f));
  EXPECT_EQ(valueOf("mul.ftz.f32", almostOne, 0x1p-126f), 0u);
  EXPECT_EQ(valueOf("fma.rn.ftz.f32", almostOne, -0x1p-126f, 0.0f),
            bitsOf(-0.0f));
  EXPECT_EQ(valueOf("mul.ftz.f16", 0x3bff, 0x0400), 0u);
}

TEST(Evaluate, ApproximateDivisionByLargeNumbers) {
  EXPECT_EQ(valueOf("div.approx.f32", 0x1p31f, 0x1p127f), 0u);
  EXPECT_EQ(valueOf("div.approx.f32", inf, 0x1p127f), nan32);
  EXPECT_EQ(valueOf("div.full.f32", 0x1p31f, 0x1p127f), bitsOf(0x1p-96f));
}

TEST(Evaluate, MinimumAndMaximum) {
  EXPECT_EQ(valueOf("min.f32", nanf32, 2.0f), bitsOf(2.0f));
  EXPECT_EQ(valueOf("max.f32", 2.0f, nanf32), bitsOf(2.0f));
  EXPECT_EQ(valueOf("min.f32", nanf32, nanf32), nan32);
  EXPECT_EQ(valueOf("min.NaN.f32", nanf32, 2.0f), nan32);
  EXPECT_EQ(valueOf("min.f32", 0.0f, -0.0f), bitsOf(-0.0f));
  EXPECT_EQ(valueOf("max.f32", -0.0f, 0.0f), bitsOf(0.0f));
  EXPECT_EQ(valueOf("max.f32", 3.0f, -4.0f), bitsOf(3.0f));
  EXPECT_EQ(valueOf("max.xorsign.abs.f32", 3.0f, -4.0f), bitsOf(-4.0f));
  EXPECT_EQ(valueOf("min.f64", 3.0, -4.0), bitsOf(-4.0));
  EXPECT_EQ(valueOf("max.f16x2", 0x3c007e00, 0x40003c00), 0x40003c00u);
  EXPECT_EQ(valueOf("max.NaN.f16x2", 0x3c007e00, 0x40003c00), 0x40007fffu);
  EXPECT_EQ(valueOf("max.s16x2", 0xffff0001, 0x0000fffe), 0x00000001u);
  EXPECT_EQ(valueOf("max.relu.s32", -3, -5), 0u);
}

TEST(Evaluate, FlushAndSaturate) {
  EXPECT_EQ(valueOf("add.f32", 1e-40f, 0.0f), bitsOf(1e-40f));
  EXPECT_EQ(valueOf("add.ftz.f32", 1e-40f, 0.0f), 0u);
  EXPECT_EQ(valueOf("mul.ftz.f32", -1e-20f, 1e-20f), bitsOf(-0.0f));
  EXPECT_EQ(valueOf("add.sat.f32", 3.0f, 4.0f), bitsOf(1.0f));
  EXPECT_EQ(valueOf("add.sat.f32", -3.0f, 1.0f), 0u);
  EXPECT_EQ(valueOf("add.sat.f32", nanf32, 1.0f), 0u);
  EXPECT_EQ(valueOf("fma.rn.relu.f16", 0xbc00, 0x3c00, 0x0000), 0u);
  EXPECT_EQ(valueOf("fma.rn.sat.f16", 0x4000, 0x4000, 0x0000), 0x3c00u);
}

TEST(Evaluate, Signs) {
  EXPECT_EQ(valueOf("neg.f32", 1.0f), bitsOf(-1.0f));
  EXPECT_EQ(valueOf("abs.f64", -2.0), bitsOf(2.0));
  EXPECT_EQ(valueOf("abs.f16x2", 0xbc00c000), 0x3c004000u);
  EXPECT_EQ(valueOf("neg.bf16x2", 0x3f80bf80), 0xbf803f80u);
  EXPECT_EQ(valueOf("copysign.f32", -1.0f, 3.0f), bitsOf(-3.0f));
  EXPECT_EQ(valueOf("neg.s32", 0x80000000), 0x80000000u);
  EXPECT_EQ(valueOf("abs.s16", 0xfffe), 2u);
}

TEST(Evaluate, ClassesOfNumbers) {
  EXPECT_EQ(valueOf("testp.finite.f32", 1e-40f), 1u);
  EXPECT_EQ(valueOf("testp.finite.f32", inf), 0u);
  EXPECT_EQ(valueOf("testp.infinite.f64", -double(inf)), 1u);
  EXPECT_EQ(valueOf("testp.number.f32", nanf32), 0u);
  EXPECT_EQ(valueOf("testp.notanumber.f32", nanf32), 1u);
  EXPECT_EQ(valueOf("testp.normal.f32", 0.0f), 1u);
  EXPECT_EQ(valueOf("testp.normal.f32", 1e-40f), 0u);
  EXPECT_EQ(valueOf("testp.normal.f32", 1.0f), 1u);
  EXPECT_EQ(valueOf("testp.subnormal.f32", 1e-40f), 1u);
  EXPECT_EQ(valueOf("testp.subnormal.f32", 0.0f), 0u);
}

TEST(Evaluate, ApproximateFunctionsAreClose) {
  auto check = [](const char *name, float x, double exact) {
    auto bits = std::uint32_t(valueOf(name, x));
    EXPECT_NEAR(std::bit_cast<float>(bits), exact,
                std::abs(exact) * 0x1p-21 + 0x1p-21)
        << name << " " << x;
  };
  for (float x : {0.5f, 1.0f, 1.75f, 3.0f}) {
    check("rcp.approx.f32", x, 1 / double(x));
    check("rsqrt.approx.f32", x, 1 / std::sqrt(double(x)));
    check("sqrt.approx.f32", x, std::sqrt(double(x)));
    check("sin.approx.f32", x, std::sin(double(x)));
    check("cos.approx.f32", x, std::cos(double(x)));
    check("lg2.approx.f32", x, std::log2(double(x)));
    check("ex2.approx.f32", x, std::exp2(double(x)));
    check("tanh.approx.f32", x, std::tanh(double(x)));
  }
  EXPECT_EQ(valueOf("ex2.approx.f32", -inf), 0u);
  EXPECT_EQ(valueOf("rcp.approx.f32", -0.0f), bitsOf(-inf));
  EXPECT_EQ(valueOf("ex2.approx.f16x2", 0x3c000000), 0x40003c00u);
  EXPECT_EQ(valueOf("rcp.approx.ftz.f64", 3.0) & 0xffffffff, 0u);
}

TEST(Evaluate, IntegerConversions) {
  EXPECT_EQ(valueOf("cvt.s32.s8", 0x1fe), 0xfffffffeu);
  EXPECT_EQ(valueOf("cvt.u32.u8", 0x1fe), 0xfeu);
  EXPECT_EQ(valueOf("cvt.u64.s32", -1), ~std::uint64_t(0));
  EXPECT_EQ(valueOf("cvt.u64.u32", 0xffffffff), 0xffffffffu);
  EXPECT_EQ(valueOf("cvt.u16.u32", 0x12345), 0x2345u);
  EXPECT_EQ(valueOf("cvt.sat.u8.s32", -5), 0u);
  EXPECT_EQ(valueOf("cvt.sat.u8.s32", 300), 255u);
  EXPECT_EQ(valueOf("cvt.sat.s8.s32", -300), 0x80u);
  EXPECT_EQ(valueOf("cvt.sat.s32.u32", 0xffffffff), 0x7fffffffu);
  EXPECT_EQ(valueOf("cvt.sat.u32.s64", -1), 0u);
  EXPECT_EQ(valueOf("cvt.pack.sat.s16.s32", 70000, -70000), 0x7fff8000u);
  EXPECT_EQ(valueOf("cvt.pack.sat.u8.s32.b32", 300, -1, 0x1234), 0x1234ff00u);
}

TEST(Evaluate, NarrowResultsExtendToTheirRegister) {
  Module module = parsed(".version 8.0\n.target sm_80\n.entry k {\n"
                         ".reg .b32 %r<3>;\ncvt.s8.s32 %r1, %r2;\n"
                         "cvt.u8.u32 %r1, %r2;\n}");
  const Function &function = module.functions[0];
  std::array<std::uint32_t, warpSize> to{}, from;
  from.fill(0x12f0);
  std::array<Lanes, 2> lanes{Lanes{to.data(), 4}, Lanes{from.data(), 4}};
  std::uint32_t carry = 0;
  resolve(function, function.instructions[0])->run(lanes.data(), ~0u, carry);
  EXPECT_EQ(to[31], 0xfffffff0u);
  resolve(function, function.instructions[1])->run(lanes.data(), ~0u, carry);
  EXPECT_EQ(to[31], 0xf0u);
}

TEST(Evaluate, PackingAndUnpacking) {
  Module module = parsed(".version 8.0\n.target sm_80\n.entry k {\n"
                         ".reg .b32 %r<3>; .reg .b16 %h<5>; .reg .b64 %d;\n"
                         "mov.b64 %d, {%r1, %r2};\n"
                         "mov.b64 {%h1, %h2, %h3, %h4}, %d;\n}");
  const Function &function = module.functions[0];
  std::array<std::uint32_t, warpSize> low, high;
  std::array<std::uint64_t, warpSize> both{};
  low.fill(0x22221111);
  high.fill(0x44443333);
  std::uint32_t carry = 0;
  std::array<Lanes, 3> pack{Lanes{both.data(), 8}, Lanes{low.data(), 4},
                            Lanes{high.data(), 4}};
  resolve(function, function.instructions[0])->run(pack.data(), ~0u, carry);
  EXPECT_EQ(both[5], 0x4444333322221111u);
  std::array<std::array<std::uint16_t, warpSize>, 4> parts{};
  std::array<Lanes, 5> unpack{Lanes{parts[0].data(), 2}, Lanes{},
                              Lanes{parts[2].data(), 2},
                              Lanes{parts[3].data(), 2}, Lanes{both.data(), 8}};
  resolve(function, function.instructions[1])->run(unpack.data(), ~0u, carry);
  EXPECT_EQ(parts[0][9], 0x1111);
  EXPECT_EQ(parts[1][9], 0) << "results without data are dropped";
  EXPECT_EQ(parts[3][9], 0x4444);
}

TEST(Evaluate, LanesOutsideTheMaskKeepTheirValues) {
  Module module = parsed(inKernel("add.s32 %r1, %r2, 5; sin.approx.f32 %f1, "
                                  "%f2; setp.eq.s32 %p1, %r1, %r2;"));
  const Function &function = module.functions[0];
  std::array<std::uint32_t, warpSize> to, from;
  to.fill(99);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    from[lane] = lane;
  std::uint32_t five = 5, carry = 0;
  std::array<Lanes, 3> lanes{Lanes{to.data(), 4}, Lanes{from.data(), 4},
                             Lanes{&five, 0}};
  resolve(function, function.instructions[0])
      ->run(lanes.data(), 0x80000002, carry);
  EXPECT_EQ(to[0], 99u);
  EXPECT_EQ(to[1], 6u);
  EXPECT_EQ(to[31], 36u);
  resolve(function, function.instructions[1])->run(lanes.data(), 1, carry);
  EXPECT_EQ(to[1], 6u);
  std::uint32_t predicate = 0xf;
  std::array<Lanes, 4> compare{Lanes{&predicate}, Lanes{},
                               Lanes{from.data(), 4}, Lanes{&five, 0}};
  resolve(function, function.instructions[2])->run(compare.data(), 0x30, carry);
  EXPECT_EQ(predicate, 0x2fu);
}

TEST(Evaluate, NegatedPredicates) {
  Module module = parsed(inKernel("selp.b32 %r1, 1, 2, !%p1;"));
  const Function &function = module.functions[0];
  std::array<std::uint32_t, warpSize> to{};
  std::uint32_t one = 1, two = 2, predicate = 1, carry = 0;
  std::array<Lanes, 4> lanes{Lanes{to.data(), 4}, Lanes{&one, 0},
                             Lanes{&two, 0}, Lanes{&predicate, 0, true}};
  resolve(function, function.instructions[0])->run(lanes.data(), ~0u, carry);
  EXPECT_EQ(to[0], 2u);
  EXPECT_EQ(to[1], 1u);
}

} // namespace
