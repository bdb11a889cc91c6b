// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/text.h"

#include <charconv>

std::string tessera::vgpu::hex(std::uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + 16, value, 16).ptr;
  return "0x" + std::string(digits, end);
}

std::string tessera::vgpu::plural(std::uint64_t count, std::string_view unit) {
  return concat(count, ' ', unit, count == 1 ? "" : "s");
}
