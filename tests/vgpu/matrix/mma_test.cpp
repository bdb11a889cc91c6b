// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form of mma against reference.h.

#include "../harness.h"
#include "reference.h"

#include <cmath>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using tessera::ptx::Type;

namespace {

constexpr LaunchConfig oneWarp{.grid = {1, 1, 1}, .block = {32, 1, 1}};

class Mma : public VgpuTest {
protected:
  /// Registers that `next` gives the elements of.
  template <class Next> static Words inputs(const MmaCase &mma, Next next) {
    Words words(32 * mma.inputWords());
    std::span<std::uint32_t> rest = words;
    for (const RegisterMatrix *matrix : {&mma.a, &mma.b, &mma.c}) {
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t i = 0; i < matrix->elements; ++i)
          setElement(*matrix, rest, lane, i, next(matrix->type));
      rest = rest.subspan(32 * matrix->words());
    }
    return words;
  }

  Words runCase(const MmaCase &mma, const Words &in) {
    auto module = device.load(moduleHead() + mma.entry);
    if (!module) {
      ADD_FAILURE() << mma.mnemonic << ": " << module.error().message();
      return {};
    }
    const std::uint64_t from = upload(in);
    const std::uint64_t to = upload(Words(32 * mma.d.words()));
    launch(*module, mma.kernel, oneWarp, from, to);
    return download<std::uint32_t>(to, 32 * mma.d.words());
  }

  void check(const MmaCase &mma, const Words &in) {
    const Words out = runCase(mma, in);
    if (out.empty())
      return;
    const std::vector<Expected> wanted = expectedOf(mma, in);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      for (std::uint32_t i = 0; i < mma.d.elements; ++i) {
        const Expected &expected = wanted[lane * mma.d.elements + i];
        const double got = valueOf(mma.d.type, elementAt(mma.d, out, lane, i));
        ASSERT_TRUE(isWithin(mma, expected, got))
            << mma.mnemonic << " lane " << lane << " element " << i << ": "
            << got << " instead of " << expected.value;
      }
  }
};

TEST_F(Mma, EveryFormOnRandomMatrices) {
  Random random(1);
  for (const MmaCase &mma : mmaCases())
    for (int round = 0; round < 3; ++round)
      check(mma, inputs(mma, [&](Type type) {
              return randomElement(type, random);
            }));
}

TEST_F(Mma, SpecialValues) {
  Random random(2);
  for (const MmaCase &mma : mmaCases())
    for (int round = 0; round < 8; ++round)
      check(mma, inputs(mma, [&](Type type) {
              // Mostly zeros: one special value would spoil a whole row.
              const auto special = specialElements(type);
              return random() % 4 == 0 ? special[random() % special.size()]
                                       : std::uint64_t(0);
            }));
}

TEST_F(Mma, NaNsAreCanonical) {
  for (const MmaCase &mma : mmaCases()) {
    if (mma.d.type != Type::f32 && mma.d.type != Type::f16)
      continue;
    const Words out = runCase(mma, Words(32 * mma.inputWords(), 0xffffffff));
    for (const std::uint32_t word : out)
      ASSERT_EQ(word, mma.d.type == Type::f32 ? 0x7fffffffu : 0x7fff7fffu)
          << mma.mnemonic;
  }
}

} // namespace
