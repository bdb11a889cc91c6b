// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

using namespace tessera::vgpu;

namespace {

template <class Format> void roundTrips(std::uint16_t infinity) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = std::uint16_t(bits);
    const double value = Format::toDouble(half);
    if (std::isnan(value))
      EXPECT_GT(half & 0x7fff, infinity);
    else
      EXPECT_EQ(Format::fromDouble(value), half) << bits;
  }
}

TEST(Half, RoundTrips) {
  roundTrips<Float16>(0x7c00);
  roundTrips<BFloat16>(0x7f80);
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(Float16::fromDouble(1 + 0x1p-11), 0x3c00);
  EXPECT_EQ(Float16::fromDouble(1 + 0x1.8p-11), 0x3c01);
  EXPECT_EQ(Float16::fromDouble(1 + 3 * 0x1p-11), 0x3c02);
  EXPECT_EQ(Float16::fromDouble(65519), 0x7bff);
  EXPECT_EQ(Float16::fromDouble(65520), 0x7c00);
  EXPECT_EQ(Float16::fromDouble(0x1p-25), 0);
  EXPECT_EQ(Float16::fromDouble(0x1.8p-25), 1);
  EXPECT_EQ(BFloat16::fromDouble(1 + 0x1p-8), 0x3f80);
  EXPECT_EQ(BFloat16::fromDouble(-1 - 3 * 0x1p-8), 0xbf82);
}

TEST(Half, MinimumAndMaximumPreferNumbers) {
  EXPECT_EQ(Float16::min(0x7e00, 0x3c00), 0x3c00);
  EXPECT_EQ(Float16::max(0x3c00, 0x7e00), 0x3c00);
  EXPECT_EQ(Float16::min(0x7e00, 0x7e01), 0x7fff);
  EXPECT_EQ(Float16::min(0x8000, 0x0000), 0x8000);
  EXPECT_EQ(Float16::max(0xbc00, 0xc000), 0xbc00);
}

} // namespace
