// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fundamental types and state spaces of PTX (PTX ISA 9.0, sections 5.1 and
// 5.2), with what the rest of the library asks about them.

#ifndef TESSERA_PTX_TYPES_H
#define TESSERA_PTX_TYPES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::ptx {

/// A type suffix. `none` stands for "not given".
enum class Type : std::uint8_t {
  none,
#define PTX_TYPE(NAME, SPELLING, BITS, CLASS) NAME,
#include "ptx/types.def"
};

enum class TypeClass : std::uint8_t {
  bits, ///< untyped: .b8 to .b128
  unsigned_,
  signed_,
  floating, ///< one IEEE-like number
  packed,   ///< several numbers in one register
  predicate,
  opaque, ///< .texref, .samplerref, .surfref
};

/// The state spaces. `generic` is written by leaving the space out.
enum class StateSpace : std::uint8_t {
  generic,
  reg,
  const_,
  global,
  local,
  param,         ///< `.param`, in whichever of its three roles
  paramEntry,    ///< `.param::entry`
  paramFunc,     ///< `.param::func`
  shared,        ///< `.shared`, which is `.shared::cta`
  sharedCta,     ///< `.shared::cta`
  sharedCluster, ///< `.shared::cluster`
  tex,
};

/// The suffix without its dot: "u32".
[[nodiscard]] std::string_view spelling(Type type);
/// The suffix without its dot: "shared::cta"; "generic" for `generic`.
[[nodiscard]] std::string_view spelling(StateSpace space);
/// The type that a suffix (without its dot) names.
[[nodiscard]] std::optional<Type> typeFromSpelling(std::string_view spelling);

/// The width of a value in bits; 1 for predicates, 0 for opaque types.
[[nodiscard]] unsigned bitWidth(Type type);
/// The size in memory in bytes; 1 for predicates, 8 for opaque types.
[[nodiscard]] unsigned byteSize(Type type);
[[nodiscard]] TypeClass typeClass(Type type);

[[nodiscard]] inline bool isSigned(Type type) {
  return typeClass(type) == TypeClass::signed_;
}
[[nodiscard]] inline bool isFloat(Type type) {
  return typeClass(type) == TypeClass::floating;
}
/// Integers with a sign or without: not `.bN`.
[[nodiscard]] inline bool isInteger(Type type) {
  return typeClass(type) == TypeClass::signed_ ||
         typeClass(type) == TypeClass::unsigned_;
}

} // namespace tessera::ptx

#endif // TESSERA_PTX_TYPES_H
