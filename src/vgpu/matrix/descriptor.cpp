// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/descriptor.h"

using namespace tessera::vgpu;

namespace {
constexpr std::uint32_t chunkBytes = 16;
/// Rows, or places along k, of a swizzle atom.
constexpr std::uint32_t atomRows = 8;
/// Descriptors hold 18-bit numbers without their low four bits.
constexpr std::uint32_t addressMask = 0x3ffff;

std::uint32_t bytesField(std::uint64_t bits, unsigned at) {
  return std::uint32_t(bits >> at & 0x3fff) * chunkBytes;
}
} // namespace

MatrixDescriptor MatrixDescriptor::decode(std::uint64_t bits) {
  constexpr std::uint32_t widths[] = {16, 128, 64, 32};
  return {.start = bytesField(bits, 0),
          .leadingOffset = bytesField(bits, 16),
          .strideOffset = bytesField(bits, 32),
          .baseOffset = std::uint32_t(bits >> 49 & 7),
          .swizzleBytes = widths[bits >> 62]};
}

std::uint32_t MatrixDescriptor::swizzled(std::uint32_t offset) const {
  const std::uint32_t address = (start + offset) & addressMask;
  // Lines of 128 bytes count from where the pattern begins.
  const std::uint32_t line = (address / 128 - baseOffset) % atomRows;
  return address ^ (line % (swizzleBytes / chunkBytes)) * chunkBytes;
}

std::uint32_t MatrixDescriptor::chunkAlongK(std::uint32_t row,
                                            std::uint32_t chunk) const {
  const std::uint32_t perAtom = swizzleBytes / chunkBytes;
  return swizzled(row % atomRows * swizzleBytes +
                  row / atomRows * strideOffset + chunk % perAtom * chunkBytes +
                  chunk / perAtom * leadingOffset);
}

std::uint32_t MatrixDescriptor::chunkAcrossK(std::uint32_t chunk,
                                             std::uint32_t k) const {
  const std::uint32_t perAtom = swizzleBytes / chunkBytes;
  const bool isSwizzled = perAtom > 1;
  const std::uint32_t nextAtom = isSwizzled ? leadingOffset : strideOffset;
  const std::uint32_t nextRows = isSwizzled ? strideOffset : leadingOffset;
  return swizzled(chunk % perAtom * chunkBytes + chunk / perAtom * nextAtom +
                  k % atomRows * swizzleBytes + k / atomRows * nextRows);
}
