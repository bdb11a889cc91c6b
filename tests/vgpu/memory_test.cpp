// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

#include <array>
#include <bit>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;

namespace {

using Memory = VgpuTest;
constexpr LaunchConfig oneThread{.grid = {1, 1, 1}, .block = {1, 1, 1}};

TEST_F(Memory, VariablesHaveTheirInitialValues) {
  const Module module = load("memory.ptx");
  const std::uint64_t out = upload(std::vector<std::int32_t>(6));
  for (std::int32_t round = 0; round < 2; ++round) {
    launch(module, "initial_values", oneThread, out);
    EXPECT_THAT(download<std::int32_t>(out, 6),
                testing::ElementsAre(41 + round, -9,
                                     std::bit_cast<std::int32_t>(3.0f),
                                     41 + round, 'o', -7));
  }
  const auto counter = module.global("counter");
  ASSERT_TRUE(counter);
  EXPECT_EQ(counter->size, 4u);
  EXPECT_EQ(download<std::uint32_t>(counter->address, 1)[0], 43u);
  EXPECT_FALSE(module.global("missing"));
}

TEST_F(Memory, TwoLoadsOfAModuleHaveTheirOwnVariables) {
  const Module first = load("memory.ptx"), second = load("memory.ptx");
  EXPECT_NE(first.global("counter")->address,
            second.global("counter")->address);
}

TEST_F(Memory, WidthsExtendAndCut) {
  std::array<std::uint8_t, 32> in{};
  in[0] = 0x81;
  in[2] = 0x34;
  in[3] = 0x92;
  in[4] = 0xfe;
  in[5] = in[6] = in[7] = 0xff;
  for (std::uint8_t i = 8; i < 32; ++i)
    in[i] = i;
  const std::uint64_t data =
      upload(std::vector<std::uint8_t>(in.begin(), in.end()));
  const std::uint64_t to = upload(std::vector<std::uint8_t>(80));
  const Module module = load("memory.ptx");
  launch(module, "widths", oneThread, data, to);
  const auto out = download<std::uint8_t>(to, 80);
  const auto word = [&](std::size_t at) {
    std::uint32_t value;
    std::memcpy(&value, &out[at], 4);
    return value;
  };
  EXPECT_EQ(word(0), 0xffffff81u);
  EXPECT_EQ(word(4), 0x81u);
  EXPECT_EQ(word(8), 0xffff9234u);
  EXPECT_EQ(word(12), 0x9234u);
  EXPECT_EQ(word(16), 0xff81u);
  EXPECT_EQ(word(24), 0xfffffffeu);
  EXPECT_EQ(word(28), 0xffffffffu);
  EXPECT_EQ(word(32), 0x34u);
  EXPECT_EQ(out[48], 24);
  EXPECT_EQ(out[56], 16);
  EXPECT_EQ(word(64), 0x0908'090au | 0u);
}

TEST_F(Memory, GenericPointersOfEveryKindAtOnce) {
  const Module module = load("memory.ptx");
  const std::uint64_t in = upload<std::uint32_t>({42});
  const std::uint64_t out = upload(std::vector<std::int32_t>(80));
  launch(module, "generic", {.grid = {1, 1, 1}, .block = {40, 1, 1}}, in, out);
  const auto got = download<std::int32_t>(out, 80);
  for (std::int32_t i = 0; i < 40; ++i) {
    const std::int32_t values[] = {42, 111, 500 + i, -7};
    EXPECT_EQ(got[std::size_t(2 * i)], values[i % 4]) << i;
    EXPECT_EQ(got[std::size_t(2 * i + 1)], 1 << i % 4) << i;
  }
}

TEST_F(Memory, DynamicSharedMemory) {
  const Module module = load("memory.ptx");
  EXPECT_EQ(module.kernel("dynamic_shared")->staticShared, 24u);
  const std::uint64_t out = upload(std::vector<std::uint32_t>(2048));
  for (std::uint32_t bytes : {4096u, 227u * 1024 - 24}) {
    launch(module, "dynamic_shared",
           {.grid = {1, 1, 1}, .block = {1024, 1, 1}, .dynamicShared = bytes},
           out);
    const auto got = download<std::uint32_t>(out, 2048);
    for (std::uint32_t i = 0; i < 1024; ++i) {
      EXPECT_EQ(got[2 * i], 1023 - i) << i;
      EXPECT_EQ(got[2 * i + 1], bytes) << i;
    }
  }
}

TEST_F(Memory, SharedVariablesOfDifferentKernelsMayOverlap) {
  const Module module = load("memory.ptx");
  for (const char *name : {"shared_first", "shared_second"}) {
    EXPECT_EQ(module.kernel(name)->staticShared, 40964u);
    const std::uint64_t out = upload(std::vector<std::uint32_t>(4));
    launch(module, name, oneThread, out);
    const auto got = download<std::uint32_t>(out, 4);
    EXPECT_EQ(got[0], 100u) << name;
    EXPECT_EQ(got[2] + got[3], name[7] == 'f' ? 11u : 15u) << name;
  }
}

TEST_F(Memory, Atomics) {
  std::vector<std::uint32_t> data(32);
  data[4] = 0x12345678;
  data[6] = 7;
  data[7] = 2;
  data[19] = 5;
  data[23] = 3;
  const Module module = load("memory.ptx");
  const std::uint64_t at = upload(data);
  const std::uint64_t old = upload(std::vector<std::uint32_t>(32));
  launch(module, "atomics", {.grid = {1, 1, 1}, .block = {32, 1, 1}}, at, old);
  const auto got = download<std::uint32_t>(at, 32);
  const auto before = download<std::uint32_t>(old, 32);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(before[i], 3 * i) << i;
  const auto wide = [&](std::size_t word) {
    return got[word] | std::uint64_t(got[word + 1]) << 32;
  };
  EXPECT_EQ(got[0], 96u);
  EXPECT_EQ(std::int32_t(got[1]), -21);
  EXPECT_EQ(got[2], 31u);
  EXPECT_EQ(got[3], ~0u);
  EXPECT_EQ(got[4], 0x00340078u);
  EXPECT_EQ(got[5], ~0u);
  EXPECT_EQ(got[6], (7u + 32) % 10); // wraps after 9
  // 2 1 0 9 8 … 0 9 …: 32 steps down from 2.
  EXPECT_EQ(got[7], 0u);
  EXPECT_EQ(std::bit_cast<float>(got[8]), 496.0f);
  EXPECT_EQ(std::bit_cast<double>(wide(10)), 496.0);
  EXPECT_EQ(wide(12), 496u);
  EXPECT_EQ(wide(14), 31u);
  EXPECT_EQ(got[16], 0x5000u);     // 32 in f16
  EXPECT_EQ(got[17], 0x50005000u); // 32 in f16, twice
  EXPECT_EQ(got[18], 0x42004200u); // 32 in bf16, twice
  EXPECT_EQ(got[19], 1000u);
  EXPECT_EQ(wide(20), 31u);
  EXPECT_EQ(got[22], 64u);
  EXPECT_EQ(got[23], 77u);
}

TEST_F(Memory, Atomics128) {
  const Module module = load("memory.ptx");
  const std::uint64_t at = upload<std::uint64_t>({1, 2, 0, 0, 5, 6});
  launch(module, "atomics_128", oneThread, at);
  EXPECT_THAT(download<std::uint64_t>(at, 6),
              testing::ElementsAre(30, 40, 1, 2, 30, 40));
}

TEST_F(Memory, Parameters) {
  const Module module = load("memory.ptx");
  const auto info = module.kernel("params");
  ASSERT_TRUE(info);
  ASSERT_EQ(info->params.size(), 4u);
  EXPECT_EQ(info->params[1].name, "small");
  EXPECT_EQ(info->params[2].offset, 16u);
  EXPECT_EQ(info->params[3].offset, 40u);
  EXPECT_EQ(info->paramBytes, 44u);
  struct Block {
    alignas(8) std::uint32_t words[6];
  };
  const std::uint64_t out = upload(std::vector<std::uint32_t>(4));
  launch(module, "params", oneThread, out, std::uint8_t(200),
         Block{{1, 2, 3, 4, 5, 6}}, 2.5f);
  EXPECT_THAT(
      download<std::uint32_t>(out, 4),
      testing::ElementsAre(200, 6, std::bit_cast<std::uint32_t>(2.5f), 3));
}

TEST_F(Memory, ThreeDimensionalGrids) {
  const Module module = load("memory.ptx");
  const Dim3 grid{3, 2, 2}, block{5, 3, 4};
  const std::size_t count = grid.count() * block.count();
  const std::uint64_t out = upload(std::vector<std::uint32_t>(4 * count));
  launch(module, "indices", {.grid = grid, .block = block}, out);
  const auto got = download<std::uint32_t>(out, 4 * count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t thread = i % 60, blockIndex = i / 60;
    const std::uint32_t wanted =
        thread % 5 | thread / 5 % 3 << 4 | thread / 15 << 8 |
        blockIndex % 3 << 12 | blockIndex / 3 % 2 << 16 | blockIndex / 6 << 20;
    EXPECT_EQ(got[4 * i], wanted) << i;
    EXPECT_EQ(got[4 * i + 1], thread % 32) << i;
    EXPECT_EQ(got[4 * i + 2], thread / 32) << i;
    EXPECT_EQ(got[4 * i + 3], (1u << thread % 32) - 1) << i;
  }
}

TEST_F(Memory, ClocksRun) {
  const auto out = run<std::uint64_t>("memory.ptx", "clocks", 1, 2);
  EXPECT_GT(out[0], 0u);
  EXPECT_LT(out[0], 100u);
  EXPECT_LT(out[1], 10'000'000'000u);
}

TEST_F(Memory, StackAllocation) {
  const auto out = run<std::uint32_t>("memory.ptx", "stack", 64, 64);
  for (std::uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], i);
}

TEST_F(Memory, MappedHostMemory) {
  const Module module = load("control.ptx");
  std::vector<std::uint32_t> host(32);
  ASSERT_TRUE(device.mapHost(host.data(), 128).has_value());
  const auto address =
      std::uint64_t(reinterpret_cast<std::uintptr_t>(host.data()));
  launch(module, "nested_ifs", {.grid = {1, 1, 1}, .block = {32, 1, 1}},
         address);
  EXPECT_EQ(host[1], 21u);
  ASSERT_TRUE(device.unmapHost(host.data()).has_value());
  const auto done = tryLaunch(
      module, "nested_ifs", {.grid = {1, 1, 1}, .block = {32, 1, 1}}, address);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().kind, FaultKind::invalidAddress);
}

TEST_F(Memory, AtomicSumsInGlobalMemoryFlushAndKeepNaNs) {
  // The first holds the least normal number, negative.
  const std::uint64_t data = upload(
      std::vector<std::uint32_t>{0x80800000u, 0x80000001u, 0, 0xfff80000u, 0});
  launch(load("memory.ptx"), "atomic_denormals", oneThread, data);
  EXPECT_THAT(download<std::uint32_t>(data, 5),
              testing::ElementsAre(0x80800000u, 0u, 1u, 0x7ff40000u, 4u));
}

} // namespace
