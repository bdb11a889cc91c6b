// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memcheck, beyond the accesses of kernels that `planted/` has: leaks, what
// the host does, and how findings are told apart.

#include "harness.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr check::ToolSet memcheck = check::toolBit(check::Tool::memcheck);
constexpr LaunchConfig oneThread{.grid = {1, 1, 1}, .block = {1, 1, 1}};

/// A kernel that stores at its first parameter.
std::string storeAt(const std::string &name, const std::string &more = "") {
  return R"(.version 8.0
.target sm_90
.address_size 64
.file 1 "user.cpp"
.visible .entry )" +
         name + R"((.param .u64 to, .param .u64 unused)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  .loc 1 42 3
  st.global.b32 [%rd1], 7;
)" + more +
         "  ret;\n}\n";
}

std::size_t countFindings(const CheckedDevice &device) {
  return device.checks->findings().size();
}

TEST(Memcheck, LeaksAreListedAtTheEnd) {
  CheckedDevice device(memcheck);
  const std::uint64_t kept = device.allocate(100);
  const std::uint64_t freed = device.allocate(200);
  EXPECT_TRUE(device.device.free(freed));
  EXPECT_EQ(device.report(), "");
  device.checks->finish();
  EXPECT_THAT(device.report(),
              HasSubstr("allocation 1 of 100 bytes was never freed"));
  EXPECT_EQ(countFindings(device), 1u);
  EXPECT_NE(kept, 0u);
}

TEST(Memcheck, TheHeapOfKernelsIsNoLeak) {
  CheckedDevice device(memcheck);
  const auto result = device.run(R"(.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.visible .entry take(.param .u64 to, .param .u64 unused)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  {
  .param .b64 bytes;
  .param .b64 result;
  st.param.b64 [bytes], 64;
  call (result), malloc, (bytes);
  ld.param.b64 %rd2, [result];
  }
  st.b32 [%rd2], 1;
  ret;
}
)",
                                 "take", oneThread, {0, 0});
  EXPECT_TRUE(result) << result.error().message();
  device.checks->finish();
  EXPECT_EQ(device.report(), "");
}

TEST(Memcheck, FreedMemory) {
  CheckedDevice device(memcheck);
  const std::uint64_t at = device.allocate(64);
  EXPECT_TRUE(device.device.free(at));
  EXPECT_FALSE(device.run(storeAt("late"), "late", oneThread, {at, 0}));
  EXPECT_THAT(device.report(),
              AllOf(HasSubstr("freed"), HasSubstr("in kernel 'late'"),
                    HasSubstr("st.global.b32"), HasSubstr("user.cpp:42")));
}

TEST(Memcheck, WhatTheHostDoes) {
  CheckedDevice device(memcheck);
  const std::uint64_t at = device.allocate(8);
  const std::vector<std::byte> values(16);
  EXPECT_FALSE(device.device.write(at, values));
  EXPECT_TRUE(device.device.free(at));
  EXPECT_FALSE(device.device.free(at));
  EXPECT_EQ(countFindings(device), 2u) << device.report();
  EXPECT_THAT(device.report(), HasSubstr("in a call of the host's"));
}

TEST(Memcheck, TheSameLineOfTwoModules) {
  CheckedDevice device(memcheck);
  EXPECT_FALSE(device.run(storeAt("first"), "first", oneThread, {0, 0}));
  EXPECT_FALSE(device.run(storeAt("second"), "second", oneThread, {0, 0}));
  EXPECT_FALSE(device.run(storeAt("second"), "second", oneThread, {0, 0}));
  EXPECT_EQ(countFindings(device), 2u) << device.report();
  EXPECT_THAT(device.report(),
              AllOf(HasSubstr("kernel 'first'"), HasSubstr("kernel 'second'"),
                    HasSubstr("and 1 more time"), Not(HasSubstr("2 more"))));
}

} // namespace
