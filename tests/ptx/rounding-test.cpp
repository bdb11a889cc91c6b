// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding against exact arithmetic in a wider format.

#include "evaluator.h"

#include <cmath>
#include <random>

using namespace tessera::ptx;

namespace {

float floatOf(std::uint64_t bits) {
  return std::bit_cast<float>(std::uint32_t(bits));
}
double doubleOf(std::uint64_t bits) { return std::bit_cast<double>(bits); }

/// A finite float with an exponent not far from 0.
float someFloat(std::mt19937 &generator) {
  std::uint32_t exponent = 127 - 12 + generator() % 24;
  return std::bit_cast<float>(std::uint32_t(generator() & 0x807fffff) |
                              exponent << 23);
}

/// Checks that four roundings of one exact value stand as they must.
void checkRoundings(const std::string &name, double exact, float nearest,
                    float zero, float down, float up) {
  EXPECT_LE(down, exact) << name;
  EXPECT_GE(up, exact) << name;
  EXPECT_TRUE(up == down || std::nextafter(down, up) == up) << name;
  EXPECT_EQ(zero, exact < 0 ? up : down) << name;
  EXPECT_TRUE(nearest == up || nearest == down) << name;
  EXPECT_LE(std::abs(nearest - exact),
            std::min(std::abs(up - exact), std::abs(down - exact)))
      << name;
}

TEST(Rounding, SinglePrecisionAgainstExactValues) {
  std::mt19937 generator(11);
  for (int i = 0; i < 40; ++i) {
    float a = someFloat(generator), b = someFloat(generator);
    // Sums of such floats and all products are exact in double precision.
    auto check = [&](const std::string &op, double exact) {
      auto value = [&](const char *rounding) {
        return floatOf(valueOf(op + rounding + ".f32", a, b));
      };
      checkRoundings(op, exact, value(".rn"), value(".rz"), value(".rm"),
                     value(".rp"));
    };
    check("add", double(a) + b);
    check("sub", double(a) - b);
    check("mul", double(a) * b);
  }
}

TEST(Rounding, DoublePrecisionBrackets) {
  EXPECT_EQ(doubleOf(valueOf("add.rp.f64", 1.0, 0x1p-80)), 1 + 0x1p-52);
  EXPECT_EQ(doubleOf(valueOf("add.rm.f64", 1.0, 0x1p-80)), 1.0);
  EXPECT_EQ(doubleOf(valueOf("add.rm.f64", 1.0, -0x1p-80)), 1 - 0x1p-53);
  EXPECT_EQ(doubleOf(valueOf("add.rz.f64", -1.0, -0x1p-80)), -1.0);
  EXPECT_EQ(doubleOf(valueOf("div.rp.f64", 1.0, 3.0)),
            std::nextafter(1.0 / 3.0, 1.0));
  EXPECT_EQ(doubleOf(valueOf("div.rm.f64", 1.0, 3.0)), 1.0 / 3.0);
  double below = doubleOf(valueOf("sqrt.rm.f64", 2.0));
  double above = doubleOf(valueOf("sqrt.rp.f64", 2.0));
  EXPECT_EQ(std::nextafter(below, 2.0), above);
  EXPECT_TRUE(below == std::sqrt(2.0) || above == std::sqrt(2.0));
  EXPECT_EQ(doubleOf(valueOf("fma.rp.f64", 1.0, 1.0, 0x1p-80)), 1 + 0x1p-52);
  EXPECT_EQ(doubleOf(valueOf("rcp.rp.f64", 3.0)),
            std::nextafter(1.0 / 3.0, 1.0));
}

TEST(Rounding, TheHostsModeIsRestored) {
  valueOf("add.rp.f64", 1.0, 0x1p-80);
  volatile double one = 1.0;
  EXPECT_EQ(one + 0x1p-80, 1.0);
}

TEST(Rounding, OverflowGoesToTheNearerLimit) {
  float most = std::numeric_limits<float>::max();
  EXPECT_EQ(valueOf("add.rz.f32", most, most), bitsOf(most));
  EXPECT_EQ(valueOf("add.rp.f32", most, most), 0x7f800000u);
  EXPECT_EQ(valueOf("add.rp.f32", -most, -most), bitsOf(-most));
  EXPECT_EQ(valueOf("cvt.rz.f32.f64", 1e300), bitsOf(most));
  EXPECT_EQ(valueOf("cvt.rn.f16.f32", 65520.0f), 0x7c00u);
  EXPECT_EQ(valueOf("cvt.rn.f16.f32", 65519.0f), 0x7bffu);
  EXPECT_EQ(valueOf("cvt.rz.f16.f32", 1e9f), 0x7bffu);
}

TEST(Rounding, HalfPrecisionRoundTrips) {
  for (std::uint32_t bits = 0; bits < 0x7c00; bits += 37) {
    std::uint64_t wide = valueOf("cvt.f32.f16", bits);
    EXPECT_EQ(valueOf("cvt.rn.f16.f32", floatOf(wide)), bits);
    EXPECT_EQ(valueOf("cvt.rm.f16.f32", floatOf(wide)), bits) << "exact";
    float between = floatOf(wide) * 1.0001f + 1e-9f;
    std::uint64_t down = valueOf("cvt.rz.f16.f32", between);
    EXPECT_EQ(down, bits);
    EXPECT_EQ(valueOf("cvt.rp.f16.f32", between), bits + 1);
  }
}

TEST(Rounding, HalfPrecisionKnownValues) {
  EXPECT_EQ(valueOf("cvt.rn.f16.f32", 1.0f + 0x1p-11f), 0x3c00u) << "tie";
  EXPECT_EQ(valueOf("cvt.rn.f16.f32", 1.0f + 0x3p-11f), 0x3c02u) << "tie";
  EXPECT_EQ(valueOf("cvt.rn.f16.f32", 0x1p-25f), 0u) << "tie to zero";
  EXPECT_EQ(valueOf("cvt.rn.f16.f32", 0x1.8p-25f), 1u);
  EXPECT_EQ(valueOf("cvt.rn.bf16.f32", 1.0f + 0x1p-8f), 0x3f80u);
  EXPECT_EQ(valueOf("cvt.rn.bf16.f32", 1.0f + 0x3p-8f), 0x3f82u);
  EXPECT_EQ(valueOf("cvt.rn.f16x2.f32", 1.0f, 2.0f), 0x3c004000u);
  EXPECT_EQ(valueOf("cvt.rn.relu.f16x2.f32", -1.0f, 2.0f), 0x00004000u);
  EXPECT_EQ(valueOf("cvt.rn.satfinite.f16.f32", -1e9f), 0xfbffu);
  EXPECT_EQ(valueOf("cvt.rna.tf32.f32", 1.0f + 0x1p-11f),
            bitsOf(1.0f + 0x1p-10f));
  EXPECT_EQ(valueOf("cvt.rn.tf32.f32", 1.0f + 0x1p-11f), bitsOf(1.0f));
  EXPECT_EQ(valueOf("cvt.rp.ftz.f16.f32", 1e-40f), 1u);
  EXPECT_EQ(valueOf("cvt.f32.f16", 0x0001), bitsOf(0x1p-24f));
  EXPECT_EQ(valueOf("cvt.f32.f16", 0xfc00), 0xff800000u);
  EXPECT_EQ(valueOf("cvt.f32.f16", 0x7e55), 0x7fffffffu);
}

TEST(Rounding, FusedHalfPrecisionRoundsOnce) {
  // 1.0078125 * 1.0078125 = 1 + 2^-6 + 2^-14: just above a tie of bf16 sums.
  EXPECT_EQ(valueOf("fma.rn.bf16", 0x3f81, 0x3f81, 0x0000), 0x3f82u);
  // The product is a tie; a far smaller addend must break it.
  EXPECT_EQ(valueOf("fma.rn.bf16", 0x3f83, 0x3fc0, 0x0000), 0x3fc4u);
  EXPECT_EQ(valueOf("fma.rn.bf16", 0x3f83, 0x3fc0, 0x8001), 0x3fc4u);
  EXPECT_EQ(valueOf("fma.rn.bf16", 0x3f81, 0x3fc0, 0x0000), 0x3fc2u)
      << "a tie to even";
  EXPECT_EQ(valueOf("fma.rn.bf16", 0x3f81, 0x3fc0, 0x8001), 0x3fc1u)
      << "just below the tie";
  EXPECT_EQ(valueOf("add.f16x2", 0x3c003c00, 0x10003c00), 0x3c004000u);
  EXPECT_EQ(valueOf("mul.bf16x2", 0x40004000, 0x40403f80), 0x40c04000u);
}

TEST(Rounding, ToIntegers) {
  struct Case {
    float value;
    int nearest, zero, down, up;
  };
  for (Case c : {Case{2.5f, 2, 2, 2, 3}, Case{3.5f, 4, 3, 3, 4},
                 Case{-2.5f, -2, -2, -3, -2}, Case{-0.5f, 0, 0, -1, 0},
                 Case{0.75f, 1, 0, 0, 1}, Case{7.0f, 7, 7, 7, 7}}) {
    EXPECT_EQ(int(valueOf("cvt.rni.s32.f32", c.value)), c.nearest);
    EXPECT_EQ(int(valueOf("cvt.rzi.s32.f32", c.value)), c.zero);
    EXPECT_EQ(int(valueOf("cvt.rmi.s32.f32", c.value)), c.down);
    EXPECT_EQ(int(valueOf("cvt.rpi.s32.f32", c.value)), c.up);
    EXPECT_EQ(floatOf(valueOf("cvt.rni.f32.f32", c.value)), c.nearest);
    EXPECT_EQ(floatOf(valueOf("cvt.rmi.f32.f32", c.value)), c.down);
  }
  EXPECT_EQ(valueOf("cvt.rmi.f32.f32", -0.0f), bitsOf(-0.0f));
}

TEST(Rounding, ToIntegersOutOfRange) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(valueOf("cvt.rzi.s32.f32", 3e9f), 0x7fffffffu);
  EXPECT_EQ(valueOf("cvt.rzi.s32.f32", -3e9f), 0x80000000u);
  EXPECT_EQ(valueOf("cvt.rzi.u32.f32", -3.0f), 0u);
  EXPECT_EQ(valueOf("cvt.rzi.u32.f32", 5e9f), 0xffffffffu);
  EXPECT_EQ(valueOf("cvt.rzi.s32.f32", nan), 0u);
  EXPECT_EQ(valueOf("cvt.rzi.s64.f32", nan), std::uint64_t(1) << 63);
  EXPECT_EQ(valueOf("cvt.rzi.u32.f64", double(nan)), 0x80000000u);
  EXPECT_EQ(valueOf("cvt.rzi.u8.f64", double(nan)), 0x80u);
  EXPECT_EQ(valueOf("cvt.rzi.u64.f64", 1e30), ~std::uint64_t(0));
  EXPECT_EQ(valueOf("cvt.rzi.u64.f64", 0x1p63), std::uint64_t(1) << 63);
  EXPECT_EQ(valueOf("cvt.rzi.s64.f64", -0x1p63), std::uint64_t(1) << 63);
  EXPECT_EQ(valueOf("cvt.rzi.s8.f32", 200.0f), 127u);
  EXPECT_EQ(valueOf("cvt.rpi.u32.f32", 1e-40f), 1u);
  EXPECT_EQ(valueOf("cvt.rpi.ftz.u32.f32", 1e-40f), 0u);
}

TEST(Rounding, FromIntegers) {
  EXPECT_EQ(floatOf(valueOf("cvt.rn.f32.s32", 16777217)), 16777216.0f);
  EXPECT_EQ(floatOf(valueOf("cvt.rp.f32.s32", 16777217)), 16777218.0f);
  EXPECT_EQ(floatOf(valueOf("cvt.rm.f32.s32", -16777217)), -16777218.0f);
  EXPECT_EQ(floatOf(valueOf("cvt.rz.f32.u64", -1)), 0x1.fffffep63f);
  EXPECT_EQ(floatOf(valueOf("cvt.rn.f32.u64", -1)), 0x1p64f);
  EXPECT_EQ(doubleOf(valueOf("cvt.rn.f64.u64", (1ull << 53) + 1)), 0x1p53);
  EXPECT_EQ(doubleOf(valueOf("cvt.rp.f64.u64", (1ull << 53) + 1)), 0x1p53 + 2);
  EXPECT_EQ(valueOf("cvt.rn.f16.s32", 65520), 0x7c00u);
  EXPECT_EQ(valueOf("cvt.rn.f16.u8", 255), 0x5bf8u);
  EXPECT_EQ(valueOf("cvt.rn.bf16.s32", -1), 0xbf80u);
  EXPECT_EQ(valueOf("cvt.rn.sat.f32.s32", 5), bitsOf(1.0f));
}

} // namespace
