// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters of blocks: their indices, barrier and shared memory.

#include "harness.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::Each;
using testing::HasSubstr;

namespace {

class Clusters : public VgpuTest {
protected:
  explicit Clusters(Options options = testOptions())
      : VgpuTest(std::move(options)), module(load("cluster.ptx")),
        out(upload(std::vector<std::uint32_t>(1024))) {}

  static LaunchConfig shape(Dim3 grid, std::uint32_t threads, Dim3 cluster) {
    return {.grid = grid, .block = {threads, 1, 1}, .cluster = cluster};
  }
  std::string faultOf(std::string_view kernel, Dim3 grid, std::uint32_t threads,
                      Dim3 cluster) {
    auto done = tryLaunch(module, kernel, shape(grid, threads, cluster), out);
    return done ? "no fault" : done.error().message();
  }

  Module module;
  std::uint64_t out;
};

/// What the ring kernel leaves: what the block before wrote.
std::vector<std::uint32_t> ringValues(unsigned blocks, unsigned size) {
  std::vector<std::uint32_t> values;
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned thread = 0; thread < 32; ++thread)
      values.push_back((block % size + size - 1) % size * 100 + thread);
  return values;
}

} // namespace

TEST_F(Clusters, Indices) {
  launch(module, "indices", shape({4, 6, 1}, 1, {2, 3, 1}), out);
  const auto found = download<std::uint32_t>(out, std::size_t(24) * 11);
  for (unsigned y = 0; y < 6; ++y)
    for (unsigned x = 0; x < 4; ++x) {
      const std::vector<std::uint32_t> expected = {
          x / 2, y / 3, 2, 2, x % 2, y % 3, 2, 3, x % 2 + y % 3 * 2, 6, 1};
      const auto *own = found.data() + std::size_t(y * 4 + x) * 11;
      EXPECT_EQ(std::vector(own, own + 11), expected) << x << ", " << y;
    }
}

TEST_F(Clusters, IndicesWithoutClusters) {
  launch(module, "indices", shape({3, 2, 1}, 1, {0, 0, 0}), out);
  const auto found = download<std::uint32_t>(out, std::size_t(6) * 11);
  const auto *last = found.data() + std::size_t(5) * 11;
  EXPECT_EQ(std::vector(last, last + 11),
            (std::vector<std::uint32_t>{2, 1, 3, 2, 0, 0, 1, 1, 0, 1, 0}));
}

TEST_F(Clusters, Ring) {
  for (const unsigned size : {1u, 2u, 4u, 8u, 16u}) {
    launch(module, "ring", shape({16, 1, 1}, 32, {size, 1, 1}), out);
    EXPECT_EQ(download<std::uint32_t>(out, std::size_t(16) * 32),
              ringValues(16, size));
  }
}

TEST_F(Clusters, GenericAddresses) {
  launch(module, "generic_sum", shape({4, 1, 1}, 70, {4, 1, 1}), out);
  EXPECT_EQ(download<std::uint32_t>(out, 5),
            (std::vector<std::uint32_t>{280, 256 + 512, 16 + 512, 32 + 512,
                                        48 + 512}));
}

TEST_F(Clusters, ThreadsThatEndCountAsArrived) {
  launch(module, "leavers", shape({8, 1, 1}, 64, {4, 1, 1}), out);
  EXPECT_EQ(download<std::uint32_t>(out, 1).front(), 8u * 48);
}

TEST_F(Clusters, TheKernelMaySayTheShape) {
  launch(module, "fixed", shape({4, 2, 1}, 1, {0, 0, 0}), out);
  EXPECT_EQ(download<std::uint32_t>(out, 1).front(), 8u * 4);
  EXPECT_THAT(faultOf("fixed", {4, 2, 1}, 1, {2, 1, 1}),
              HasSubstr("requires clusters of 2x2x1 blocks"));
}

TEST_F(Clusters, ShapesThatCannotBe) {
  EXPECT_THAT(faultOf("ring", {3, 1, 1}, 32, {2, 1, 1}),
              HasSubstr("a grid of 3x1x1 blocks cannot be divided into "
                        "clusters of 2x1x1"));
  EXPECT_THAT(faultOf("ring", {32, 1, 1}, 32, {32, 1, 1}),
              HasSubstr("1 to 16 blocks make a cluster"));
  EXPECT_THAT(faultOf("ring", {32, 1, 1}, 32, {2, 0, 1}),
              HasSubstr("1 to 16 blocks make a cluster"));
}

TEST_F(Clusters, AddressesOfOtherBlocks) {
  EXPECT_THAT(faultOf("foreign_cta", {2, 1, 1}, 1, {2, 1, 1}),
              HasSubstr("which .shared::cta does not reach"));
  EXPECT_THAT(faultOf("no_such_block", {2, 1, 1}, 1, {2, 1, 1}),
              HasSubstr("block 5 of the cluster does not exist"));
}

TEST_F(Clusters, MisusesOfTheBarrier) {
  EXPECT_THAT(faultOf("arrive_twice", {2, 1, 1}, 32, {2, 1, 1}),
              HasSubstr("once more without having waited"));
  EXPECT_THAT(faultOf("wait_only", {2, 1, 1}, 32, {2, 1, 1}),
              HasSubstr("without having arrived"));
  const std::string deadlock = faultOf("never", {2, 1, 1}, 32, {2, 1, 1});
  EXPECT_THAT(deadlock, HasSubstr("no warp of the cluster can go on"));
  EXPECT_THAT(deadlock, HasSubstr("block 0 of the cluster, warp 0: lanes "
                                  "0xffffffff wait at 'barrier.cluster.wait"));
  EXPECT_THAT(deadlock, HasSubstr("block 1 of the cluster, warp 0: lanes "
                                  "0xffffffff wait at 'bar.sync"));
}

namespace {

class SeededClusters : public Clusters,
                       public testing::WithParamInterface<std::uint64_t> {
protected:
  SeededClusters()
      : Clusters([] {
          Options options = testOptions();
          options.seed = GetParam();
          return options;
        }()) {}
};

} // namespace

TEST_P(SeededClusters, Ring) {
  launch(module, "ring", shape({16, 1, 1}, 32, {8, 1, 1}), out);
  EXPECT_EQ(download<std::uint32_t>(out, std::size_t(16) * 32),
            ringValues(16, 8));
}

TEST_P(SeededClusters, Sum) {
  launch(module, "generic_sum", shape({4, 1, 1}, 1000, {4, 1, 1}), out);
  EXPECT_EQ(download<std::uint32_t>(out, 1).front(), 4000u);
}

TEST_P(SeededClusters, Deadlock) {
  EXPECT_THAT(faultOf("never", {16, 1, 1}, 32, {16, 1, 1}),
              HasSubstr("no warp of the cluster can go on"));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SeededClusters,
                         testing::Range<std::uint64_t>(0, 8));
