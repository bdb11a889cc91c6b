// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix in the registers of a warp, and the same matrix as numbers in a
// plain array. The layouts themselves are in ptx/semantics/fragments.h.
//
// Thread safety: a fragment is immutable once made.

#ifndef TESSERA_VGPU_MATRIX_FRAGMENT_H
#define TESSERA_VGPU_MATRIX_FRAGMENT_H

#include "vgpu/matrix/elements.h"
#include "vgpu/program.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::vgpu {

struct Fragment {
  std::uint32_t registers = 0; ///< of each lane
  std::uint32_t registerBytes = 4;
  Unpack unpack = nullptr;
  Pack pack = nullptr; ///< null for types that are no results
  /// For the i-th element of all lanes' registers (register by register, lane
  /// by lane, low bits first): its index in the array.
  std::vector<std::uint16_t> places;

  /// Elements of all lanes in one register.
  [[nodiscard]] std::uint32_t elementsPerRegister() const {
    return std::uint32_t(places.size()) / registers;
  }
  /// Puts the elements of the 32 lanes' values of register `reg` in place.
  void take(std::uint32_t reg, const void *lanes, double *matrix) const {
    double values[maxElements];
    unpack(lanes, std::size_t(registerBytes) * warpSize, values);
    const std::uint32_t count = elementsPerRegister();
    const std::uint16_t *place = places.data() + std::size_t(reg) * count;
    for (std::uint32_t i = 0; i < count; ++i)
      matrix[place[i]] = values[i];
  }
  /// The way back: the values of register `reg`.
  void give(std::uint32_t reg, const double *matrix, void *lanes) const {
    double values[maxElements];
    const std::uint32_t count = elementsPerRegister();
    const std::uint16_t *place = places.data() + std::size_t(reg) * count;
    for (std::uint32_t i = 0; i < count; ++i)
      values[i] = matrix[place[i]];
    pack(values, std::size_t(registerBytes) * warpSize, lanes);
  }

private:
  static constexpr std::uint32_t maxElements = 8 * warpSize;
};

/// A fragment of `elements` elements a lane; `indexOf(lane, index)` is where in
/// the array a lane's element lies.
template <class IndexOf>
Fragment makeFragment(ptx::Type type, bool saturates, std::uint32_t elements,
                      IndexOf indexOf) {
  const std::uint32_t bits = elementBits(type);
  const std::uint32_t packing = std::max(1u, 32 / bits);
  Fragment fragment{.registers = elements / packing,
                    .registerBytes = std::max(bits, 32u) / 8,
                    .unpack = unpackOf(type),
                    .pack = packOf(type, saturates),
                    .places = {}};
  fragment.places.reserve(std::size_t(elements) * warpSize);
  for (std::uint32_t reg = 0; reg < fragment.registers; ++reg)
    for (std::uint32_t lane = 0; lane < warpSize; ++lane)
      for (std::uint32_t i = 0; i < packing; ++i)
        fragment.places.push_back(
            std::uint16_t(indexOf(lane, reg * packing + i)));
  return fragment;
}

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MATRIX_FRAGMENT_H
