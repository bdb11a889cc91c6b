// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of wgmma against a product of matrices that are laid out here
// from the definitions of PTX ISA 9.0, section 9.7.15.5.1.

#include "ptx/parser.h"
#include "reference.h"
#include "vgpu/matrix/wgmma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
namespace ptx = tessera::ptx;
using ptx::Type;

namespace {

constexpr std::uint32_t sharedBytes = 128 * 1024;

/// How an operand lies in shared memory.
struct SharedLayout {
  std::uint32_t start = 0;
  unsigned swizzleLog = 0; ///< 0: none, 1: 32, 2: 64, 3: 128 bytes
  bool isTransposed = false;
  std::uint32_t leading = 0, stride = 0; ///< bytes

  /// The canonical layouts in terms of CuTe, in elements: T to 128 bits.
  [[nodiscard]] std::uint32_t byteAddress(Type type, std::uint32_t row,
                                          std::uint32_t k) const {
    const std::uint32_t bits = bitsOf(type), t = 128 / bits;
    const std::uint32_t atom = 1u << swizzleLog;
    std::uint64_t offset; // bits
    if (!isTransposed && swizzleLog == 0)
      // ((8,m),(T,2k)):((1T,SBO),(1,LBO))
      offset = std::uint64_t(row % 8) * t * bits + row / 8 * stride * 8ull +
               k % t * bits + k / t * leading * 8ull;
    else if (!isTransposed)
      // ((8,m),(T,2k)):((atom T,SBO),(1,T))
      offset = std::uint64_t(row % 8) * atom * t * bits +
               row / 8 * stride * 8ull + k * bits;
    else if (swizzleLog == 0)
      // ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))
      offset = std::uint64_t(row % t) * bits + row / t * stride * 8ull +
               k % 8 * t * bits + k / 8 * leading * 8ull;
    else
      // ((T,atom,m),(8,k)):((1,T,LBO),(atom T,SBO))
      offset = std::uint64_t(row % t) * bits + row / t % atom * t * bits +
               row / (t * atom) * leading * 8ull +
               std::uint64_t(k % 8) * atom * t * bits + k / 8 * stride * 8ull;
    // Swizzle<B,4,3>
    const std::uint32_t address = start + std::uint32_t(offset / 8);
    const std::uint32_t source = ((1u << swizzleLog) - 1) << 7;
    return address ^ (address & source) >> 3;
  }
  [[nodiscard]] std::uint64_t descriptor() const {
    constexpr std::uint64_t modes[] = {0, 3, 2, 1};
    const auto encode = [](std::uint64_t x) { return (x & 0x3ffff) >> 4; };
    return encode(start) | encode(leading) << 16 | encode(stride) << 32 |
           modes[swizzleLog] << 62;
  }
};

/// A packed layout of `rows` by `k` elements that begins at `start`.
SharedLayout packed(Type type, std::uint32_t k, std::uint32_t rows,
                    std::uint32_t start, unsigned swizzleLog,
                    bool isTransposed) {
  SharedLayout layout{start, swizzleLog, isTransposed, 0, 0};
  const std::uint32_t atomBytes = 128u << swizzleLog; // eight rows, or k
  if (!isTransposed && swizzleLog == 0) {
    layout.leading = 128;
    layout.stride = 128 * (k * bitsOf(type) / 128);
  } else if (!isTransposed) {
    layout.stride = atomBytes;
  } else if (swizzleLog == 0) {
    layout.stride = 128;
    layout.leading = 128 * (rows / 8);
  } else {
    layout.leading = atomBytes;
    layout.stride =
        atomBytes * ((rows + (8u << swizzleLog) - 1) / (8u << swizzleLog));
  }
  return layout;
}

struct Shared {
  std::vector<std::byte> bytes = std::vector<std::byte>(sharedBytes);

  /// Stores a matrix whose rows run along m or n.
  void store(const Matrix &matrix, const SharedLayout &layout) {
    for (std::uint32_t row = 0; row < matrix.rows; ++row)
      for (std::uint32_t k = 0; k < matrix.columns; ++k) {
        const std::uint32_t width = bitsOf(matrix.type);
        const std::uint32_t address = layout.byteAddress(matrix.type, row, k);
        const std::uint64_t bits = matrix.at(row, k);
        if (width >= 8)
          std::memcpy(&bytes[address], &bits, width / 8);
        else
          bytes[address] |= std::byte(bits << (k * width % 8));
      }
  }
  [[nodiscard]] SharedReader reader() const {
    return [this](std::uint64_t address, std::uint32_t count) {
      EXPECT_EQ(address % 16, 0u);
      return address + count <= sharedBytes ? &bytes[address] : nullptr;
    };
  }
};

struct Case {
  std::string types; ///< as in the mnemonic
  Type a{}, b{}, d{};
  std::uint32_t k = 0;
  std::string tail; ///< suffixes after the types
};

const std::vector<Case> &cases() {
  static const std::vector<Case> all = {
      {"f32.f16.f16", Type::f16, Type::f16, Type::f32, 16, ""},
      {"f16.f16.f16", Type::f16, Type::f16, Type::f16, 16, ""},
      {"f32.bf16.bf16", Type::bf16, Type::bf16, Type::f32, 16, ""},
      {"f32.tf32.tf32", Type::tf32, Type::tf32, Type::f32, 8, ""},
      {"f32.e4m3.e5m2", Type::e4m3, Type::e5m2, Type::f32, 32, ""},
      {"f16.e5m2.e4m3", Type::e5m2, Type::e4m3, Type::f16, 32, ""},
      {"s32.u8.s8", Type::u8, Type::s8, Type::s32, 32, ""},
      {"s32.s8.u8", Type::s8, Type::u8, Type::s32, 32, ""},
      {"s32.b1.b1", Type::b1, Type::b1, Type::s32, 256, ".and.popc"},
  };
  return all;
}

/// One instruction: its shape, how its operands lie, its immediates.
struct Setup {
  std::uint32_t n = 8;
  unsigned swizzleLog = 0;
  bool aInRegisters = false, transposeA = false, transposeB = false;
  int scaleA = 1, scaleB = 1;
  bool scaleD = true;
};

std::string registerList(const std::string &name, std::uint32_t count) {
  std::string text = "{";
  for (std::uint32_t i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + name + std::to_string(i);
  return text + "}";
}

std::string moduleText(const Case &c, const Setup &setup) {
  const std::uint32_t registers = setup.n * bitsOf(c.d) / 64;
  std::string text = ".version 8.4\n.target sm_90a\n.address_size 64\n"
                     ".visible .entry k() {\n"
                     ".reg .b32 %a<4>; .reg .b64 %rd<2>; .reg .pred %p;\n"
                     ".reg ." +
                     std::string(c.d == Type::f32   ? "f32"
                                 : c.d == Type::s32 ? "s32"
                                                    : "b32") +
                     " %d<" + std::to_string(registers) + ">;\n";
  text += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(setup.n) + "k" +
          std::to_string(c.k) + "." + c.types + c.tail + " " +
          registerList("d", registers) + ", " +
          (setup.aInRegisters ? registerList("a", 4) : "%rd0") + ", %rd1, %p";
  if (c.d != Type::s32)
    text += ", " + std::to_string(setup.scaleA) + ", " +
            std::to_string(setup.scaleB);
  if (bitsOf(c.a) == 16) {
    if (!setup.aInRegisters)
      text += setup.transposeA ? ", 1" : ", 0";
    text += setup.transposeB ? ", 1" : ", 0";
  }
  return text + ";\nret;\n}\n";
}

/// The place of element `i` of a lane's D, from the figures: its row counts
/// from the first of the warpgroup.
std::array<std::uint32_t, 2> placeOfD(std::uint32_t warp, std::uint32_t lane,
                                      std::uint32_t i) {
  const std::uint32_t row = 16 * warp + lane / 4 + (i & 2 ? 8 : 0);
  return {row, i / 4 * 8 + lane % 4 * 2 + (i & 1)};
}

/// The place of element `i` of a lane's A in registers, from the figures.
std::array<std::uint32_t, 2> placeOfA(std::uint32_t packing, std::uint32_t warp,
                                      std::uint32_t lane, std::uint32_t i) {
  const std::uint32_t reg = i / packing;
  const std::uint32_t row = 16 * warp + lane / 4 + (reg & 1 ? 8 : 0);
  return {row, lane % 4 * packing + i % packing + (reg & 2 ? 4 * packing : 0)};
}

class Wgmma {
public:
  Wgmma(const Case &c, const Setup &setup)
      : c(c), setup(setup), a(c.a, 64, c.k, random),
        b(c.b, setup.n, c.k, random), d(c.d, 64, setup.n, random) {}

  void check() {
    auto module = ptx::parse(moduleText(c, setup));
    ASSERT_TRUE(module) << moduleText(c, setup)
                        << module.error().front().message;
    const ptx::Function &function = module->functions.front();
    const auto form = decodeWgmma(function, function.instructions.front());
    ASSERT_TRUE(form) << form.error();
    const SharedLayout layoutA =
        packed(c.a, c.k, 64, 2048, setup.swizzleLog, setup.transposeA);
    const SharedLayout layoutB =
        packed(c.b, c.k, setup.n, 65536, setup.swizzleLog, setup.transposeB);
    shared.store(a, layoutA);
    shared.store(b, layoutB);
    WgmmaMatrix right;
    ASSERT_TRUE(
        readWgmmaB(*form, layoutB.descriptor(), shared.reader(), right));
    for (std::uint32_t warp = 0; warp < 4; ++warp)
      checkWarp(*form, warp, layoutA.descriptor(), right);
  }

private:
  using Registers = std::vector<std::array<std::uint32_t, 32>>;

  template <class PlaceOf>
  static Registers fill(const Matrix &matrix, std::uint32_t count,
                        PlaceOf placeOf) {
    Registers registers(count);
    const std::uint32_t width = bitsOf(matrix.type), packing = 32 / width;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      for (std::uint32_t i = 0; i < count * packing; ++i) {
        const auto [row, column] = placeOf(lane, i);
        registers[i / packing][lane] |= std::uint32_t(matrix.at(row, column))
                                        << i % packing * width;
      }
    return registers;
  }

  void checkWarp(const WgmmaForm &form, std::uint32_t warp,
                 std::uint64_t descriptor, const WgmmaMatrix &right) {
    WgmmaMatrix left;
    if (setup.aInRegisters) {
      const std::uint32_t packing = 32 / bitsOf(c.a);
      const Registers registers =
          fill(a, 4, [&](std::uint32_t lane, std::uint32_t i) {
            return placeOfA(packing, warp, lane, i);
          });
      std::vector<const std::uint32_t *> pointers;
      for (const auto &reg : registers)
        pointers.push_back(reg.data());
      takeWgmmaA(form, pointers, left);
    } else {
      ASSERT_TRUE(readWgmmaA(form, descriptor, warp, shared.reader(), left));
    }
    Registers results =
        fill(d, form.d.registers, [&](std::uint32_t lane, std::uint32_t i) {
          return placeOfD(warp, lane, i);
        });
    std::vector<std::uint32_t *> pointers;
    for (auto &reg : results)
      pointers.push_back(reg.data());
    multiplyWgmma(form, left, right, setup.scaleD, pointers);
    compare(warp, results);
  }

  void compare(std::uint32_t warp, const Registers &results) const {
    const std::uint32_t width = bitsOf(c.d), packing = 32 / width;
    const MatrixSum sum = wgmmaSum({16, setup.n, c.k}, c.a, c.b, c.d);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      for (std::uint32_t i = 0; i < results.size() * packing; ++i) {
        const auto [row, column] = placeOfD(warp, lane, i);
        Expected expected{.value = setup.scaleD ? d.value(row, column) : 0};
        expected.largest = std::fabs(expected.value);
        for (std::uint32_t k = 0; k < c.k; ++k) {
          const double product = setup.scaleA * setup.scaleB * a.value(row, k) *
                                 b.value(column, k);
          expected.value += product;
          expected.largest = std::max(expected.largest, std::fabs(product));
        }
        const double got =
            valueOf(c.d, results[i / packing][lane] >> i % packing * width);
        ASSERT_TRUE(isWithin(sum, c.k, c.d, expected, got))
            << c.types << " n" << setup.n << " row " << row << " column "
            << column << ": " << got << " instead of " << expected.value;
      }
  }

  Random random{7};
  Case c;
  Setup setup;
  Matrix a, b, d;
  Shared shared;
};

TEST(Wgmma, EveryTypeAndSwizzle) {
  for (const Case &c : cases())
    for (unsigned swizzle = 0; swizzle < 4; ++swizzle)
      Wgmma(c, {.n = 32, .swizzleLog = swizzle}).check();
}

TEST(Wgmma, EveryTypeWithAInRegisters) {
  for (const Case &c : cases())
    Wgmma(c, {.n = 16, .swizzleLog = 3, .aInRegisters = true}).check();
}

TEST(Wgmma, TheWidestAndTheNarrowest) {
  for (const Case &c : cases())
    for (const std::uint32_t n : {8u, 256u})
      Wgmma(c, {.n = n, .swizzleLog = 3}).check();
}

TEST(Wgmma, TransposedOperands) {
  for (const Case &c : cases()) {
    if (bitsOf(c.a) != 16)
      continue;
    for (unsigned swizzle = 0; swizzle < 4; ++swizzle)
      for (unsigned which = 1; which < 4; ++which)
        Wgmma(c, {.n = 192,
                  .swizzleLog = swizzle,
                  .transposeA = (which & 1) != 0,
                  .transposeB = (which & 2) != 0})
            .check();
    Wgmma(c,
          {.n = 64, .swizzleLog = 2, .aInRegisters = true, .transposeB = true})
        .check();
  }
}

TEST(Wgmma, ScalesOfTheOperands) {
  for (const Case &c : cases()) {
    if (c.d == Type::s32)
      continue;
    Wgmma(c, {.scaleA = -1}).check();
    Wgmma(c, {.aInRegisters = true, .scaleA = -1, .scaleB = -1}).check();
    Wgmma(c, {.scaleB = -1, .scaleD = false}).check();
  }
}

TEST(Wgmma, AddressesInsideOfASwizzlePattern) {
  // The second k step of a 128-byte row begins 32 bytes on.
  Random random{3};
  const Matrix whole(Type::f16, 64, 64, random);
  Shared shared;
  const SharedLayout layout = packed(Type::f16, 64, 64, 4096, 3, false);
  shared.store(whole, layout);
  auto module = ptx::parse(moduleText(cases()[0], {}));
  ASSERT_TRUE(module);
  const ptx::Function &function = module->functions.front();
  const auto form = decodeWgmma(function, function.instructions.front());
  ASSERT_TRUE(form);
  for (std::uint32_t step = 0; step < 4; ++step) {
    WgmmaMatrix a;
    ASSERT_TRUE(readWgmmaA(*form, layout.descriptor() + 2 * step, 3,
                           shared.reader(), a));
    for (std::uint32_t row = 0; row < 16; ++row)
      for (std::uint32_t k = 0; k < 16; ++k)
        ASSERT_EQ(a.values[row * 16 + k], whole.value(48 + row, 16 * step + k));
  }
}

TEST(Wgmma, PatternsThatDoNotBeginAtTheirBoundary) {
  // The pattern begins 384 bytes after a multiple of 1024.
  Random random{4};
  const Matrix rows(Type::f16, 64, 16, random);
  SharedLayout aligned = packed(Type::f16, 16, 64, 4096, 3, false);
  Shared shared, moved;
  shared.store(rows, aligned);
  std::copy(shared.bytes.begin() + 4096, shared.bytes.begin() + 4096 + 8192,
            moved.bytes.begin() + 4096 + 384);
  auto module = ptx::parse(moduleText(cases()[0], {}));
  ASSERT_TRUE(module);
  const ptx::Function &function = module->functions.front();
  const auto form = decodeWgmma(function, function.instructions.front());
  ASSERT_TRUE(form);
  aligned.start += 384;
  WgmmaMatrix a;
  ASSERT_TRUE(readWgmmaA(*form, aligned.descriptor() | std::uint64_t(3) << 49,
                         0, moved.reader(), a));
  for (std::uint32_t i = 0; i < 256; ++i)
    ASSERT_EQ(a.values[i], rows.value(i / 16, i % 16)) << i;
}

TEST(Wgmma, AReaderThatFailsEndsTheRead) {
  auto module = ptx::parse(moduleText(cases()[0], {}));
  ASSERT_TRUE(module);
  const ptx::Function &function = module->functions.front();
  const auto form = decodeWgmma(function, function.instructions.front());
  ASSERT_TRUE(form);
  unsigned calls = 0;
  const SharedReader failing = [&](std::uint64_t, std::uint32_t) {
    ++calls;
    return static_cast<const std::byte *>(nullptr);
  };
  WgmmaMatrix matrix;
  EXPECT_FALSE(readWgmmaA(*form, 0, 0, failing, matrix));
  EXPECT_EQ(calls, 1u);
  EXPECT_FALSE(readWgmmaB(*form, 0, failing, matrix));
  EXPECT_EQ(calls, 2u);
}

TEST(Wgmma, IntegersWrapOrSaturate) {
  for (const bool saturates : {false, true}) {
    Case c = cases()[6];
    std::string text = moduleText(c, {.aInRegisters = true});
    if (saturates)
      text.replace(text.find(".s32.u8"), 7, ".satfinite.s32.u8");
    auto module = ptx::parse(text);
    ASSERT_TRUE(module) << module.error().front().message;
    const ptx::Function &function = module->functions.front();
    const auto form = decodeWgmma(function, function.instructions.front());
    ASSERT_TRUE(form);
    std::array<std::uint32_t, 32> ones;
    ones.fill(0x01010101);
    const std::vector<const std::uint32_t *> left(4, ones.data());
    WgmmaMatrix a, b{std::vector<double>(32 * 8, 1.0)};
    takeWgmmaA(*form, left, a);
    std::array<std::array<std::uint32_t, 32>, 4> d;
    std::vector<std::uint32_t *> pointers;
    for (auto &reg : d) {
      reg.fill(0x7ffffff0);
      pointers.push_back(reg.data());
    }
    multiplyWgmma(*form, a, b, true, pointers);
    EXPECT_EQ(d[0][0], saturates ? 0x7fffffffu : 0x80000010u);
  }
}

TEST(Wgmma, WrongOperandsAreNamed) {
  const auto errorOf = [](std::string text) {
    auto module = ptx::parse(text);
    if (!module)
      return module.error().front().message;
    const ptx::Function &function = module->functions.front();
    const auto form = decodeWgmma(function, function.instructions.front());
    return form ? std::string() : form.error();
  };
  const Case &c = cases()[0];
  EXPECT_EQ(errorOf(moduleText(c, {.scaleA = 2})),
            "imm-scale-a and imm-scale-b must be 1 or -1");
  std::string text = moduleText(c, {});
  text.replace(text.find(", 0, 0;"), 7, ", 0, 3;");
  EXPECT_EQ(errorOf(text), "imm-trans-a and imm-trans-b must be 0 or 1");
  text = moduleText(c, {});
  text.replace(text.find("%d0, %d1, "), 10, "%d0, ");
  EXPECT_EQ(errorOf(text), "D has 4 registers in each lane");
  text = moduleText(c, {.aInRegisters = true});
  text.replace(text.find("%a0, %a1, "), 10, "%a0, ");
  EXPECT_EQ(errorOf(text), "A has 4 registers in each lane");
}

} // namespace
