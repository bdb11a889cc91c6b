// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/async/tensor-map.h"
#include "vgpu/fault.h"
#include "vgpu/text.h"

#include <cstring>
#include <utility>

using namespace tessera::vgpu;

namespace {

/// The 128 bytes.
struct Encoded {
  std::uint32_t mark;
  std::uint8_t type, swizzle, fill, rank;
  std::uint64_t address;
  std::uint64_t sizes[maxTensorRank];
  std::uint64_t strides[maxTensorRank - 1];
  std::uint16_t box[maxTensorRank];
  std::uint8_t elementStrides[maxTensorRank];
  std::uint8_t unused[25];
};
static_assert(sizeof(Encoded) == tensorMapBytes);

constexpr std::uint32_t tensorMark = 0x70616d54; // "Tmap"

constexpr std::uint64_t mostSize = std::uint64_t(1) << 32;
constexpr std::uint64_t mostStride = std::uint64_t(1) << 40;
constexpr std::uint32_t mostBox = 256, mostElementStride = 8;
constexpr std::uint32_t chunkBytes = 16;

} // namespace

std::uint32_t tessera::vgpu::elementBytes(TensorType type) {
  return ptx::byteSize(ptxType(type));
}

tessera::ptx::Type tessera::vgpu::ptxType(TensorType type) {
  switch (type) {
  case TensorType::u8:
    return ptx::Type::u8;
  case TensorType::u16:
    return ptx::Type::u16;
  case TensorType::u32:
    return ptx::Type::u32;
  case TensorType::s32:
    return ptx::Type::s32;
  case TensorType::u64:
    return ptx::Type::u64;
  case TensorType::s64:
    return ptx::Type::s64;
  case TensorType::f16:
    return ptx::Type::f16;
  case TensorType::bf16:
    return ptx::Type::bf16;
  case TensorType::f32:
    return ptx::Type::f32;
  case TensorType::f64:
    return ptx::Type::f64;
  }
  std::unreachable();
}

std::uint64_t tessera::vgpu::nanBits(TensorType type) {
  switch (type) {
  case TensorType::f16:
  case TensorType::bf16:
    return 0x7fff;
  case TensorType::f32:
    return 0x7fffffff;
  case TensorType::f64:
    return 0x7fffffffffffffff;
  default:
    return 0;
  }
}

std::uint32_t tessera::vgpu::swizzleBytes(TensorSwizzle swizzle) {
  return swizzle == TensorSwizzle::none ? 0 : chunkBytes << unsigned(swizzle);
}

std::uint64_t tessera::vgpu::swizzled(std::uint64_t address,
                                      TensorSwizzle swizzle) {
  // As many bits of the chunk's number in 128 bytes as the swizzle has are
  // exclusively-ored with the number of the 128 bytes.
  const std::uint64_t mask = (1u << unsigned(swizzle)) - 1;
  return address ^ (address >> 7 & mask) << 4;
}

std::string tessera::vgpu::findProblem(const TensorMapLayout &layout) {
  const std::uint32_t bytes = elementBytes(layout.type);
  if (layout.rank == 0 || layout.rank > maxTensorRank)
    return concat("a tensor of ", layout.rank, " dimensions: 1 to ",
                  maxTensorRank, " are possible");
  if (layout.address % chunkBytes != 0)
    return concat("a tensor at ", hex(layout.address),
                  ", which is not a multiple of 16");
  for (std::uint32_t i = 0; i < layout.rank; ++i) {
    if (layout.sizes[i] == 0 || layout.sizes[i] > mostSize)
      return concat("dimension ", i, " of a tensor has ", layout.sizes[i],
                    " elements: 1 to 2^32 are possible");
    if (layout.box[i] == 0 || layout.box[i] > mostBox)
      return concat("dimension ", i, " of a box has ", layout.box[i],
                    " elements: 1 to ", mostBox, " are possible");
    if (layout.elementStrides[i] == 0 ||
        layout.elementStrides[i] > mostElementStride)
      return concat("an element stride of ", layout.elementStrides[i],
                    ": 1 to ", mostElementStride, " are possible");
    if (i + 1 < layout.rank && (layout.strides[i] % chunkBytes != 0 ||
                                layout.strides[i] >= mostStride))
      return concat("a stride of ", layout.strides[i],
                    " bytes: it must be a multiple of 16 below 2^40");
  }
  const std::uint32_t inner = layout.box[0] * bytes;
  if (inner % chunkBytes != 0)
    return concat("the innermost dimension of a box takes ", inner,
                  " bytes, which is not a multiple of 16");
  const std::uint32_t span = swizzleBytes(layout.swizzle);
  if (span != 0 && inner > span)
    return concat("the innermost dimension of a box takes ", inner,
                  " bytes, more than its swizzle of ", span);
  if (layout.fill == TensorFill::nan && nanBits(layout.type) == 0)
    return "only floating-point tensors can be filled with NaN";
  return {};
}

void tessera::vgpu::encodeChecked(const TensorMapLayout &layout,
                                  std::span<std::byte, tensorMapBytes> bytes) {
  Encoded encoded{};
  encoded.mark = tensorMark;
  encoded.type = std::uint8_t(layout.type);
  encoded.swizzle = std::uint8_t(layout.swizzle);
  encoded.fill = std::uint8_t(layout.fill);
  encoded.rank = std::uint8_t(layout.rank);
  encoded.address = layout.address;
  for (std::uint32_t i = 0; i < layout.rank; ++i) {
    encoded.sizes[i] = layout.sizes[i];
    if (i + 1 < layout.rank)
      encoded.strides[i] = layout.strides[i];
    encoded.box[i] = std::uint16_t(layout.box[i]);
    encoded.elementStrides[i] = std::uint8_t(layout.elementStrides[i]);
  }
  std::memcpy(bytes.data(), &encoded, sizeof(encoded));
}

std::expected<TensorMapLayout, std::string> tessera::vgpu::decodeTensorMap(
    std::span<const std::byte, tensorMapBytes> bytes) {
  Encoded encoded;
  std::memcpy(&encoded, bytes.data(), sizeof(encoded));
  if (encoded.mark != tensorMark || encoded.type > unsigned(TensorType::f64) ||
      encoded.swizzle > unsigned(TensorSwizzle::bytes128) ||
      encoded.fill > unsigned(TensorFill::nan))
    return std::unexpected("there is no tensor map of this device");
  TensorMapLayout layout;
  layout.type = TensorType(encoded.type);
  layout.swizzle = TensorSwizzle(encoded.swizzle);
  layout.fill = TensorFill(encoded.fill);
  layout.rank = encoded.rank;
  layout.address = encoded.address;
  for (std::uint32_t i = 0; i < maxTensorRank; ++i) {
    layout.sizes[i] = encoded.sizes[i];
    if (i + 1 < maxTensorRank)
      layout.strides[i] = encoded.strides[i];
    layout.box[i] = encoded.box[i];
    layout.elementStrides[i] = encoded.elementStrides[i];
  }
  layout.elementStrides[0] = 1; // as on an H200, whatever is written there
  // Programs may have replaced parts of it.
  if (std::string problem = findProblem(layout); !problem.empty())
    return std::unexpected(concat("a tensor map is wrong: ", problem));
  return layout;
}

Result<std::array<std::byte, tensorMapBytes>>
tessera::vgpu::encodeTensorMap(const TensorMapLayout &layout) {
  if (const std::string problem = findProblem(layout); !problem.empty())
    return fail(FaultKind::invalidLaunch, problem);
  std::array<std::byte, tensorMapBytes> bytes{};
  encodeChecked(layout, bytes);
  return bytes;
}
