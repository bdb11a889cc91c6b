// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch-check.h"

#include "runtime/device-state.h"
#include "runtime/vgpu/vgpu-device.h"

#include <tessera/device/span.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace tessera;
using namespace tessera::runtime;
using detail::argument;
using testing::ElementsAre;
using testing::HasSubstr;

const device_properties limits{.max_threads_per_block = 1024,
                               .max_block = {1024, 1024, 64},
                               .max_grid = {0x7fffffff, 0xffff, 0xffff},
                               .shared_memory_per_block = 1000,
                               .max_cluster_blocks = 16};

image::Kernel kernelNamed(const char *name) {
  image::Kernel kernel;
  kernel.symbol = kernel.name = name;
  return kernel;
}

std::string shapeError(const image::Kernel &kernel,
                       const launch_config &config) {
  auto shape = checkShape(kernel, config, limits);
  return shape ? "" : shape.error().message;
}

TEST(LaunchShape, ThreadsAreCoveredByBlocks) {
  const image::Kernel kernel = kernelNamed("k");
  auto grids = [&](std::uint64_t count, unsigned block) {
    return checkShape(kernel, threads(count, block), limits)->grid[0];
  };
  EXPECT_EQ(grids(0, 128), 0u);
  EXPECT_EQ(grids(1, 128), 1u);
  EXPECT_EQ(grids(128, 128), 1u);
  EXPECT_EQ(grids(129, 128), 2u);
  EXPECT_THAT(checkShape(kernel, threads(1000), limits)->block,
              ElementsAre(256, 1, 1));
}

TEST(LaunchShape, BlockFollowsTheKernel) {
  image::Kernel kernel = kernelNamed("k");
  kernel.maxThreads = 96;
  EXPECT_EQ(checkShape(kernel, threads(1000), limits)->block[0], 96u);
  EXPECT_EQ(checkShape(kernel, threads(1000), limits)->grid[0], 11u);
  kernel.maxThreads = 0;
  kernel.block = {64, 1, 1};
  EXPECT_EQ(checkShape(kernel, threads(1000), limits)->block[0], 64u);
  EXPECT_THAT(checkShape(kernel, grid(5, 6, 7), limits)->block,
              ElementsAre(64, 1, 1));
  EXPECT_THAT(checkShape(kernelNamed("k"), grid(5), limits)->block,
              ElementsAre(1, 1, 1));
}

TEST(LaunchShape, BlockThatDoesNotFit) {
  image::Kernel kernel = kernelNamed("k");
  EXPECT_THAT(shapeError(kernel, grid(1).block(0)),
              HasSubstr("kernel 'k': the block (0, 1, 1) has no threads"));
  EXPECT_THAT(shapeError(kernel, grid(1).block(1, 1, 65)),
              HasSubstr("65 threads in z, and the device allows 64"));
  EXPECT_THAT(shapeError(kernel, grid(1).block(64, 32)),
              HasSubstr("2048 threads, and the device allows 1024"));
  kernel.maxThreads = 128;
  EXPECT_THAT(shapeError(kernel, grid(1).block(129)),
              HasSubstr("129 threads, and the kernel's launch bounds allow "
                        "128"));
  kernel.block = {16, 8, 1};
  EXPECT_THAT(shapeError(kernel, grid(1).block(8, 16)),
              HasSubstr("the block is (8, 16, 1), and the kernel requires "
                        "(16, 8, 1)"));
  EXPECT_THAT(shapeError(kernel, threads(100)),
              HasSubstr("more than one dimension; use tessera::grid"));
}

TEST(LaunchShape, GridThatDoesNotFit) {
  image::Kernel kernel = kernelNamed("k");
  EXPECT_THAT(shapeError(kernel, grid(1, 0)), HasSubstr("has no blocks"));
  EXPECT_THAT(shapeError(kernel, grid(1, 65536)),
              HasSubstr("65536 blocks in y, and the device allows 65535"));
  EXPECT_THAT(shapeError(kernel, threads(~0ull)), HasSubstr("blocks in x"));
  EXPECT_THAT(shapeError(kernel, grid(~0ull)), HasSubstr("blocks in x"));
  kernel.cluster = {2, 1, 1};
  EXPECT_THAT(shapeError(kernel, grid(3)),
              HasSubstr("no multiple of the cluster (2, 1, 1)"));
  EXPECT_EQ(checkShape(kernel, threads(3 * 256), limits)->grid[0], 4u);
}

TEST(LaunchShape, ClusterIsTheCallersOrTheKernels) {
  image::Kernel kernel = kernelNamed("k");
  EXPECT_THAT(checkShape(kernel, grid(6, 4).cluster(3, 2), limits)->cluster,
              ElementsAre(3, 2, 1));
  EXPECT_THAT(checkShape(kernel, grid(6), limits)->cluster,
              ElementsAre(0, 0, 0));
  EXPECT_EQ(checkShape(kernel, threads(5 * 256).cluster(4), limits)->grid[0],
            8u);
  kernel.cluster = {2, 1, 1};
  EXPECT_THAT(checkShape(kernel, grid(6).cluster(2), limits)->cluster,
              ElementsAre(2, 1, 1));
  EXPECT_THAT(shapeError(kernel, grid(6).cluster(3)),
              HasSubstr("the cluster is (3, 1, 1), and the kernel requires "
                        "(2, 1, 1)"));
}

TEST(LaunchShape, ClusterThatDoesNotFit) {
  const image::Kernel kernel = kernelNamed("k");
  EXPECT_THAT(shapeError(kernel, grid(6).cluster(4)),
              HasSubstr("the grid (6, 1, 1) is no multiple of the cluster "
                        "(4, 1, 1)"));
  EXPECT_THAT(shapeError(kernel, grid(4).cluster(4, 2)),
              HasSubstr("no multiple"));
  EXPECT_THAT(shapeError(kernel, grid(4).cluster(2, 0)),
              HasSubstr("the cluster (2, 0, 1) has no blocks"));
  EXPECT_EQ(shapeError(kernel, grid(4, 4).cluster(4, 4)), "");
  for (const launch_config &large :
       {grid(64).cluster(17), grid(64).cluster(1u << 31, 1u << 31, 1u << 31)})
    EXPECT_THAT(shapeError(kernel, large),
                HasSubstr("more blocks than the 16 that the device allows"));
  device_properties without = limits;
  without.max_cluster_blocks = 0;
  EXPECT_TRUE(checkShape(kernel, grid(4).cluster(1), without));
  EXPECT_THAT(checkShape(kernel, grid(4).cluster(2), without).error().message,
              HasSubstr("the device has no clusters"));
}

TEST(LaunchShape, SharedMemoryThatDoesNotFit) {
  image::Kernel kernel = kernelNamed("k");
  kernel.staticShared = 600;
  EXPECT_EQ(shapeError(kernel, grid(1).shared(400)), "");
  for (std::uint64_t bytes : {401ull, ~0ull})
    EXPECT_THAT(shapeError(kernel, grid(1).shared(bytes)),
                HasSubstr("600 bytes of static and " + std::to_string(bytes) +
                          " of dynamic shared memory"));
  kernel.staticShared = 1001;
  EXPECT_THAT(shapeError(kernel, grid(1)), HasSubstr("the device has 1000"));
}

class LaunchArguments : public testing::Test {
protected:
  LaunchArguments() {
    kernel.params = {
        {"a", "char", image::ParamKind::value, 1, 1, 0, 0},
        {"x", "span<const float>", image::ParamKind::slice, 16, 8, 8, 4},
        {"p", "float *", image::ParamKind::pointer, 8, 8, 24, 4}};
    kernel.paramBytes = 32;
  }

  std::string packError(std::vector<argument> arguments) {
    auto block = packArguments(kernel, arguments, device);
    return block ? "" : block.error().message;
  }

  image::Kernel kernel = kernelNamed("k");
  DeviceState device{"vgpu:0", makeVirtualDevice()};
  DeviceState other{"vgpu:9", makeVirtualDevice()};
  char a = 'a';
  float data[2] = {};
  span<const float> x{data, 2};
  float *p = data;
  double wide = 0;
};

TEST_F(LaunchArguments, ArePackedAtTheirOffsets) {
  const std::vector<argument> arguments{detail::describe(a, nullptr),
                                        detail::describe(x, nullptr),
                                        detail::describe(p, &device)};
  auto block = packArguments(kernel, arguments, device);
  ASSERT_TRUE(block) << block.error().message;
  ASSERT_EQ(block->size(), 32u);
  struct {
    char a;
    float *x;
    std::uint64_t length;
    float *p;
  } expected;
  std::memset(&expected, 0, sizeof(expected));
  expected.a = 'a';
  expected.x = data;
  expected.length = 2;
  expected.p = data;
  EXPECT_EQ(std::memcmp(block->data(), &expected, 32), 0);
}

TEST_F(LaunchArguments, ThatDoNotFit) {
  const argument good[] = {detail::describe(a, nullptr),
                           detail::describe(x, nullptr),
                           detail::describe(p, nullptr)};
  EXPECT_EQ(packError({good[0], good[1]}),
            "kernel 'k': the launch has 2 arguments, and the kernel 3 "
            "parameters");
  EXPECT_EQ(packError({detail::describe(wide, nullptr), good[1], good[2]}),
            "kernel 'k': argument 1 ('double') for parameter 'a': the argument "
            "has 8 bytes, and the parameter 1");
  EXPECT_THAT(packError({good[0], good[2], good[2]}),
              HasSubstr("for parameter 'x': the kernel takes a span"));
  EXPECT_THAT(packError({good[0], good[1], detail::describe(p, &other)}),
              HasSubstr("the buffer is on device vgpu:9, and the stream on "
                        "vgpu:0"));
  double *q = &wide;
  EXPECT_THAT(packError({good[0], good[1], detail::describe(q, nullptr)}),
              HasSubstr("the elements have 8 bytes, and the parameter's 4"));
}

TEST_F(LaunchArguments, ABufferIsAnAddressOrASlice) {
  const detail::slice_bytes slice{data, 2};
  const argument buffer{&slice,
                        sizeof(slice),
                        alignof(detail::slice_bytes),
                        detail::argument_kind::buffer,
                        sizeof(float),
                        &device,
                        "buffer<float>"};
  auto block = packArguments(
      kernel, std::vector{detail::describe(a, nullptr), buffer, buffer},
      device);
  ASSERT_TRUE(block) << block.error().message;
  std::uint64_t words[4];
  std::memcpy(words, block->data(), sizeof(words));
  EXPECT_EQ(words[1], reinterpret_cast<std::uintptr_t>(data));
  EXPECT_EQ(words[2], 2u);
  EXPECT_EQ(words[3], reinterpret_cast<std::uintptr_t>(data));
}

} // namespace
