// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_fixture.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::HasSubstr;

namespace {

using CudaLanguage = CudaTest;

TEST_P(CudaLanguage, VirtualCalls) {
  const auto out = upload(std::vector<double>(32));
  launch(module, "virtual_calls", shape(1, 32), out);
  const auto got = download<double>(out, 32);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], i % 2 ? i * i : 3.0 * i * i);
}

TEST_P(CudaLanguage, FunctionPointers) {
  const auto in = randoms<int>(32, -100, 100);
  const auto out = upload(std::vector<int>(32));
  launch(module, "function_pointers", shape(1, 32), upload(in), out);
  const auto got = download<int>(out, 32);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], i % 3 == 0   ? in[i] + i
                      : i % 3 == 1 ? in[i] - i
                                   : in[i] * i);
}

TEST_P(CudaLanguage, Recursion) {
  const auto out = upload(std::vector<unsigned long long>(12));
  launch(module, "recursion", shape(1, 12), out);
  const auto got = download<unsigned long long>(out, 12);
  for (unsigned i = 0; i < 12; ++i) {
    const unsigned n = i / 3;
    EXPECT_EQ(got[i], i % 3 == 0 ? n + 1 : i % 3 == 1 ? n + 2 : 2 * n + 3);
  }
}

TEST_P(CudaLanguage, Constants) {
  const std::vector<float> in(100, 3);
  const auto out = upload(std::vector<float>(100));
  launch(module, "constants", shape(2, 64), upload(in), out, 100);
  EXPECT_EQ(download<float>(out, 100), in);
}

struct Particle {
  float x, y, z;
  short tag;
  char kind;
  double weight;
};
struct Big {
  int values[12];
};

TEST_P(CudaLanguage, Structs) {
  const Particle particle{1, 2, 3, 40, 5, 0.5};
  Big big;
  for (int i = 0; i < 12; ++i)
    big.values[i] = 100 * i;
  const auto out = upload(std::vector<double>(32));
  launch(module, "structs", shape(1, 32), particle, big, out);
  const auto got = download<double>(out, 32);
  for (int i = 0; i < 32; ++i) {
    const int other = 31 - i;
    EXPECT_EQ(got[i],
              40 + other + 2 * other + 0.5 + 5 + big.values[(3 + i) % 12]);
  }
}

TEST_P(CudaLanguage, Unions) {
  const auto in = randoms<float>(32, -5, 5);
  const auto out = upload(std::vector<float>(32));
  launch(module, "unions", shape(1, 32), upload(in), out);
  const auto got = download<float>(out, 32);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], -in[i]);
}

TEST_P(CudaLanguage, Lists) {
  const auto out = upload(std::vector<int>(64));
  launch(module, "lists", shape(1, 64), out);
  const auto got = download<int>(out, 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(got[i], (i - 1) * i * (2 * i - 1) / 6);
}

TEST_P(CudaLanguage, HeapHasALimit) {
  const auto out = upload(std::vector<int>(8));
  launch(module, "allocate", shape(1, 8), std::uint64_t(3) << 20, out);
  const auto got = download<int>(out, 8);
  // The heap has 8 MiB, and all threads allocate before the first one frees.
  EXPECT_EQ(std::ranges::count(got, 1), 2);
  // All was given back: the same again, and then a larger one.
  launch(module, "allocate", shape(1, 1), std::uint64_t(8) << 20, out);
  EXPECT_EQ(download<int>(out, 1)[0], 1);
  launch(module, "allocate", shape(1, 1), ~std::uint64_t(0), out);
  EXPECT_EQ(download<int>(out, 1)[0], 0);
}

TEST_P(CudaLanguage, FreeTwice) {
  const auto out = upload(std::vector<int>(1));
  const auto done = tryLaunch(module, "free_twice", shape(1, 1), out);
  ASSERT_FALSE(done.has_value());
  EXPECT_THAT(done.error().message(), HasSubstr("which was freed before"));
}

TEST_P(CudaLanguage, SpinLock) {
  const auto counter = upload(std::vector<int>(1));
  launch(module, "spin_lock", shape(4, 64), counter);
  EXPECT_EQ(download<int>(counter, 1)[0], 256);
}

TEST_P(CudaLanguage, Print) {
  launch(module, "print", shape(1, 32), 2, 3.14159);
  EXPECT_EQ(printed, "two 2  3.14 q 123456789abc\n");
}

TEST_P(CudaLanguage, Assert) {
  std::vector<int> in(32, 1);
  launch(module, "check", shape(1, 32), upload(in));
  in[5] = -1;
  const auto done = tryLaunch(module, "check", shape(1, 32), upload(in));
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().kind, FaultKind::trap);
  EXPECT_EQ(done.error().thread->x, 5u);
  EXPECT_THAT(done.error().message(),
              HasSubstr("assertion `in[threadIdx.x] >= 0' failed"));
}

TEST_P(CudaLanguage, Trap) {
  const auto done = tryLaunch(module, "abort_early", shape(1, 1));
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().kind, FaultKind::trap);
}

TEST_P(CudaLanguage, Divide) {
  auto a = randoms<std::int64_t>(32, -9e18, 9e18);
  auto b = randoms<std::int64_t>(32, -1e6, 1e6);
  b[0] = 1, b[1] = -1, b[2] = std::int64_t(1) << 40, b[3] = a[3];
  const auto out = upload(std::vector<std::int64_t>(128));
  launch(module, "divide", shape(1, 32), upload(a), upload(b), out);
  const auto got = download<std::int64_t>(out, 128);
  for (int i = 0; i < 32; ++i) {
    const auto ua = std::uint64_t(a[i]), ub = std::uint64_t(b[i]);
    EXPECT_EQ(got[4 * i], a[i] / b[i]);
    EXPECT_EQ(got[4 * i + 1], a[i] % b[i]);
    EXPECT_EQ(std::uint64_t(got[4 * i + 2]), ua / ub);
    EXPECT_EQ(std::uint64_t(got[4 * i + 3]), ua % ub);
  }
}

TEST_P(CudaLanguage, BitTricks) {
  auto in = randoms<unsigned>(32, 0, 4294967295.0);
  in[0] = 0, in[1] = 1;
  const auto out = upload(std::vector<unsigned>(256));
  launch(module, "bit_tricks", shape(1, 32), upload(in), out);
  const auto got = download<unsigned>(out, 256);
  for (int i = 0; i < 32; ++i) {
    const unsigned x = in[i], y = in[(i + 1) % 32];
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit)
      reversed |= (x >> bit & 1) << (31 - bit);
    const std::int64_t distance = std::int64_t(int(x)) - int(y);
    const std::vector<unsigned> want = {unsigned(std::countl_zero(x)),
                                        x ? unsigned(std::countr_zero(x)) + 1
                                          : 0,
                                        unsigned(std::popcount(x)),
                                        reversed,
                                        (x & 0xffff) | y << 16,
                                        y << 7 | x >> 25,
                                        unsigned(std::uint64_t(x) * y >> 32),
                                        unsigned(std::abs(distance)) + 3};
    EXPECT_EQ(std::vector(got.begin() + 8 * i, got.begin() + 8 * (i + 1)), want)
        << i;
  }
}

TEST_P(CudaLanguage, Interpret) {
  // (thread * 2 + thread) negated, tripled where odd, halved.
  const std::vector<unsigned char> program = {0, 1, 4, 2, 3, 0, 2, 5, 6, 7};
  const auto out = upload(std::vector<int>(32));
  launch(module, "interpret", shape(1, 32), upload(program),
         int(program.size()), out);
  const auto got = download<int>(out, 32);
  for (int i = 0; i < 32; ++i) {
    int value = -(i * 2 + i);
    value = value & 1 ? 3 * value + 1 : value;
    EXPECT_EQ(got[i], value >> 1);
  }
}

TESSERA_CUDA_SUITE(CudaLanguage, "language-sm80.ptx", "language-debug.ptx",
                   "language-clang.ptx");

} // namespace
