// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix, stmatrix, movmatrix, and what all warp-level matrix instructions
// need: their whole warp. Layouts are those of PTX ISA 9.0,
// sections 9.7.14.5.15 to 9.7.14.5.17.

#include "../harness.h"

#include <numeric>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::HasSubstr;

namespace {

constexpr LaunchConfig oneWarp{.grid = {1, 1, 1}, .block = {32, 1, 1}};

/// 16-bit numbers from `first` on.
std::vector<std::uint16_t> counted(std::size_t count, std::uint16_t first) {
  std::vector<std::uint16_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

class MoveMatrix : public VgpuTest {
protected:
  const Module module = load("move.ptx");

  template <class... Args>
  Fault fault(std::string_view kernel, std::uint32_t threads,
              const Args &...args) {
    const auto done = tryLaunch(
        module, kernel, {.grid = {1, 1, 1}, .block = {threads, 1, 1}}, args...);
    if (done) {
      ADD_FAILURE() << kernel << " did not fail";
      return {};
    }
    return done.error();
  }
};

/// The number of the row that a lane names in the kernels.
std::size_t rowOf(std::size_t lane) { return 7 * lane % 32; }

TEST_F(MoveMatrix, Load) {
  const auto in = counted(256, 1000);
  const std::uint64_t from = upload(in);
  const std::uint64_t to = upload(std::vector<std::uint16_t>(11 * 64));
  launch(module, "load", oneWarp, from, to);
  const auto out = download<std::uint16_t>(to, 11 * 64);
  const auto check = [&](std::size_t reg, std::size_t matrix, bool transposed) {
    for (std::size_t lane = 0; lane < 32; ++lane)
      for (std::size_t half = 0; half < 2; ++half) {
        std::size_t row = lane / 4, column = lane % 4 * 2 + half;
        if (transposed)
          std::swap(row, column);
        EXPECT_EQ(out[64 * reg + 2 * lane + half],
                  in[8 * rowOf(8 * matrix + row) + column])
            << "register " << reg << " lane " << lane;
      }
  };
  check(0, 0, false);
  check(1, 0, false);
  check(2, 1, false);
  for (std::size_t i = 0; i < 4; ++i) {
    check(3 + i, i, false);
    check(7 + i, i, true);
  }
}

TEST_F(MoveMatrix, Store) {
  const auto in = counted(256, 2000);
  const std::uint64_t from = upload(in);
  const std::uint64_t to = upload(std::vector<std::uint16_t>(512));
  launch(module, "store", oneWarp, from, to);
  const auto out = download<std::uint16_t>(to, 512);
  for (std::size_t matrix = 0; matrix < 4; ++matrix)
    for (std::size_t row = 0; row < 8; ++row)
      for (std::size_t column = 0; column < 8; ++column)
        EXPECT_EQ(out[8 * rowOf(8 * matrix + row) + column],
                  in[64 * matrix + 8 * row + column]);
  for (std::size_t matrix = 0; matrix < 2; ++matrix)
    for (std::size_t row = 0; row < 8; ++row)
      for (std::size_t column = 0; column < 8; ++column)
        EXPECT_EQ(out[256 + 64 * matrix + 8 * column + row],
                  in[64 * (matrix + 1) + 8 * row + column]);
}

TEST_F(MoveMatrix, Transpose) {
  const auto in = counted(64, 3000);
  const std::uint64_t from = upload(in);
  const std::uint64_t to = upload(std::vector<std::uint16_t>(64));
  launch(module, "transpose", oneWarp, from, to);
  const auto out = download<std::uint16_t>(to, 64);
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], in[i % 8 * 8 + i / 8]);
}

TEST_F(MoveMatrix, RowsThatCannotBeRead) {
  const Fault misaligned =
      fault("bad_row", 32, std::uint32_t(8), std::uint64_t(0));
  EXPECT_EQ(misaligned.kind, FaultKind::misaligned);
  EXPECT_THAT(misaligned.message(), HasSubstr("not a multiple of 16"));
  EXPECT_THAT(misaligned.instruction, HasSubstr("ldmatrix"));
  ASSERT_TRUE(misaligned.thread);
  EXPECT_EQ(misaligned.thread->x, 5u);
  EXPECT_GT(misaligned.ptx.line, 0u);

  const Fault outside =
      fault("bad_row", 32, std::uint32_t(4096), std::uint64_t(0));
  EXPECT_EQ(outside.kind, FaultKind::invalidAddress);
  EXPECT_THAT(outside.message(),
              HasSubstr("past the end of the block's shared"));
  ASSERT_TRUE(outside.thread);
  EXPECT_EQ(outside.thread->x, 5u);
}

TEST_F(MoveMatrix, AddressesOfUnusedRowsDoNotMatter) {
  launch(module, "unused_rows", oneWarp, std::uint64_t(0));
}

TEST_F(MoveMatrix, NeedsTheWholeWarp) {
  // Four lanes wait at a barrier for the rest, which waits here for them.
  const Fault elsewhere =
      fault("divergent", 32, std::uint32_t(4), std::uint32_t(0));
  EXPECT_EQ(elsewhere.kind, FaultKind::divergentBarrier);
  EXPECT_THAT(elsewhere.message(), HasSubstr("movmatrix"));
  EXPECT_THAT(elsewhere.message(), HasSubstr("lanes 0xfffffff0"));

  const Fault ended =
      fault("divergent", 32, std::uint32_t(4), std::uint32_t(1));
  EXPECT_EQ(ended.kind, FaultKind::divergentBarrier);
  EXPECT_THAT(ended.message(), HasSubstr("only lanes 0xfffffff0 do"));

  const Fault small =
      fault("divergent", 20, std::uint32_t(0), std::uint32_t(0));
  EXPECT_EQ(small.kind, FaultKind::divergentBarrier);
  EXPECT_THAT(small.message(), HasSubstr("only lanes 0xfffff do"));
}

TEST_F(MoveMatrix, WaitsForLateLanes) {
  const std::uint64_t to = upload(std::vector<std::uint32_t>(32));
  launch(module, "late", oneWarp, to);
  const auto out = download<std::uint16_t>(to, 64);
  for (std::size_t i = 0; i < 64; ++i) {
    // Element (row, column) of the source is the lane's number or 0.
    const std::size_t source = i % 8 * 8 + i / 8;
    EXPECT_EQ(out[i], source % 2 ? 0 : source / 2) << i;
  }
}

} // namespace
