// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies, mbarriers, and the moments at which things happen.

#include "harness.h"
#include "vgpu/async/mbarrier.h"

#include <numeric>
#include <ostream>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::Each;
using testing::HasSubstr;

namespace {

struct Schedule {
  AsyncMoments moments;
  std::optional<std::uint64_t> seed;
};

std::ostream &operator<<(std::ostream &to, const Schedule &schedule) {
  constexpr std::array names = {"late", "early", "seeded"};
  to << names[std::size_t(schedule.moments)];
  if (schedule.seed)
    to << " with seed " << *schedule.seed;
  return to;
}

std::vector<Schedule> schedules() {
  std::vector<Schedule> all = {{AsyncMoments::late, std::nullopt},
                               {AsyncMoments::early, std::nullopt}};
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    all.push_back({AsyncMoments::seeded, seed});
    all.push_back({AsyncMoments::late, seed});
  }
  return all;
}

class AsyncTest : public VgpuTest {
protected:
  explicit AsyncTest(const Schedule &schedule)
      : VgpuTest([&] {
          Options options = testOptions();
          options.asyncMoments = schedule.moments;
          options.seed = schedule.seed;
          return options;
        }()),
        module(load("async.ptx")), input(256) {
    std::iota(input.begin(), input.end(), 5u);
    in = upload(input);
    out = upload(std::vector<std::uint32_t>(256));
  }

  static constexpr LaunchConfig oneWarp{.grid = {1, 1, 1}, .block = {32, 1, 1}};
  std::vector<std::uint32_t> results(std::size_t count) {
    return download<std::uint32_t>(out, count);
  }

  Module module;
  std::vector<std::uint32_t> input;
  std::uint64_t in = 0, out = 0;
};

/// What well-formed programs compute at every moment.
class Async : public AsyncTest, public testing::WithParamInterface<Schedule> {
protected:
  Async() : AsyncTest(GetParam()) {}
};

} // namespace

TEST_P(Async, CopyGroups) {
  launch(module, "copy_groups", oneWarp, in, out);
  const auto found = results(32);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(found[i], input[i] + input[i + 32]);
}

TEST_P(Async, CopyPartOfTheBytes) {
  launch(module, "copy_partial", oneWarp, in, out);
  const auto found = results(32);
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned bytes = i % 5;
    const std::uint32_t mask = bytes == 4 ? ~0u : (1u << 8 * bytes) - 1;
    EXPECT_EQ(found[i], input[i] & mask) << i;
  }
}

TEST_P(Async, CopiesArriveAtAnMbarrier) {
  launch(module, "copy_arrive", oneWarp, in, out);
  const auto found = results(32);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(found[i], input[31 - i]);
}

TEST_P(Async, Token) {
  launch(module, "token", {.grid = {1, 1, 1}, .block = {128, 1, 1}},
         std::uint32_t(25), out);
  EXPECT_EQ(results(1).front(), 100u);
}

TEST_P(Async, BulkCopies) {
  std::vector<std::uint32_t> before(128, 1000);
  const std::uint64_t to = upload(before);
  launch(module, "bulk", oneWarp, in, to);
  const auto found = download<std::uint32_t>(to, 128);
  for (unsigned i = 0; i < 128; ++i)
    EXPECT_EQ(found[i], 2 * input[i] + (i < 64 ? 0 : 1000)) << i;
}

TEST_P(Async, Multicast) {
  launch(module, "multicast",
         {.grid = {8, 1, 1}, .block = {32, 1, 1}, .cluster = {4, 1, 1}}, in,
         out, std::uint32_t(0b1011));
  const auto found = results(128);
  for (unsigned block = 0; block < 8; ++block)
    for (unsigned i = 0; i < 16; ++i)
      EXPECT_EQ(found[block * 16 + i], block % 4 == 2 ? 0 : input[i])
          << block << ", " << i;
}

TEST_P(Async, StoresToTheNextBlock) {
  launch(module, "store_async",
         {.grid = {4, 1, 1}, .block = {32, 1, 1}, .cluster = {4, 1, 1}}, out);
  const auto found = results(256);
  for (unsigned block = 0; block < 4; ++block)
    for (unsigned i = 0; i < 32; ++i) {
      EXPECT_EQ(found[block * 64 + 2 * i], (block + 3) % 4 * 100 + i);
      EXPECT_EQ(found[block * 64 + 2 * i + 1], 1000u + 31 * 32 / 2);
    }
}

TEST_P(Async, Counts) {
  launch(module, "counts", {.grid = {1, 1, 1}, .block = {1, 1, 1}}, out);
  EXPECT_EQ(results(7), (std::vector<std::uint32_t>{3, 2, 0, 1, 2, 0, 1}));
}

INSTANTIATE_TEST_SUITE_P(Schedules, Async, testing::ValuesIn(schedules()));

//===----------------------------------------------------------------------===//
// What is wrong shows
//===----------------------------------------------------------------------===//

namespace {

class LateAsync : public AsyncTest {
protected:
  LateAsync() : AsyncTest({AsyncMoments::late, std::nullopt}) {}

  std::string faultOf(std::string_view kernel) {
    auto done =
        tryLaunch(module, kernel, {.grid = {1, 1, 1}, .block = {1, 1, 1}}, in);
    return done ? "no fault" : done.error().message();
  }
};

class EarlyAsync : public AsyncTest {
protected:
  EarlyAsync() : AsyncTest({AsyncMoments::early, std::nullopt}) {}
};

} // namespace

TEST_F(LateAsync, AMissingWaitGivesStaleData) {
  launch(module, "copy_unwaited", oneWarp, in, out);
  EXPECT_THAT(results(32), Each(0u));
}

TEST_F(EarlyAsync, AMissingWaitMayGoUnnoticed) {
  launch(module, "copy_unwaited", oneWarp, in, out);
  EXPECT_EQ(results(32), std::vector(input.begin(), input.begin() + 32));
}

TEST_F(LateAsync, MisusesOfMbarriers) {
  EXPECT_THAT(faultOf("uninitialised"),
              HasSubstr("there is no initialised mbarrier"));
  EXPECT_THAT(faultOf("too_many"),
              HasSubstr("3 arrivals at an mbarrier whose phase waits for 2"));
  EXPECT_THAT(faultOf("unexpected_bytes"),
              HasSubstr("when it completes: there is no initialised mbarrier"));
  const std::string deadlock = faultOf("never_complete");
  EXPECT_THAT(deadlock, HasSubstr("deadlock"));
  EXPECT_THAT(deadlock,
              HasSubstr("for phase 0 of the mbarrier at 0x400 (pending "
                        "arrivals 1, pending bytes 64)"));
}

TEST_F(LateAsync, MisusesOfCopies) {
  EXPECT_THAT(faultOf("odd_size"), HasSubstr("must be a multiple of 16"));
  EXPECT_THAT(faultOf("beyond"), HasSubstr("8192-byte load at"));
}

TEST(Mbarrier, BitsKeepTheirNumbers) {
  Mbarrier object;
  object.expected = Mbarrier::mostArrivals;
  object.pending = 12345;
  object.bytes = -Mbarrier::mostBytes;
  object.parity = true;
  const auto again = Mbarrier::decode(object.encode());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->expected, object.expected);
  EXPECT_EQ(again->pending, object.pending);
  EXPECT_EQ(again->bytes, object.bytes);
  EXPECT_EQ(again->parity, object.parity);
  EXPECT_FALSE(Mbarrier::decode(0));
}

TEST(Mbarrier, LimitsAreKept) {
  Mbarrier object;
  object.expected = object.pending = 1;
  EXPECT_FALSE(object.arrive(0));
  EXPECT_FALSE(object.addBytes(std::int64_t(Mbarrier::mostBytes) + 1));
  EXPECT_FALSE(object.arriveAndDrop(2));
}
