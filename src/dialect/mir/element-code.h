// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DIALECT_MIR_ELEMENT_CODE_H
#define TESSERA_DIALECT_MIR_ELEMENT_CODE_H

#include <cstdint>

namespace tessera::mir {

/// How annotations and front ends name element types, as far as the device's IR
/// tells them apart; `tessera::detail::elem` of the headers has the same
/// numbers.
enum class ElementCode : std::int64_t {
  other = 0, ///< a class: bytes, as many as the size says
  i8 = 1,
  i16 = 2,
  i32 = 3,
  i64 = 4,
  f16 = 5,
  bf16 = 6,
  f32 = 7,
  f64 = 8,
  pointer = 9,
  boolean = 10, ///< a byte
};

} // namespace tessera::mir

#endif // TESSERA_DIALECT_MIR_ELEMENT_CODE_H
