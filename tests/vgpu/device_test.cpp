// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory as the host sees it, and the text of faults.

#include "harness.h"

#include <thread>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::HasSubstr;

namespace {

TEST(DeviceMemory, AllocationsAreZeroedAndAligned) {
  Device device;
  for (std::uint64_t bytes : {1u, 300u, 1u << 20}) {
    const auto address = device.allocate(bytes);
    ASSERT_TRUE(address.has_value());
    EXPECT_EQ(*address % 256, 0u);
    std::vector<std::byte> content(bytes, std::byte(1));
    ASSERT_TRUE(device.read(content, *address).has_value());
    EXPECT_THAT(content, testing::Each(std::byte(0)));
    EXPECT_TRUE(device.free(*address).has_value());
  }
}

TEST(DeviceMemory, ZeroBytesHaveAnAddressOfTheirOwn) {
  Device device;
  const auto first = device.allocate(0), second = device.allocate(0);
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  std::byte one{};
  EXPECT_FALSE(device.write(*first, {&one, 1}).has_value());
  EXPECT_TRUE(device.free(*first).has_value());
}

TEST(DeviceMemory, Limit) {
  Options options;
  options.memoryLimit = 1000;
  Device device(options);
  const auto first = device.allocate(600);
  ASSERT_TRUE(first.has_value());
  const auto second = device.allocate(600);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().kind, FaultKind::outOfMemory);
  ASSERT_TRUE(device.free(*first).has_value());
  EXPECT_TRUE(device.allocate(600).has_value());
}

TEST(DeviceMemory, FreeOfWhatIsNone) {
  Device device;
  const auto address = device.allocate(100);
  ASSERT_TRUE(address.has_value());
  EXPECT_THAT(device.free(*address + 4).error().what,
              HasSubstr("where no allocation begins"));
  ASSERT_TRUE(device.free(*address).has_value());
  const auto again = device.free(*address);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().kind, FaultKind::invalidAddress);
  EXPECT_THAT(again.error().what, HasSubstr("which was freed before"));
}

TEST(DeviceMemory, CopiesAndFills) {
  Device device;
  const auto a = device.allocate(16), b = device.allocate(16);
  ASSERT_TRUE(a && b);
  ASSERT_TRUE(device.fill(*a + 4, std::byte(7), 8).has_value());
  ASSERT_TRUE(device.copy(*b, *a + 4, 12).has_value());
  std::vector<std::byte> content(16);
  ASSERT_TRUE(device.read(content, *b).has_value());
  EXPECT_EQ(content[7], std::byte(7));
  EXPECT_EQ(content[8], std::byte(0));
  const auto over = device.copy(*b, *a + 8, 12);
  ASSERT_FALSE(over.has_value());
  EXPECT_THAT(over.error().what, HasSubstr("4 bytes past the end"));
  EXPECT_FALSE(device.fill(0, std::byte(0), 1).has_value());
}

TEST(DeviceMemory, HostMappingsMayNotOverlap) {
  Device device;
  std::vector<std::byte> host(64);
  ASSERT_TRUE(device.mapHost(host.data(), 64).has_value());
  EXPECT_FALSE(device.mapHost(host.data() + 8, 8).has_value());
  EXPECT_FALSE(device.mapHost(nullptr, 8).has_value());
  EXPECT_FALSE(device.unmapHost(host.data() + 1).has_value());
  EXPECT_FALSE(
      device.free(std::uint64_t(reinterpret_cast<std::uintptr_t>(host.data())))
          .has_value());
  EXPECT_TRUE(device.unmapHost(host.data()).has_value());
}

class Sharing : public VgpuTest {};

TEST_F(Sharing, ThreadsMayUseOneDevice) {
  const Module module = load("control.ptx");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const auto out = device.allocate(4 * 64);
        ASSERT_TRUE(out.has_value());
        Arguments arguments;
        arguments.add(*out);
        ASSERT_TRUE(device
                        .launch(module, "nested_ifs",
                                {.grid = {1, 1, 1}, .block = {64, 1, 1}},
                                arguments.bytes)
                        .has_value());
        ASSERT_TRUE(device.free(*out).has_value());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Sharing, ModulesBelongToTheirDevice) {
  Device other;
  const auto done = other.launch(load("control.ptx"), "nested_ifs", {}, {});
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().kind, FaultKind::invalidLaunch);
  EXPECT_FALSE(device.launch(Module(), "f", {}, {}).has_value());
}

TEST_F(Sharing, KernelsOfAModule) {
  const Module module = load("faults.ptx");
  const auto info = module.kernel("exact_block");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->requiredBlock, (Dim3{8, 4, 1}));
  EXPECT_EQ(module.kernel("small_block")->maxThreads, 128u);
  EXPECT_EQ(module.kernel("shared_overrun")->staticShared, 64u);
  EXPECT_EQ(module.kernel("touch")->staticShared, 0u);
  EXPECT_FALSE(module.kernel("endless"));
  EXPECT_GT(module.kernels().size(), 20u);
}

TEST(FaultText, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ((Fault{.kind = FaultKind::trap, .what = "trap"}.message()), "trap");
}

} // namespace
