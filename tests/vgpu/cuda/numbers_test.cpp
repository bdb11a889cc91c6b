// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_fixture.h"

#include <cmath>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;

namespace {

class CudaNumbers : public CudaTest {
protected:
  template <class T>
  std::vector<T> compute(const char *kernel, const std::vector<T> &in,
                         std::size_t results) {
    const auto out = upload(std::vector<T>(in.size() * results));
    launch(module, kernel, shape(1, std::uint32_t(in.size())), upload(in), out);
    return download<T>(out, in.size() * results);
  }
};

/// `got` is `want` within `units` units of the last place of its type.
template <class T> void expectNear(T got, T want, T units) {
  EXPECT_NEAR(got, want,
              units * std::max(std::abs(want), T(1e-3)) *
                  std::numeric_limits<T>::epsilon());
}

TEST_P(CudaNumbers, Doubles) {
  const auto in = randoms<double>(64, 0.01, 90);
  const auto got = compute("math_double", in, 8);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double x = in[i], *values = &got[8 * i];
    EXPECT_EQ(values[0], std::sqrt(x));
    expectNear(values[1], std::sin(x), 2.0);
    expectNear(values[2], std::cos(x), 2.0);
    expectNear(values[3], std::exp(x / 10), 2.0);
    expectNear(values[4], std::pow(x, 1.7), 2.0);
    EXPECT_EQ(values[5], std::fma(x, x, -1.0));
    expectNear(values[6], std::log(x), 2.0);
    EXPECT_EQ(values[7], 1 / x);
  }
}

TEST_P(CudaNumbers, Floats) {
  const auto in = randoms<float>(64, 0.01, 90);
  const auto got = compute("math_float", in, 10);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float x = in[i], *values = &got[10 * i];
    EXPECT_EQ(values[0], std::sqrt(x));
    expectNear(values[1], std::sin(x), 4.0f);
    expectNear(values[2], std::cos(x), 4.0f);
    expectNear(values[3], std::exp(x / 10), 4.0f);
    expectNear(values[4], std::pow(x, 1.7f), 8.0f);
    expectNear(values[5], std::tanh(x), 4.0f);
    expectNear(values[6], std::log(x), 4.0f);
    expectNear(values[7], 1 / std::sqrt(x), 4.0f);
    expectNear(values[8], std::erf(x / 50), 4.0f);
    EXPECT_EQ(values[9], std::fmod(x, 0.75f));
  }
}

TEST_P(CudaNumbers, Halves) {
  const std::vector<float> in = {0, 0.5, 1, 1.5, 2, 4, 9, 0.25};
  const auto got = compute("halves", in, 6);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float x = in[i], *values = &got[6 * i];
    EXPECT_EQ(values[0], x);
    EXPECT_EQ(values[1], x * x + 1);
    EXPECT_EQ(values[2], x * x + 2);
    EXPECT_NEAR(values[3], std::sqrt(x), 1e-3);
    EXPECT_EQ(values[4], std::max(x, 2.0f));
    EXPECT_EQ(values[5], x > 1);
  }
}

TEST_P(CudaNumbers, Bfloats) {
  const std::vector<float> in = {0, 0.5, 1, 1.5, -2, 4, 1.0078125f, 1.001f};
  const auto got = compute("bfloats", in, 3);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float x = i == 7 ? 1 : in[i];
    EXPECT_EQ(got[3 * i], x);
    EXPECT_NEAR(got[3 * i + 1], x * x + x, 8e-3);
    EXPECT_NEAR(got[3 * i + 2], 1.5f * x, 8e-3);
  }
}

TEST_P(CudaNumbers, Eighths) {
  const std::vector<float> in = {0, 0.5, 1.0625f, -3.3f, 1000, 240, 1e-9f, 18};
  const auto got = compute("eighths", in, 2);
  const std::vector<float> want = {0,   0,    0.5, 0.5, 1, 1, -3.25f, -3.5f,
                                   448, 1024, 240, 256, 0, 0, 18,     16};
  EXPECT_EQ(got, want);
}

TESSERA_CUDA_SUITE(CudaNumbers, "numbers-sm80.ptx", "numbers-debug.ptx",
                   "numbers-sm90a.ptx", "numbers-clang.ptx");

} // namespace
