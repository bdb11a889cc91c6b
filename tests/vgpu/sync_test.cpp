// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

#include <bit>
#include <numeric>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;

namespace {

using Sync = VgpuTest;

TEST_F(Sync, BarrierOrdersSharedMemory) {
  std::vector<std::uint32_t> in(1000);
  std::iota(in.begin(), in.end(), 5u);
  const auto out =
      run<std::uint32_t>("sync.ptx", "reverse", 1000, 1000, upload(in));
  for (std::uint32_t i = 0; i < 1000; ++i)
    EXPECT_EQ(out[i], in[999 - i]) << i;
}

TEST_F(Sync, NamedBarriersOfProducerAndConsumer) {
  const auto out = run<std::uint32_t>("sync.ptx", "producer_consumer", 64, 32);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], 8 * i + 28) << i;
}

TEST_F(Sync, WarpsWaitForEachOtherInALoop) {
  const auto out = run<std::uint32_t>("sync.ptx", "warps_wait", 64, 32);
  EXPECT_THAT(out, testing::Each(1234u));
}

TEST_F(Sync, BarrierReductions) {
  const auto out =
      run<std::uint32_t>("sync.ptx", "barrier_reductions", 100, 200);
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(out[2 * i], 34u) << i;            // multiples of 3 below 100
    EXPECT_EQ(out[2 * i + 1], 0u + 2 + 4) << i; // not all, some, all
  }
}

TEST_F(Sync, ExitedThreadsAreNotWaitedFor) {
  const auto out =
      run<std::uint32_t>("sync.ptx", "barrier_after_exit", 128, 128);
  for (std::uint32_t i = 0; i < 128; ++i)
    EXPECT_EQ(out[i], i >= 64 && i % 2 == 0 ? i : 0u) << i;
}

TEST_F(Sync, LanesReachABarrierByDifferentWays) {
  const auto out =
      run<std::uint32_t>("sync.ptx", "barrier_after_divergence", 64, 64);
  for (std::uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], (i ^ 1) < 10 ? (i ^ 1) + 100 : 0u) << i;
}

TEST_F(Sync, UnalignedBarrierFromTwoPlaces) {
  const auto out = run<std::uint32_t>("sync.ptx", "unaligned_barrier", 64, 64);
  for (std::uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], i % 2 ? 5u : 1u) << i;
}

TEST_F(Sync, ShuffleModes) {
  const auto out = run<std::uint32_t>("sync.ptx", "shuffles", 32, 32 * 8);
  for (std::uint32_t i = 0; i < 32; ++i) {
    const std::uint32_t *got = &out[8 * i];
    EXPECT_EQ(got[0], 1000 + (i >= 3 ? i - 3 : i)) << i;
    EXPECT_EQ(got[1], 1000 + (i + 5 <= 31 ? i + 5 : i)) << i;
    EXPECT_EQ(got[2], 1000 + (i ^ 1)) << i;
    // Segments of 8: lane 9 % 8 of each.
    EXPECT_EQ(got[3], 1000 + (i / 8 * 8 + 1)) << i;
    EXPECT_EQ(got[4], (i >= 3 ? 1u : 0u) | (i <= 26 ? 2u : 0u) | 4u | 8u) << i;
  }
}

TEST_F(Sync, VotesAndMatches) {
  const auto out = run<std::uint32_t>("sync.ptx", "votes", 32, 32 * 12);
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint32_t *got = &out[12 * i];
    EXPECT_EQ(got[0], 0x2222u) << i;
    EXPECT_EQ(got[1], 0x1111u << (i & 3)) << i;
    EXPECT_EQ(got[2], 0u) << i;
    EXPECT_EQ(got[3], 0xffffu) << i;
    EXPECT_EQ(got[4], 120u) << i;
    EXPECT_EQ(got[5], 15u) << i;
    EXPECT_EQ(got[6], 0u) << i; // 0 ^ 1 ^ … ^ 15
    EXPECT_EQ(got[7], i < 4 ? 99u : 4u) << i;
    EXPECT_EQ(got[8], 0xffffu) << i;
    EXPECT_EQ(got[9], 2u | 16u) << i;
  }
  for (std::uint32_t i = 16 * 12; i < out.size(); ++i)
    EXPECT_EQ(out[i], 0u);
}

TEST_F(Sync, ExchangeBetweenBranches) {
  const auto out =
      run<std::uint32_t>("sync.ptx", "exchange_across_branches", 32, 32);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i < 16 ? 1000 + (i + 16) + 100 : (i - 16) + 200) << i;
}

TEST_F(Sync, LanesWithDifferentMemberMasks) {
  const auto out =
      run<std::uint32_t>("sync.ptx", "partitioned_exchange", 32, 32);
  std::uint32_t sums[3] = {};
  for (std::uint32_t i = 0; i < 32; ++i)
    sums[i % 3] += i;
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], sums[i % 3]) << i;
}

} // namespace
