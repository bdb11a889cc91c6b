// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma.mma_async: PTX ISA 9.0, section 9.7.15. A warpgroup fills two tiles of
// shared memory, one for A and one for B, and multiplies them once.

#include "form-builder.h"

#include <cstdint>

namespace tessera::conformance {

namespace {

using ptx::Type;

/// Types as in the mnemonic.
struct Types {
  Type d, a, b;
  unsigned k = 0;
  std::string_view flag; ///< before the types
  std::string_view tail; ///< after them
};

/// How the operands lie, and the immediates.
struct Setup {
  unsigned n = 64;
  unsigned swizzleBytes = 16; ///< 16: none
  bool aInRegisters = false, transposeA = false, transposeB = false;
  int scaleA = 1, scaleB = 1, scaleD = 1;
  unsigned startBytes = 0; ///< of A, from the start of its tile
  unsigned baseOffset = 0; ///< of A
  std::string note = {};
};

constexpr unsigned tileBytes = 10 * 1024; ///< of A, and of B

/// Descriptor bits but for the address; a transposed operand is 64 elements of
/// 16 bits wide.
std::uint64_t descriptorBits(const Setup &setup, bool isTransposed) {
  bool isSwizzled = setup.swizzleBytes > 16;
  std::uint64_t leading = 128, stride = 256;
  if (isTransposed) {
    leading = isSwizzled ? 8 * setup.swizzleBytes : 1024;
    stride = isSwizzled ? 1024 : 128;
  } else if (isSwizzled) {
    leading = 16;
    stride = 8 * setup.swizzleBytes;
  }
  std::uint64_t mode = setup.swizzleBytes == 128  ? 1
                       : setup.swizzleBytes == 64 ? 2
                       : setup.swizzleBytes == 32 ? 3
                                                  : 0;
  return leading / 16 << 16 | stride / 16 << 32 | mode << 62;
}

class WgmmaForm {
public:
  WgmmaForm(std::vector<Form> &forms, const Types &types, const Setup &setup)
      : types(types), setup(setup),
        builder(forms, dotted({"wgmma.mma_async.sync.aligned",
                               "m64n" + std::to_string(setup.n) + "k" +
                                   std::to_string(types.k),
                               types.flag, ptx::spelling(types.d),
                               ptx::spelling(types.a), ptx::spelling(types.b),
                               types.tail})) {}

  void add() {
    builder.line(".shared .align 1024 .b8 tiles[" +
                 std::to_string(2 * tileBytes) + "];");
    builder.line(
        ".reg .b32 tile, slot; .reg .b64 adesc, bdesc; .reg .pred sd;");
    fillTiles();
    describe("adesc", setup.startBytes,
             descriptorBits(setup, setup.transposeA) |
                 std::uint64_t(setup.baseOffset) << 49);
    describe("bdesc", tileBytes, descriptorBits(setup, setup.transposeB));
    builder.line("setp.ne.s32 sd, " + std::to_string(setup.scaleD) + ", 0;");
    multiply();
    builder.line("wgmma.commit_group.sync.aligned;");
    builder.line("wgmma.wait_group.sync.aligned 0;");
    if (types.d == Type::s32 && types.a != types.b)
      builder.needsVersion(84);
    builder.finish(setup.note);
  }

private:
  /// Every 16-byte slot of the tiles gets the words of some thread; neighbours
  /// are of different warps, which have different kinds of numbers.
  void fillTiles() {
    for (unsigned which = 0; which < 2; ++which) {
      std::string words[4];
      for (std::string &word : words)
        word = builder.element(Type::b32, which == 0 ? types.a : types.b);
      builder.line("and.b32 slot, thread, 31;")
          .line("shl.b32 slot, slot, 2;")
          .line("shr.u32 tile, thread, 5;")
          .line("add.u32 slot, slot, tile;")
          .line("shl.b32 slot, slot, 4;")
          .line("mov.u32 tile, tiles;")
          .line("add.u32 slot, slot, tile;");
      for (unsigned i = 0; i < tileBytes / 2048; ++i)
        builder.line("st.shared.v4.b32 [slot+" +
                     std::to_string(which * tileBytes + i * 2048) + "], {" +
                     words[i % 4] + ", " + words[(i + 1) % 4] + ", " +
                     words[(i + 2) % 4] + ", " + words[(i + 3) % 4] + "};");
    }
    builder.line("fence.proxy.async;").line("bar.sync 0;");
  }

  void describe(const std::string &name, unsigned offset, std::uint64_t bits) {
    builder.line("mov.u32 tile, tiles;")
        .line("add.u32 tile, tile, " + std::to_string(offset) + ";")
        .line("shr.u32 tile, tile, 4;")
        .line("and.b32 tile, tile, 0x3fff;")
        .line("cvt.u64.u32 " + name + ", tile;")
        .line("or.b64 " + name + ", " + name + ", " + std::to_string(bits) +
              ";");
  }

  void multiply() {
    Type reg = types.d == Type::f16 ? Type::b32 : types.d;
    std::string d;
    for (unsigned i = 0; i < setup.n * ptx::bitWidth(types.d) / 64; ++i) {
      std::string from = builder.element(reg, types.d);
      std::string to = builder.result(reg);
      builder.line("mov.b32 " + to + ", " + from + ";");
      d += (i ? ", " : "{") + to;
    }
    d += "}";
    std::string a =
        setup.aInRegisters ? builder.elements(Type::b32, 4, types.a) : "adesc";
    builder.line("wgmma.fence.sync.aligned;");
    std::string scaleA = std::to_string(setup.scaleA),
                scaleB = std::to_string(setup.scaleB),
                transposeA = setup.transposeA ? "1" : "0",
                transposeB = setup.transposeB ? "1" : "0";
    if (types.d == Type::s32)
      builder.instruction({d, a, "bdesc", "sd"});
    else if (ptx::bitWidth(types.a) != 16)
      builder.instruction({d, a, "bdesc", "sd", scaleA, scaleB});
    else if (setup.aInRegisters)
      builder.instruction({d, a, "bdesc", "sd", scaleA, scaleB, transposeB});
    else
      builder.instruction(
          {d, a, "bdesc", "sd", scaleA, scaleB, transposeA, transposeB});
  }

  Types types;
  Setup setup;
  FormBuilder builder;
};

std::vector<Types> allTypes() {
  std::vector<Types> all = {
      {Type::f32, Type::f16, Type::f16, 16, "", ""},
      {Type::f16, Type::f16, Type::f16, 16, "", ""},
      {Type::f32, Type::bf16, Type::bf16, 16, "", ""},
      {Type::f32, Type::tf32, Type::tf32, 8, "", ""},
      {Type::s32, Type::b1, Type::b1, 256, "", "and.popc"},
  };
  for (Type a : {Type::e4m3, Type::e5m2})
    for (Type b : {Type::e4m3, Type::e5m2})
      for (Type d : {Type::f32, Type::f16})
        all.push_back({d, a, b, 32, "", ""});
  for (Type a : {Type::u8, Type::s8})
    for (Type b : {Type::u8, Type::s8})
      for (std::string_view flag : {"", "satfinite"})
        all.push_back({Type::s32, a, b, 32, flag, ""});
  return all;
}

} // namespace

void addWgmmaForms(std::vector<Form> &forms) {
  const auto add = [&](const Types &types, const Setup &setup) {
    WgmmaForm(forms, types, setup).add();
  };
  for (const Types &types : allTypes()) {
    add(types, {});
    add(types, {.n = 8});
    add(types, {.aInRegisters = true, .note = "A in registers"});
    add(types, {.swizzleBytes = 32, .note = "32-byte swizzle"});
    add(types, {.swizzleBytes = 64, .note = "64-byte swizzle"});
    add(types, {.swizzleBytes = 128, .note = "128-byte swizzle"});
    add(types, {.scaleD = 0, .note = "without D"});
    if (types.d == Type::s32)
      continue;
    add(types, {.scaleA = -1, .note = "-A"});
    add(types, {.aInRegisters = true,
                .scaleA = -1,
                .scaleB = -1,
                .note = "-A in registers, -B"});
    if (ptx::bitWidth(types.a) != 16)
      continue;
    for (unsigned bytes : {16u, 32u, 64u, 128u}) {
      const std::string size = " in rows of " + std::to_string(bytes);
      add(types, {.swizzleBytes = bytes,
                  .transposeA = true,
                  .note = "transposed A" + size});
      add(types, {.swizzleBytes = bytes,
                  .transposeB = true,
                  .note = "transposed B" + size});
      add(types, {.swizzleBytes = bytes,
                  .transposeA = true,
                  .transposeB = true,
                  .note = "both transposed" + size});
    }
  }
  const Types half = allTypes().front();
  for (unsigned n = 16; n <= 256; n += 8)
    add(half, {.n = n, .swizzleBytes = 32, .note = "rows of 32 bytes"});
  for (unsigned step : {1u, 2u, 3u})
    add(half, {.swizzleBytes = 128,
               .startBytes = 32 * step,
               .note = "step " + std::to_string(step)});
  for (unsigned lines : {1u, 3u, 4u, 7u})
    add(half, {.swizzleBytes = 128,
               .startBytes = 128 * lines,
               .baseOffset = lines,
               .note = "base offset " + std::to_string(lines)});
}

} // namespace tessera::conformance
