// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Putting messages together.

#ifndef TESSERA_VGPU_TEXT_H
#define TESSERA_VGPU_TEXT_H

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::vgpu {

namespace detail {
inline void append(std::string &text, std::string_view part) { text += part; }
inline void append(std::string &text, char part) { text += part; }
template <std::integral T>
  requires(!std::same_as<T, char> && !std::same_as<T, bool>)
void append(std::string &text, T part) {
  text += std::to_string(part);
}
} // namespace detail

/// The parts after each other; integers in decimal.
template <class... Parts> std::string concat(const Parts &...parts) {
  std::string text;
  (detail::append(text, parts), ...);
  return text;
}

/// "0x1f".
std::string hex(std::uint64_t value);

/// "1 byte", "12 bytes".
std::string plural(std::uint64_t count, std::string_view unit);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_TEXT_H
