// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps: what `cp.async.bulk.tensor` copies boxes out of and into. A map
// is 128 opaque bytes in memory; those of this device are its own (CUDA driver
// API, "Tensor Map Object Management", says what the parts mean).

#ifndef TESSERA_VGPU_ASYNC_TENSOR_MAP_H
#define TESSERA_VGPU_ASYNC_TENSOR_MAP_H

#include "ptx/types.h"
#include "vgpu/vgpu.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace tessera::vgpu {

/// Bytes of an element.
[[nodiscard]] std::uint32_t elementBytes(TensorType type);
/// The PTX type that reductions use.
[[nodiscard]] ptx::Type ptxType(TensorType type);
/// What an element out of bounds reads as when the map asks for NaN.
[[nodiscard]] std::uint64_t nanBits(TensorType type);

/// Bytes that 16-byte chunks are exchanged within; 0 without a swizzle.
[[nodiscard]] std::uint32_t swizzleBytes(TensorSwizzle swizzle);
/// Where the byte for the shared address `address` really lies.
[[nodiscard]] std::uint64_t swizzled(std::uint64_t address,
                                     TensorSwizzle swizzle);

/// The map in memory; the error says what the bytes are instead.
[[nodiscard]] std::expected<TensorMapLayout, std::string>
decodeTensorMap(std::span<const std::byte, tensorMapBytes> bytes);
/// A layout that has been checked.
void encodeChecked(const TensorMapLayout &layout,
                   std::span<std::byte, tensorMapBytes> bytes);
/// What is wrong with a layout; empty when nothing is.
[[nodiscard]] std::string findProblem(const TensorMapLayout &layout);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_ASYNC_TENSOR_MAP_H
