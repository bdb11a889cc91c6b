// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lane and register of a warp holds which element of a matrix: PTX ISA
// 9.0, section 9.7.14.5 ("Matrix multiply-accumulate operation using mma
// instruction") and 9.7.15.5.1.1 for wgmma. Everything here is constexpr and
// has no state.
//
// The elements that a lane holds are counted across its registers, in operand
// order, and from the low bits of each register.
//
// All layouts but one are built from one block: a register of a lane holds the
// neighbours that fill 32 bits, four lanes hold a row of a block side by side,
// and eight such quads hold its eight rows. The exception is `.m8n8k4` of
// `.f16`, see `quadPairA`.

#ifndef TESSERA_PTX_SEMANTICS_FRAGMENTS_H
#define TESSERA_PTX_SEMANTICS_FRAGMENTS_H

#include "ptx/instructions.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tessera::ptx {

/// The extents of D = A * B + C, in elements: A is m by k, B is k by n, C and D
/// are m by n.
struct MatrixShape {
  std::uint32_t m = 0, n = 0, k = 0;
  explicit constexpr operator bool() const { return m != 0; }
  friend constexpr bool operator==(MatrixShape, MatrixShape) = default;
};

namespace detail {

/// Reads "m16n8k16" or "m8n8"; empty when the text is no shape.
constexpr MatrixShape readShape(std::string_view text) {
  std::array<std::uint32_t, 3> extents{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (at == text.size() && i == 2)
      break;
    if (at == text.size() || text[at] != "mnk"[i])
      return {};
    const std::size_t first = ++at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      extents[i] = extents[i] * 10 + std::uint32_t(text[at] - '0');
    if (at == first)
      return {};
  }
  if (at != text.size())
    return {};
  return {extents[0], extents[1], extents[2]};
}

inline constexpr MatrixShape shapes[] = {
    {}, // Modifier::none
#define PTX_TYPE(NAME, SPELLING, BITS, CLASS) {},
#include "ptx/types.def"
#define PTX_MODIFIER(NAME, SPELLING, GROUP) readShape(SPELLING),
#include "ptx/modifiers.def"
};

} // namespace detail

/// The shape that a modifier such as `.m16n8k16` names; k is 0 where it names
/// none (`.m8n8`). Empty for other modifiers.
constexpr MatrixShape matrixShape(Modifier modifier) {
  return detail::shapes[std::size_t(modifier)];
}

/// A place in a matrix.
struct MatrixPlace {
  std::uint32_t row = 0, column = 0;
  friend constexpr bool operator==(MatrixPlace, MatrixPlace) = default;
};

namespace detail {
/// Elements of `bits` bits in one register.
constexpr std::uint32_t packing(std::uint32_t bits) {
  return bits < 32 ? 32 / bits : 1;
}
} // namespace detail

/// A of `mma` and of `wgmma` (where m is 16: the rows of one warp). Blocks of
/// eight rows come first, then 16 rows, then along k; m is 8 or a multiple of
/// 16.
constexpr MatrixPlace fragmentA(MatrixShape shape, std::uint32_t bits,
                                std::uint32_t lane, std::uint32_t index) {
  const std::uint32_t width = detail::packing(bits);
  const std::uint32_t blocks = shape.k / (4 * width);
  const std::uint32_t rowBlocks = shape.m < 16 ? 1 : 2;
  const std::uint32_t reg = index / width;
  const std::uint32_t tile = reg / (rowBlocks * blocks);
  const std::uint32_t block = reg % (rowBlocks * blocks);
  return {tile * 16 + block % rowBlocks * 8 + lane / 4,
          (block / rowBlocks * 4 + lane % 4) * width + index % width};
}

/// B of `mma`: along k first, then eight columns at a time.
constexpr MatrixPlace fragmentB(MatrixShape shape, std::uint32_t bits,
                                std::uint32_t lane, std::uint32_t index) {
  const std::uint32_t width = detail::packing(bits);
  const std::uint32_t blocks = shape.k / (4 * width);
  const std::uint32_t reg = index / width;
  return {(reg % blocks * 4 + lane % 4) * width + index % width,
          reg / blocks * 8 + lane / 4};
}

/// C and D of `mma` and of `wgmma` (where m is 16: the rows of one warp), of
/// any type: pairs of neighbours, then the second eight rows, then eight
/// columns at a time; m is 8 or a multiple of 16.
constexpr MatrixPlace fragmentC(MatrixShape shape, std::uint32_t lane,
                                std::uint32_t index) {
  const std::uint32_t rowBlocks = shape.m < 16 ? 1 : 2;
  const std::uint32_t pair = index / 2;
  const std::uint32_t tile = pair / rowBlocks;
  const std::uint32_t columnBlocks = shape.n / 8;
  return {tile / columnBlocks * 16 + pair % rowBlocks * 8 + lane / 4,
          tile % columnBlocks * 8 + lane % 4 * 2 + index % 2};
}

/// `mma.m8n8k4` of `.f16` computes four products at once, one by each quad
/// pair: lanes 4q to 4q+3 and 16 above them. This is the pair of a lane.
constexpr std::uint32_t quadPair(std::uint32_t lane) { return lane % 16 / 4; }

namespace detail {
/// Counts the eight lanes of a quad pair.
constexpr std::uint32_t laneOfPair(std::uint32_t lane) {
  return lane % 4 + (lane < 16 ? 0 : 4);
}
} // namespace detail

/// A of `mma.m8n8k4` of `.f16`, by its layout: 8 by 4, four elements a lane.
constexpr MatrixPlace quadPairA(bool isRowMajor, std::uint32_t lane,
                                std::uint32_t index) {
  if (isRowMajor)
    return {detail::laneOfPair(lane), index};
  return {index + (lane < 16 ? 0 : 4), lane % 4};
}

/// B of `mma.m8n8k4` of `.f16`, by its layout: 4 by 8, four elements a lane.
constexpr MatrixPlace quadPairB(bool isRowMajor, std::uint32_t lane,
                                std::uint32_t index) {
  if (isRowMajor)
    return {lane % 4, index + (lane < 16 ? 0 : 4)};
  return {index, detail::laneOfPair(lane)};
}

/// C and D of `mma.m8n8k4` of `.f16`: 8 by 8, eight elements a lane, of `.f16`
/// or (`isWide`) of `.f32`.
constexpr MatrixPlace quadPairC(bool isWide, std::uint32_t lane,
                                std::uint32_t index) {
  if (!isWide)
    return {detail::laneOfPair(lane), index};
  return {(lane & 1) + (index & 2) + (lane < 16 ? 0 : 4),
          (index & 4) + (lane & 2) + (index & 1)};
}

//===----------------------------------------------------------------------===//
// wmma: the manual leaves these layouts open. They are those of the `mma`
// instructions that a wmma is made of: PTX ISA 9.0, section 9.7.14.3.
//===----------------------------------------------------------------------===//

namespace detail {
/// `.m8n32k16` is `.m32n8k16` with A and B exchanged.
constexpr bool isExchanged(MatrixShape shape) {
  return shape.m == 8 && shape.n == 32;
}
constexpr MatrixShape exchanged(MatrixShape shape) {
  return {shape.n, shape.m, shape.k};
}
constexpr MatrixPlace transposed(MatrixPlace place) {
  return {place.column, place.row};
}
} // namespace detail

/// Elements of A or B in the registers of each lane: `.f16` fragments are as
/// large as the largest of the three shapes needs; then elements repeat.
constexpr std::uint32_t wmmaElements(bool isF16, std::uint32_t rows,
                                     std::uint32_t columns) {
  return isF16 ? 16 : rows * columns / 32;
}

/// A of `wmma`.
constexpr MatrixPlace wmmaA(MatrixShape shape, std::uint32_t bits,
                            std::uint32_t lane, std::uint32_t index) {
  index %= shape.m * shape.k / 32;
  return detail::isExchanged(shape)
             ? detail::transposed(
                   fragmentB(detail::exchanged(shape), bits, lane, index))
             : fragmentA(shape, bits, lane, index);
}

/// B of `wmma`.
constexpr MatrixPlace wmmaB(MatrixShape shape, std::uint32_t bits,
                            std::uint32_t lane, std::uint32_t index) {
  index %= shape.k * shape.n / 32;
  return detail::isExchanged(shape)
             ? detail::transposed(
                   fragmentA(detail::exchanged(shape), bits, lane, index))
             : fragmentB(shape, bits, lane, index);
}

/// C and D of `wmma`.
constexpr MatrixPlace wmmaC(MatrixShape shape, std::uint32_t lane,
                            std::uint32_t index) {
  return detail::isExchanged(shape)
             ? detail::transposed(
                   fragmentC(detail::exchanged(shape), lane, index))
             : fragmentC(shape, lane, index);
}

} // namespace tessera::ptx

#endif // TESSERA_PTX_SEMANTICS_FRAGMENTS_H
