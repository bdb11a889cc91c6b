// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/warp-function.h"

#include <algorithm>
#include <cstring>

using namespace tessera::ptx;

namespace {

constexpr std::uint32_t allLanes = ~std::uint32_t(0);

std::uint32_t packBits(const detail::LaneArray<bool> &values) {
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    bits |= std::uint32_t(values[lane]) << lane;
  return bits;
}

void gatherBits(const Lanes &from, detail::LaneArray<bool> &to) {
  std::uint32_t bits;
  std::memcpy(&bits, from.data, sizeof bits);
  if (from.negated)
    bits = ~bits;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    to[lane] = (bits >> lane & 1) != 0;
}

void scatterBits(const detail::LaneArray<bool> &from, std::uint32_t mask,
                 void *to) {
  std::uint32_t before;
  std::memcpy(&before, to, sizeof before);
  std::uint32_t bits = (packBits(from) & mask) | (before & ~mask);
  std::memcpy(to, &bits, sizeof bits);
}

template <class V> std::uint64_t extended(V value, bool isSigned) {
  if (isSigned)
    return std::uint64_t(std::int64_t(std::make_signed_t<V>(value)));
  return value;
}

} // namespace

template <class V> void detail::gather(const Lanes &from, LaneArray<V> &to) {
  if constexpr (std::is_same_v<V, bool>) {
    gatherBits(from, to);
  } else if (from.stride == sizeof(V)) {
    std::memcpy(to.data(), from.data, sizeof to);
  } else {
    const auto *data = static_cast<const std::byte *>(from.data);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(&to[lane], data + std::size_t(lane) * from.stride, sizeof(V));
  }
}

template <class V>
void detail::scatter(const LaneArray<V> &from, std::uint32_t mask,
                     const Lanes &to, bool isSigned) {
  if (!to.data)
    return;
  if constexpr (std::is_same_v<V, bool>) {
    scatterBits(from, mask, to.data);
  } else {
    auto *data = static_cast<std::byte *>(to.data);
    if (to.stride == sizeof(V) && mask == allLanes) {
      std::memcpy(data, from.data(), sizeof from);
      return;
    }
    std::size_t size = std::min<std::size_t>(to.stride, sizeof(std::uint64_t));
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      auto lane = std::size_t(std::countr_zero(rest));
      std::uint64_t wide = extended(from[lane], isSigned);
      std::memcpy(data + lane * to.stride, &wide, size);
    }
  }
}

#define INSTANTIATE(V)                                                         \
  template void detail::gather<V>(const Lanes &, LaneArray<V> &);              \
  template void detail::scatter<V>(const LaneArray<V> &, std::uint32_t,        \
                                   const Lanes &, bool);
INSTANTIATE(bool)
INSTANTIATE(std::uint8_t)
INSTANTIATE(std::uint16_t)
INSTANTIATE(std::uint32_t)
INSTANTIATE(std::uint64_t)
#undef INSTANTIATE
