// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_fixture.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;

namespace {

/// Small whole numbers: every sum is exact.
std::vector<float> wholeNumbers(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = float(int(generator() % 9) - 4);
  return values;
}

std::vector<std::uint16_t> halves(const std::vector<float> &values) {
  std::vector<std::uint16_t> bits;
  for (float value : values) {
    // Exact for the small whole numbers that the tests use.
    const auto half = static_cast<_Float16>(value);
    std::memcpy(&bits.emplace_back(), &half, sizeof(half));
  }
  return bits;
}

std::vector<float> product(const std::vector<float> &a,
                           const std::vector<float> &b, int n,
                           bool isBByColumns) {
  std::vector<float> c(std::size_t(n) * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        c[i * n + j] += a[i * n + k] * b[isBByColumns ? j * n + k : k * n + j];
  return c;
}

using CudaMatrix = CudaTest;

TEST_P(CudaMatrix, Tiled) {
  constexpr int n = 45;
  const auto a = wholeNumbers(n * n, 1), b = wholeNumbers(n * n, 2);
  const auto c = upload(std::vector<float>(n * n));
  launch(module, "matmul_tiled", {.grid = {3, 3, 1}, .block = {16, 16, 1}},
         upload(a), upload(b), c, n);
  EXPECT_EQ(download<float>(c, n * n), product(a, b, n, false));
}

TEST_P(CudaMatrix, Wmma) {
  constexpr int n = 48;
  const auto a = wholeNumbers(n * n, 3), b = wholeNumbers(n * n, 4);
  const auto c = upload(std::vector<float>(n * n));
  launch(module, "matmul_wmma", {.grid = {3, 3, 1}, .block = {32, 1, 1}},
         upload(halves(a)), upload(halves(b)), c, n);
  EXPECT_EQ(download<float>(c, n * n), product(a, b, n, true));
}

TEST_P(CudaMatrix, Mma) {
  constexpr int n = 48;
  const auto a = wholeNumbers(n * n, 5), b = wholeNumbers(n * n, 6);
  const auto c = upload(std::vector<float>(n * n));
  launch(module, "matmul_mma", {.grid = {6, 3, 1}, .block = {32, 1, 1}},
         upload(halves(a)), upload(halves(b)), c, n);
  EXPECT_EQ(download<float>(c, n * n), product(a, b, n, false));
}

TESSERA_CUDA_SUITE(CudaMatrix, "matrix-sm80.ptx", "matrix-debug.ptx",
                   "matrix-clang.ptx");

} // namespace
