// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc and clang make of kernels/compiled.cu.

#include "harness.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;

namespace {

class Compiled : public VgpuTest,
                 public testing::WithParamInterface<const char *> {
protected:
  Compiled()
      : VgpuTest([] {
          Options options;
          options.maxInstructions = 100'000'000;
          return options;
        }()) {}
  Module module = load(GetParam());

  static std::vector<float> randomFloats(std::size_t count) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<float> distribution(-1, 1);
    std::vector<float> values(count);
    for (float &value : values)
      value = distribution(generator);
    return values;
  }
};

TEST_P(Compiled, Saxpy) {
  const std::vector<float> x = randomFloats(1000);
  std::vector<float> y(1000);
  std::iota(y.begin(), y.end(), 0.0f);
  const std::uint64_t dx = upload(x), dy = upload(y);
  launch(module, "saxpy", {.grid = {8, 1, 1}, .block = {128, 1, 1}}, 2.5f, dx,
         dy, 1000);
  const auto got = download<float>(dy, 1000);
  for (std::size_t i = 0; i < 1000; ++i)
    EXPECT_EQ(got[i], std::fma(2.5f, x[i], y[i])) << i;
}

TEST_P(Compiled, Reduce) {
  std::vector<float> in(1000);
  std::iota(in.begin(), in.end(), 1.0f);
  const std::uint64_t data = upload(in), out = upload(std::vector<float>(4));
  launch(module, "reduce", {.grid = {4, 1, 1}, .block = {256, 1, 1}}, data, out,
         1000);
  const auto got = download<float>(out, 4);
  EXPECT_EQ(std::accumulate(got.begin(), got.end(), 0.0f), 500500.0f);
}

TEST_P(Compiled, Matmul) {
  constexpr int n = 45;
  const std::vector<float> a = randomFloats(n * n), b = randomFloats(n * n);
  const std::uint64_t da = upload(a), db = upload(b),
                      dc = upload(std::vector<float>(n * n));
  launch(module, "matmul", {.grid = {3, 3, 1}, .block = {16, 16, 1}}, da, db,
         dc, n);
  const auto c = download<float>(dc, n * n);
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum = std::fma(a[std::size_t(row * n + k)],
                       b[std::size_t(k * n + column)], sum);
      EXPECT_FLOAT_EQ(c[std::size_t(row * n + column)], sum);
    }
}

TEST_P(Compiled, Histogram) {
  std::vector<std::uint8_t> in(5000);
  std::vector<int> wanted(64);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = std::uint8_t(i * i >> 3);
    ++wanted[in[i] % 64];
  }
  const std::uint64_t data = upload(in), bins = upload(std::vector<int>(64));
  launch(module, "histogram", {.grid = {1, 1, 1}, .block = {96, 1, 1}}, data,
         bins, 5000);
  EXPECT_EQ(download<int>(bins, 64), wanted);
}

TEST_P(Compiled, Mandelbrot) {
  constexpr int width = 70, height = 9, limit = 3000;
  const std::uint64_t out = upload(std::vector<int>(width * height));
  launch(module, "mandelbrot", {.grid = {2, height, 1}, .block = {48, 1, 1}},
         out, width, height, limit);
  const auto got = download<int>(out, width * height);
  // The middle of the set, and a corner far outside.
  EXPECT_EQ(got[std::size_t(4 * width + 40)], limit);
  EXPECT_EQ(got[0], 1);
}

TEST_P(Compiled, VirtualFunctions) {
  const std::uint64_t out = upload(std::vector<float>(64));
  launch(module, "areas", {.grid = {1, 1, 1}, .block = {64, 1, 1}}, out);
  const auto got = download<float>(out, 64);
  for (std::size_t i = 0; i < 64; ++i) {
    const auto x = float(i);
    EXPECT_EQ(got[i], i % 3 ? (x + 2) * 3 : (x + 1) * (x + 1)) << i;
  }
}

TEST_P(Compiled, MutualDepthsOfRecursion) {
  const std::uint64_t out = upload(std::vector<int>(32));
  launch(module, "ackermanns", {.grid = {1, 1, 1}, .block = {32, 1, 1}}, out);
  const auto got = download<int>(out, 32);
  for (int i = 0; i < 32; ++i) {
    const int n = i % 5;
    const int values[] = {n + 1, n + 2, 2 * n + 3};
    EXPECT_EQ(got[std::size_t(i)], values[i % 3]) << i;
  }
}

TEST_P(Compiled, SortInLocalMemory) {
  std::vector<int> in(40 * 20);
  std::mt19937 generator(3);
  for (int &value : in)
    value = int(generator() % 1000);
  const std::uint64_t data = upload(in);
  launch(module, "sort_local", {.grid = {1, 1, 1}, .block = {40, 1, 1}}, data,
         20);
  const auto got = download<int>(data, in.size());
  for (std::size_t i = 0; i < in.size(); i += 20) {
    std::sort(in.begin() + std::ptrdiff_t(i),
              in.begin() + std::ptrdiff_t(i + 20));
  }
  EXPECT_EQ(got, in);
}

TEST_P(Compiled, DoublesAndWideIntegers) {
  const std::uint64_t out = upload(std::vector<double>(64));
  const std::uint64_t bits = upload(std::vector<std::uint64_t>(64));
  launch(module, "doubles", {.grid = {1, 1, 1}, .block = {64, 1, 1}}, out,
         bits);
  const auto got = download<double>(out, 64);
  const auto gotBits = download<std::uint64_t>(bits, 64);
  const double table[] = {1.5, -2.25, 3.0, 0.125};
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i], table[i % 4] * i / 3.0 + table[(i + 1) % 4]) << i;
    std::uint64_t h = i * 0x9e3779b97f4a7c15ull;
    h ^= h >> 31;
    EXPECT_EQ(gotBits[i], h % (i + 7) + (h << i % 64)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Nvcc, Compiled, testing::Values("compiled-nvcc.ptx"));
INSTANTIATE_TEST_SUITE_P(Clang, Compiled,
                         testing::Values("compiled-clang.ptx"));

} // namespace
