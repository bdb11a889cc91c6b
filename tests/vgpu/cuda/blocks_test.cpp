// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_fixture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;

namespace {

using CudaBlocks = CudaTest;

TEST_P(CudaBlocks, ReduceDoubles) {
  std::vector<double> in(1000);
  std::iota(in.begin(), in.end(), 0.5);
  const auto out = upload(std::vector<double>(3));
  launch(module, "reduce_sum_double", shape(3, 128), upload(in), out, 1000);
  const auto got = download<double>(out, 3);
  EXPECT_EQ(got[0] + got[1] + got[2], 500000.0);
}

TEST_P(CudaBlocks, ReduceLongs) {
  auto in = randoms<long long>(500, -1e15, 1e15);
  const auto out = upload(std::vector<long long>(2));
  launch(module, "reduce_max_long", shape(2, 64), upload(in), out, 500);
  const auto got = download<long long>(out, 2);
  EXPECT_EQ(std::max(got[0], got[1]), std::ranges::max(in));
}

TEST_P(CudaBlocks, ReduceWithTheLastBlock) {
  std::vector<int> in(5000, 3);
  const auto out = upload(std::vector<int>(1));
  const auto partial = upload(std::vector<int>(9));
  const auto data = upload(in);
  for (int round = 0; round < 2; ++round) {
    launch(module, "reduce_last_block", shape(9, 128), data, partial, out,
           5000);
    EXPECT_EQ(download<int>(out, 1)[0], 15000);
  }
}

TEST_P(CudaBlocks, ScanTree) {
  auto in = randoms<int>(256, -1000, 1000);
  const auto out = upload(std::vector<int>(256));
  launch(module, "scan_tree", shape(1, 128, 1024), upload(in), out, 256);
  std::vector<int> want(256);
  std::exclusive_scan(in.begin(), in.end(), want.begin(), 0);
  EXPECT_EQ(download<int>(out, 256), want);
}

TEST_P(CudaBlocks, ScanWarps) {
  auto in = randoms<unsigned>(256, 0, 4e9);
  const auto out = upload(std::vector<unsigned>(256));
  launch(module, "scan_warps", shape(1, 256), upload(in), out);
  std::vector<unsigned> want(256);
  std::partial_sum(in.begin(), in.end(), want.begin());
  EXPECT_EQ(download<unsigned>(out, 256), want);
}

TEST_P(CudaBlocks, SortBitonic) {
  auto in = randoms<float>(512, -10, 10);
  const auto data = upload(in);
  launch(module, "sort_bitonic", shape(1, 96, 2048), data, 512);
  std::ranges::sort(in);
  EXPECT_EQ(download<float>(data, 512), in);
}

TEST_P(CudaBlocks, SortRadix) {
  auto in = randoms<unsigned>(256, 0, 4294967295.0);
  const auto data = upload(in);
  launch(module, "sort_radix", shape(1, 256), data);
  std::ranges::sort(in);
  EXPECT_EQ(download<unsigned>(data, 256), in);
}

TEST_P(CudaBlocks, Stencil) {
  constexpr int width = 37, height = 21;
  const auto in = randoms<float>(width * height, -1, 1);
  const auto out = upload(std::vector<float>(in.size()));
  launch(module, "stencil", {.grid = {3, 3, 1}, .block = {16, 8, 1}},
         upload(in), out, width, height, 0.125f);
  const auto got = download<float>(out, in.size());
  const auto at = [&](int x, int y) {
    return in[std::clamp(y, 0, height - 1) * width +
              std::clamp(x, 0, width - 1)];
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      EXPECT_NEAR(got[y * width + x],
                  at(x, y) +
                      0.125f * (at(x, y - 1) + at(x, y + 1) + at(x - 1, y) +
                                at(x + 1, y) - 4 * at(x, y)),
                  1e-6)
          << x << ", " << y;
}

TEST_P(CudaBlocks, Filter) {
  std::vector<int> in(777);
  std::iota(in.begin(), in.end(), 0);
  const auto out = upload(std::vector<int>(777)),
             count = upload(std::vector<int>(1));
  launch(module, "filter", shape(7, 128), upload(in), out, count, 777);
  ASSERT_EQ(download<int>(count, 1)[0], 259);
  auto got = download<int>(out, 259);
  std::ranges::sort(got);
  for (int i = 0; i < 259; ++i)
    EXPECT_EQ(got[i], 3 * i);
}

TEST_P(CudaBlocks, Histogram) {
  const auto in = randoms<unsigned char>(3001, 0, 20);
  const auto bins = upload(std::vector<unsigned>(256));
  launch(module, "histogram", shape(3, 128), upload(in), bins, 3001);
  std::vector<unsigned> want(256);
  for (unsigned char value : in)
    ++want[value];
  EXPECT_EQ(download<unsigned>(bins, 256), want);
}

TEST_P(CudaBlocks, CooperativeGroups) {
  const auto in = randoms<int>(64, -100, 100);
  const auto out = upload(std::vector<int>(320));
  launch(module, "groups", shape(1, 64), upload(in), out);
  const auto got = download<int>(out, 320);
  const int total = std::accumulate(in.begin(), in.end(), 0);
  for (int i = 0; i < 64; ++i) {
    const auto first = in.begin() + i / 8 * 8;
    EXPECT_EQ(got[5 * i], std::accumulate(first, first + 8, 0));
    EXPECT_EQ(got[5 * i + 1], *std::max_element(first, first + 8));
    EXPECT_EQ(got[5 * i + 2], std::accumulate(first, in.begin() + i, 0));
    EXPECT_EQ(got[5 * i + 3], total);
    EXPECT_EQ(got[5 * i + 4], std::count_if(first, first + 8, [&](int x) {
                return (x & 1) == (in[i] & 1);
              }));
  }
}

TESSERA_CUDA_SUITE(CudaBlocks, "blocks-sm80.ptx", "blocks-debug.ptx",
                   "blocks-sm90a.ptx", "blocks-clang.ptx");

} // namespace
