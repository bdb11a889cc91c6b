// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tessera::tensor_map: what the copies of boxes of a tensor (PTX ISA, section
// 9.7.9.27, cp.async.bulk.tensor) must know about the tensor.

#ifndef TESSERA_TENSOR_MAP_H
#define TESSERA_TENSOR_MAP_H

#include <tessera/device.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>

namespace tessera {

/// The most dimensions of a tensor.
inline constexpr unsigned max_tensor_rank = 5;

/// The type of a tensor's elements, which decides their size and what adding,
/// minimum and maximum mean.
enum class tensor_element : std::uint8_t {
  u8,
  u16,
  u32,
  s32,
  u64,
  s64,
  f16,
  bf16,
  f32,
  f64,
};

/// How the 16-byte chunks of a box are permuted in shared memory: within rows
/// of so many bytes, by the number of the 128-byte line that they are in. The
/// innermost dimension of a box has at most so many bytes.
enum class tensor_swizzle : std::uint8_t { none, bytes32, bytes64, bytes128 };

/// What a box that is read has where it lies outside of the tensor. `nan` is
/// for floating-point elements alone.
enum class tensor_fill : std::uint8_t { zero, nan };

/// How many bytes at a time are fetched into the L2 cache: a hint, without
/// influence on values.
enum class tensor_l2_promotion : std::uint8_t {
  none,
  bytes64,
  bytes128,
  bytes256
};

/// A tensor in device memory, and the boxes that are copied out of it and into
/// it. Dimensions count from the innermost one, whose elements lie side by
/// side.
struct tensor_layout {
  tensor_element element = tensor_element::u8;
  unsigned rank = 0; ///< dimensions, 1 to 5
  /// Of the first element, on the device; a multiple of 16.
  const void *address = nullptr;
  std::array<std::uint64_t, max_tensor_rank> sizes{}; ///< elements, to 2^32
  /// Bytes from one element to the next in dimensions 1, 2, …; multiples of 16
  /// below 2^40.
  std::array<std::uint64_t, max_tensor_rank - 1> strides{};
  /// Elements of the tensor that a box spans, 1 to 256. The innermost dimension
  /// takes a multiple of 16 bytes.
  std::array<std::uint32_t, max_tensor_rank> box{};
  /// Every how many-th element of the box is copied, 1 to 8; ignored in
  /// dimension 0.
  std::array<std::uint32_t, max_tensor_rank> element_strides{1, 1, 1, 1, 1};
  tensor_swizzle swizzle = tensor_swizzle::none;
  tensor_fill fill = tensor_fill::zero;
  tensor_l2_promotion l2_promotion = tensor_l2_promotion::none;
};

/// A tensor's layout in the form that a device's copies read. It is for the
/// device that it was made for, and is passed to kernels by value, as a
/// parameter of 128 bytes. Copies are as good as the original; the tensor's
/// memory must live as long as kernels use any of them.
class alignas(64) tensor_map {
public:
  /// The map of `layout` for kernels of `on`. Throws tessera::error, of kind
  /// `invalid_argument` where the layout breaks one of the rules above, and
  /// where the device cannot copy boxes.
  [[nodiscard]] static tensor_map
  tiled(device on, const tensor_layout &layout,
        std::source_location where = std::source_location::current());

  /// What the device reads, at a multiple of 64 bytes.
  [[nodiscard]] const std::array<std::byte, 128> &bytes() const noexcept {
    return bytes_;
  }

private:
  explicit tensor_map(const std::array<std::byte, 128> &bytes) noexcept
      : bytes_(bytes) {}

  std::array<std::byte, 128> bytes_;
};

static_assert(sizeof(tensor_map) == 128 && alignof(tensor_map) == 64);
static_assert(std::is_trivially_copyable_v<tensor_map>);

} // namespace tessera

#endif // TESSERA_TENSOR_MAP_H
