// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions from and to numbers of 8 bits or fewer, against a search among
// all numbers of the format.

#include "evaluator.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

using namespace tessera::ptx;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nanf32 = std::numeric_limits<float>::quiet_NaN();

struct Oracle {
  std::string_view name;
  int exponentBits, fractionBits;
  unsigned greatest; ///< code of the largest finite number
  unsigned nan;      ///< code of what NaN becomes
  unsigned bits = 8;

  [[nodiscard]] unsigned sign() const {
    return 1u << (exponentBits + fractionBits);
  }
  [[nodiscard]] double value(unsigned code) const {
    int bias = (1 << (exponentBits - 1)) - 1;
    int exponent = int(code & (sign() - 1)) >> fractionBits;
    int fraction = int(code) & ((1 << fractionBits) - 1);
    double size = exponent == 0 ? std::ldexp(fraction, 1 - bias - fractionBits)
                                : std::ldexp(fraction + (1 << fractionBits),
                                             exponent - bias - fractionBits);
    return code & sign() ? -size : size;
  }
  /// The code of the nearest number, of two the even one.
  [[nodiscard]] unsigned nearest(double wanted) const {
    if (std::isnan(wanted))
      return nan;
    double size = std::fabs(wanted);
    unsigned best = 0;
    for (unsigned code = 1; code <= greatest; ++code) {
      double better =
          std::fabs(value(best) - size) - std::fabs(value(code) - size);
      if (better > 0 || (better == 0 && code % 2 == 0))
        best = code;
    }
    if (size > value(greatest))
      best = greatest;
    return std::signbit(wanted) ? best | sign() : best;
  }
};

constexpr Oracle oracles[] = {{"e4m3", 4, 3, 0x7e, 0x7f},
                              {"e5m2", 5, 2, 0x7b, 0x7f},
                              {"e3m2", 3, 2, 0x1f, 0x1f},
                              {"e2m3", 2, 3, 0x1f, 0x1f},
                              {"e2m1", 2, 1, 0x07, 0x07, 4}};

/// "cvt." PREFIX "e4m3x2" SUFFIX
std::string cvt(const char *prefix, const Oracle &oracle, const char *suffix) {
  return "cvt." + std::string(prefix) + std::string(oracle.name) + "x2" +
         suffix;
}

float someFloat(std::mt19937 &generator) {
  switch (generator() % 4) {
  case 0:
    return std::bit_cast<float>(std::uint32_t(generator()));
  case 1: // Ties, and next to them.
    return std::ldexp(float(int(generator() % 64) - 32),
                      int(generator() % 36) - 22);
  case 2:
    return std::nextafter(
        std::ldexp(float(generator() % 32), int(generator() % 30) - 20),
        generator() % 2 ? inf : -inf);
  default:
    return std::ldexp(float(generator()), -32 + int(generator() % 20) - 10);
  }
}

TEST(Minifloat, EncodingIsNearest) {
  std::mt19937 generator(11);
  std::vector<float> values = {0.0f, -0.0f, inf,   -inf,  nanf32, 448,   464,
                               465,  480,   -500,  6,     7,      7.5f,  28,
                               30,   61440, 57344, 65536, -1e38f, 1e-45f};
  for (int i = 0; i < 300; ++i)
    values.push_back(someFloat(generator));
  for (const Oracle &oracle : oracles)
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      float a = values[i], b = values[i + 1];
      EXPECT_EQ(valueOf(cvt("rn.satfinite.", oracle, ".f32"), a, b),
                oracle.nearest(a) << oracle.bits | oracle.nearest(b))
          << oracle.name << " " << a << " " << b;
    }
}

TEST(Minifloat, ReluMakesNegativeNumbersZero) {
  for (const Oracle &oracle : oracles) {
    std::string text = cvt("rn.satfinite.relu.", oracle, ".f32");
    EXPECT_EQ(valueOf(text, -1.0f, -inf), 0u);
    EXPECT_EQ(valueOf(text, -0.0f, 1.0f), oracle.nearest(1));
    EXPECT_EQ(valueOf(text, -nanf32, nanf32),
              oracle.nan << oracle.bits | oracle.nan);
  }
}

TEST(Minifloat, HalvesAreEncodedAsTheirValues) {
  for (const char *type : {"e4m3x2", "e5m2x2"})
    for (std::uint32_t bits = 0; bits < 0x10000; bits += 37) {
      std::string format = type;
      std::uint64_t wide = valueOf("cvt.f32.f16", bits);
      EXPECT_EQ(
          valueOf("cvt.rn.satfinite." + format + ".f16x2", bits << 16 | 0x3c00),
          valueOf("cvt.rn.satfinite." + format + ".f32", wide, 0x3f800000));
    }
}

TEST(Minifloat, DecodingIsExact) {
  for (const Oracle &oracle : oracles)
    for (unsigned code = 0; code < oracle.sign() * 2; ++code) {
      std::uint64_t both =
          valueOf(cvt("rn.f16x2.", oracle, ""), code << oracle.bits | 1);
      EXPECT_EQ(valueOf("cvt.f32.f16", both & 0xffff),
                bitsOf(float(oracle.value(1))));
      std::uint64_t high = both >> 16;
      unsigned size = code & (oracle.sign() - 1);
      if (oracle.nan != oracle.greatest && size > oracle.greatest) {
        bool isInfinity = oracle.name == "e5m2" && size == 0x7c;
        EXPECT_EQ(high, isInfinity ? (code & 0x80u) << 8 | 0x7c00u : 0x7fffu)
            << oracle.name << " " << code;
        continue;
      }
      EXPECT_EQ(valueOf("cvt.f32.f16", high), bitsOf(float(oracle.value(code))))
          << oracle.name << " " << code;
    }
}

TEST(Minifloat, PowersOfTwo) {
  EXPECT_EQ(valueOf("cvt.rz.ue8m0x2.f32", 1.0f, 3.0f), 0x7f80u);
  EXPECT_EQ(valueOf("cvt.rp.ue8m0x2.f32", 1.0f, 3.0f), 0x7f81u);
  EXPECT_EQ(valueOf("cvt.rp.ue8m0x2.f32", -3.0f, 0x1p-127f), 0x8100u);
  EXPECT_EQ(valueOf("cvt.rp.ue8m0x2.f32", 0.0f, 0x1.8p-127f), 0x0001u);
  EXPECT_EQ(valueOf("cvt.rp.ue8m0x2.f32", inf, 0x1.8p127f), 0xffffu);
  EXPECT_EQ(valueOf("cvt.rp.satfinite.ue8m0x2.f32", inf, 0x1.8p127f), 0xfefeu);
  EXPECT_EQ(valueOf("cvt.rz.satfinite.ue8m0x2.f32", nanf32, -inf), 0xfffeu);
  EXPECT_EQ(valueOf("cvt.rz.ue8m0x2.bf16x2", 0x40403f80u), 0x807fu);
  EXPECT_EQ(valueOf("cvt.rn.bf16x2.ue8m0x2", 0x7f80u), 0x3f804000u);
  EXPECT_EQ(valueOf("cvt.rn.bf16x2.ue8m0x2", 0x00ffu), 0x00407fffu);
}

TEST(Minifloat, PairsOfSinglesAndMixedPrecision) {
  std::uint64_t a = bitsOf(1.5f) << 32 | bitsOf(2.0f);
  std::uint64_t b = bitsOf(-0.25f) << 32 | bitsOf(8.0f);
  EXPECT_EQ(valueOf("add.rn.f32x2", a, b), bitsOf(1.25f) << 32 | bitsOf(10.0f));
  EXPECT_EQ(valueOf("sub.rn.f32x2", a, b), bitsOf(1.75f) << 32 | bitsOf(-6.0f));
  EXPECT_EQ(valueOf("mul.rn.f32x2", a, b),
            bitsOf(-0.375f) << 32 | bitsOf(16.0f));
  EXPECT_EQ(valueOf("fma.rn.f32x2", a, b, a),
            bitsOf(1.125f) << 32 | bitsOf(18.0f));
  EXPECT_EQ(valueOf("add.f32.f16", 0x3e00, bitsOf(0x1p-20f)),
            bitsOf(1.5f + 0x1p-20f));
  EXPECT_EQ(valueOf("sub.rz.f32.bf16", 0x3fc0, bitsOf(0x1p-30f)),
            bitsOf(std::nextafter(1.5f, 0.0f)));
  EXPECT_EQ(valueOf("fma.rn.sat.f32.f16", 0x3e00, 0x3e00, bitsOf(1.0f)),
            bitsOf(1.0f));
}

TEST(Minifloat, Tf32OfFiniteNumbersOnly) {
  EXPECT_EQ(valueOf("cvt.rn.satfinite.tf32.f32", inf), 0x7f7fe000u);
  EXPECT_EQ(valueOf("cvt.rna.satfinite.tf32.f32", -0x1.ffffp127f), 0xff7fe000u);
  EXPECT_EQ(valueOf("cvt.rz.satfinite.relu.tf32.f32", -inf), 0u);
  EXPECT_EQ(valueOf("cvt.rn.satfinite.tf32.f32", 1.0f), bitsOf(1.0f));
}

TEST(Minifloat, FactorsFromOutOfBoundsGiveZero) {
  EXPECT_EQ(valueOf("fma.rn.oob.f16", 0x7ff7, 0x3c00, 0x4000), 0u);
  EXPECT_EQ(valueOf("fma.rn.oob.bf16", 0x3f80, 0xfff7, 0x4000), 0u);
  EXPECT_EQ(valueOf("fma.rn.oob.f16", 0x7fff, 0x3c00, 0x4000), 0x7fffu);
  EXPECT_EQ(valueOf("fma.rn.oob.f16", 0x3c00, 0x3c00, 0x7ff7), 0x7fffu);
  EXPECT_EQ(valueOf("fma.rn.oob.f16x2", 0x7ff73c00, 0x3c004000, 0x3c003c00),
            0x4200u);
  EXPECT_EQ(valueOf("fma.rn.oob.relu.f16", 0xbc00, 0x3c00, 0), 0u);
}

TEST(Minifloat, SetOfHalvesWithAPredicate) {
  EXPECT_EQ(valueOf("set.lt.and.u32.f16x2", 0x3c003c00, 0x40003800, 1),
            0xffff0000u);
  EXPECT_EQ(valueOf("set.lt.and.u32.f16x2", 0x3c003c00, 0x40003800, 0), 0u);
  EXPECT_EQ(valueOf("set.lt.xor.f16x2.f16x2", 0x3c003c00, 0x40003800, 1),
            0x00003c00u);
}

} // namespace
