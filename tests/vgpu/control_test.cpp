// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

#include <numeric>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;

namespace {

using Control = VgpuTest;

TEST_F(Control, NestedIfs) {
  const auto out = run<std::uint32_t>("control.ptx", "nested_ifs", 45, 45);
  for (std::uint32_t i = 0; i < 45; ++i)
    EXPECT_EQ(out[i], 1 + (i & 1 ? (i & 2 ? 10 : 20) : (i & 4 ? 30 : 40))) << i;
}

TEST_F(Control, LoopsWithBreakAndContinue) {
  const auto out =
      run<std::uint32_t>("control.ptx", "loop_break_continue", 64, 64);
  for (std::uint32_t i = 0; i < 64; ++i) {
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < i;) {
      ++k;
      if (k % 3 == 0)
        continue;
      sum += k;
      if (k >= 40)
        break;
    }
    EXPECT_EQ(out[i], sum) << i;
  }
}

TEST_F(Control, LanesExitOneByOne) {
  const auto out = run<std::uint32_t>("control.ptx", "early_exit", 32, 32);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], ~0u << i) << i;
}

TEST_F(Control, RecursionToDifferentDepths) {
  const auto out = run<std::uint32_t>("control.ptx", "recursion", 40, 40);
  const std::uint32_t fibonacci[] = {0,  1,  1,  2,  3,   5,   8,   13,
                                     21, 34, 55, 89, 144, 233, 377, 610};
  for (std::uint32_t i = 0; i < 40; ++i)
    EXPECT_EQ(out[i], fibonacci[i % 16]) << i;
}

TEST_F(Control, RegistersAsParameters) {
  const auto out = run<std::uint32_t>("control.ptx", "register_call", 3, 3);
  EXPECT_THAT(out, testing::ElementsAre(1000, 1001, 1002));
}

TEST_F(Control, IndirectCallsDifferByLane) {
  const auto out = run<std::int32_t>("control.ptx", "indirect_call", 32, 32);
  for (std::int32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[std::size_t(i)], i % 3 == 0   ? 2 * i
                                   : i % 3 == 1 ? i * i
                                                : -i)
        << i;
}

TEST_F(Control, CallsInDivergentLoops) {
  const auto out = run<std::int32_t>("control.ptx", "divergent_call", 32, 32);
  for (std::int32_t i = 0; i < 32; ++i) {
    std::int32_t sum = 0;
    for (std::int32_t k = 0; k < i; ++k)
      sum += k % 2 == 0 ? k * k : -k;
    EXPECT_EQ(out[std::size_t(i)], sum) << i;
  }
}

TEST_F(Control, SwitchTablesReconverge) {
  const auto out = run<std::uint32_t>("control.ptx", "switch_table", 32, 64);
  const std::uint32_t values[] = {100, 200, 307, 7};
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(out[2 * i], values[i % 4]) << i;
    EXPECT_EQ(out[2 * i + 1], ~0u) << i;
  }
}

TEST_F(Control, LanesOfAWarpShareASpinLock) {
  const Module module = load("control.ptx");
  const std::uint64_t lock = upload<std::uint32_t>({0});
  const std::uint64_t counter = upload<std::uint32_t>({0});
  launch(module, "spin_lock", {.grid = {3, 1, 1}, .block = {96, 1, 1}}, lock,
         counter);
  EXPECT_EQ(download<std::uint32_t>(counter, 1)[0], 3 * 96u);
  EXPECT_EQ(download<std::uint32_t>(lock, 1)[0], 0u);
}

TEST_F(Control, ALaneWaitsForAnother) {
  const Module module = load("control.ptx");
  const std::uint64_t flag = upload<std::uint32_t>({0});
  const std::uint64_t out = upload<std::uint32_t>({0});
  launch(module, "lanes_wait", {.grid = {1, 1, 1}, .block = {32, 1, 1}}, flag,
         out);
  EXPECT_EQ(download<std::uint32_t>(out, 1)[0], 77u);
}

TEST_F(Control, BlocksWaitForEachOther) {
  const Module module = load("control.ptx");
  const std::uint64_t arrived = upload<std::uint32_t>({0});
  const std::uint64_t out = upload(std::vector<std::uint32_t>(5 * 64));
  launch(module, "grid_barrier", {.grid = {5, 1, 1}, .block = {64, 1, 1}},
         arrived, out);
  EXPECT_THAT(download<std::uint32_t>(out, 5 * 64), testing::Each(5u));
}

} // namespace
