// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of wgmma in shared memory: PTX ISA 9.0, section 9.7.15.5.1.2,
// "Shared Memory Matrix Layout". The unit of a layout is a chunk of 16 bytes:
// neighbours along the leading dimension, which is k or, for a transposed
// matrix, m or n.

#ifndef TESSERA_VGPU_MATRIX_DESCRIPTOR_H
#define TESSERA_VGPU_MATRIX_DESCRIPTOR_H

#include <cstdint>

namespace tessera::vgpu {

/// The 64-bit matrix descriptor, decoded. Offsets and addresses are in bytes.
struct MatrixDescriptor {
  std::uint32_t start = 0;         ///< address in shared memory
  std::uint32_t leadingOffset = 0; ///< "leading dimension byte offset"
  std::uint32_t strideOffset = 0;  ///< "stride dimension byte offset"
  std::uint32_t baseOffset = 0;    ///< of the swizzle pattern, in 128 bytes
  std::uint32_t swizzleBytes = 16; ///< 16 (none), 32, 64 or 128

  [[nodiscard]] static MatrixDescriptor decode(std::uint64_t bits);

  /// The shared address of a chunk when k is the leading dimension: row `row`
  /// (along m or n), chunk `chunk` along k.
  [[nodiscard]] std::uint32_t chunkAlongK(std::uint32_t row,
                                          std::uint32_t chunk) const;
  /// The same when m or n is the leading dimension: chunk `chunk` along it, at
  /// `k`.
  [[nodiscard]] std::uint32_t chunkAcrossK(std::uint32_t chunk,
                                           std::uint32_t k) const;

private:
  [[nodiscard]] std::uint32_t swizzled(std::uint32_t offset) const;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MATRIX_DESCRIPTOR_H
