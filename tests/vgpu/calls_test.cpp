// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::HasSubstr;

namespace {

using Calls = VgpuTest;

TEST_F(Calls, PrintfFormatsEachLaneInOrder) {
  const auto status = run<std::uint32_t>("calls.ptx", "print", 3, 1);
  EXPECT_EQ(printed, "thread 0:  1.50|0   |abc|Z|-5000000000|ff%\n"
                     "thread 1:  2.50|1   |abc|Z|-5000000000|ff%\n"
                     "thread 2:  3.50|2   |abc|Z|-5000000000|ff%\n");
  EXPECT_EQ(status[0], 7u);
}

TEST_F(Calls, FailedAssertion) {
  const Module module = load("calls.ptx");
  auto done =
      tryLaunch(module, "fail_assertion",
                {.grid = {1, 1, 1}, .block = {64, 1, 1}}, std::uint32_t(40));
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().kind, FaultKind::trap);
  EXPECT_EQ(done.error().what,
            "assertion `x != 0' failed at a.cu:21 in f(int)");
  EXPECT_EQ(*done.error().thread, (Dim3{40, 0, 0}));
  launch(module, "fail_assertion", {.grid = {1, 1, 1}, .block = {64, 1, 1}},
         std::uint32_t(64));
}

TEST_F(Calls, Malloc) {
  const auto out = upload(std::vector<std::uint64_t>(2));
  launch(load("calls.ptx"), "allocate", {.grid = {1, 1, 1}, .block = {2, 1, 1}},
         out);
  const auto got = download<std::uint64_t>(out, 2);
  EXPECT_NE(got[0], 0u);
  EXPECT_EQ(got[0] % 16, 0u);
  EXPECT_EQ(got[1], got[0] + 16);
}

} // namespace
