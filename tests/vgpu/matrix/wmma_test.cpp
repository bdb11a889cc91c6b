// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wmma: matrices in memory in, products in memory out. How fragments lie in
// registers takes no part.

#include "../harness.h"
#include "reference.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::HasSubstr;

namespace {

constexpr LaunchConfig oneWarp{.grid = {1, 1, 1}, .block = {32, 1, 1}};

class Wmma : public VgpuTest {
protected:
  static Matrix fill(const MemoryMatrix &placed, std::vector<std::byte> &memory,
                     Random &random) {
    const Matrix matrix(placed.type, placed.rows, placed.columns, random);
    for (std::uint32_t row = 0; row < placed.rows; ++row)
      for (std::uint32_t column = 0; column < placed.columns; ++column)
        setElement(placed, memory, row, column, matrix.at(row, column));
    return matrix;
  }

  void check(const WmmaCase &wmma, Random &random) {
    auto module = device.load(moduleHead() + wmma.product.entry);
    ASSERT_TRUE(module) << wmma.product.mnemonic << ": "
                        << module.error().message();
    std::vector<std::byte> in(wmma.c.offset + wmma.c.bytes());
    const Matrix a = fill(wmma.a, in, random), b = fill(wmma.b, in, random),
                 c = fill(wmma.c, in, random);
    const std::uint64_t from = upload(in);
    // What lies between the rows of D stays.
    const std::vector<std::byte> before(wmma.d.bytes(), std::byte(0xa5));
    const std::uint64_t to = upload(before);
    launch(*module, wmma.product.kernel, oneWarp, from, to);
    auto out = download<std::byte>(to, before.size());
    for (std::uint32_t row = 0; row < wmma.d.rows; ++row)
      for (std::uint32_t column = 0; column < wmma.d.columns; ++column) {
        const Expected expected =
            expectedElement(wmma.product, a, b, c, row, column);
        const double got =
            valueOf(wmma.d.type, elementAt(wmma.d, out, row, column));
        ASSERT_TRUE(isWithin(wmma.product, expected, got))
            << wmma.product.mnemonic << " row " << row << " column " << column
            << ": " << got << " instead of " << expected.value;
        setElement(wmma.d, out, row, column,
                   elementAt(wmma.d, before, row, column));
      }
    ASSERT_EQ(out, before) << wmma.product.mnemonic;
  }
};

TEST_F(Wmma, EveryFormOnRandomMatrices) {
  Random random(11);
  for (const WmmaCase &wmma : wmmaCases())
    check(wmma, random);
}

class WmmaFaults : public VgpuTest {
protected:
  Fault load(const std::string &address, const std::string &stride) {
    const std::string text =
        moduleHead() + entryText("k",
                                 ".reg .b64 %at; .reg .b32 %stride, "
                                 "%d<8>;\n",
                                 "add.u64 %at, %in, " + address +
                                     ";\nadd.u32 %stride, " + stride +
                                     ", 0;\n"
                                     "wmma.load.b.sync.aligned.col."
                                     "m8n8k32.s4 {%d0}, [%at], "
                                     "%stride;\n");
    auto module = device.load(text);
    if (!module) {
      ADD_FAILURE() << module.error().message();
      return {};
    }
    const std::uint64_t in = upload(std::vector<std::byte>(128));
    const auto done = tryLaunch(*module, "k", oneWarp, in, in);
    return done ? Fault{} : done.error();
  }
};

TEST_F(WmmaFaults, AreNamed) {
  EXPECT_EQ(load("0", "32").what, "");
  const Fault outside = load("0", "64");
  EXPECT_EQ(outside.kind, FaultKind::invalidAddress);
  EXPECT_THAT(outside.instruction, HasSubstr("wmma.load.b"));
  EXPECT_GT(outside.ptx.line, 0u);
  const Fault misaligned = load("2", "32");
  EXPECT_EQ(misaligned.kind, FaultKind::misaligned);
  const Fault stride = load("0", "36");
  EXPECT_EQ(stride.kind, FaultKind::misaligned);
  EXPECT_THAT(stride.what, HasSubstr("36 elements"));
  const Fault different = load("%offset", "32");
  EXPECT_EQ(different.kind, FaultKind::invalidSync);
  EXPECT_THAT(different.what, HasSubstr("name different matrices"));
}

} // namespace
