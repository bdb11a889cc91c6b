// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/fiber.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

using namespace tessera::vgpu;

namespace {

struct Counter {
  Fiber *fiber = nullptr;
  std::vector<int> *trace = nullptr;
  int first = 0;
};

void countThreeTimes(void *argument) {
  const Counter &counter = *static_cast<Counter *>(argument);
  for (int i = 0; i < 3; ++i) {
    counter.trace->push_back(counter.first + i);
    counter.fiber->suspend();
  }
}

TEST(Fibers, TakeTurns) {
  std::vector<int> trace;
  auto a = FiberStack::create(64 << 10), b = FiberStack::create(64 << 10);
  ASSERT_TRUE(a && b);
  Counter first{.trace = &trace, .first = 0},
      second{.trace = &trace, .first = 10};
  Fiber one(*a, &countThreeTimes, &first), two(*b, &countThreeTimes, &second);
  first.fiber = &one;
  second.fiber = &two;
  while (!one.finished() || !two.finished()) {
    if (!one.finished())
      one.resume();
    if (!two.finished())
      two.resume();
  }
  EXPECT_THAT(trace, testing::ElementsAre(0, 10, 1, 11, 2, 12));
}

struct Alignment {
  std::uintptr_t address = 1;
  double root = 0;
};

void checkAlignment(void *argument) {
  auto &result = *static_cast<Alignment *>(argument);
  alignas(32) volatile double values[4] = {2, 2, 2, 2};
  result.address = reinterpret_cast<std::uintptr_t>(&values) % 32;
  result.root = std::sqrt(values[1] * values[2]);
}

TEST(Fibers, StackIsAlignedAndNew) {
  auto stack = FiberStack::create(64 << 10);
  ASSERT_TRUE(stack);
  for (int round = 0; round < 3; ++round) {
    Alignment result;
    Fiber fiber(*stack, &checkAlignment, &result);
    EXPECT_FALSE(fiber.finished());
    fiber.resume();
    EXPECT_TRUE(fiber.finished());
    EXPECT_EQ(result.address, 0u);
    EXPECT_EQ(result.root, 2.0);
  }
}

void overflow(void *) {
  constexpr int bytes = 256 << 10;
  volatile char big[bytes];
  for (int i = bytes - 1; i >= 0; i -= 1024) // the way a stack grows
    big[i] = 1;
}

TEST(FibersDeathTest, GuardPageBelowTheStack) {
  EXPECT_DEATH(
      {
        auto stack = FiberStack::create(16 << 10);
        Fiber fiber(*stack, &overflow, nullptr);
        fiber.resume();
      },
      "");
}

} // namespace
