// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/types.h"

#include <algorithm>
#include <array>
#include <cstddef>

using namespace tessera::ptx;

namespace {

struct TypeInfo {
  std::string_view spelling;
  unsigned bits;
  TypeClass typeClass;
};

constexpr std::array typeInfos = {
    TypeInfo{"", 0, TypeClass::bits},
#define PTX_TYPE(NAME, SPELLING, BITS, CLASS)                                  \
  TypeInfo{SPELLING, BITS, TypeClass::CLASS},
#include "ptx/types.def"
};

const TypeInfo &info(Type type) { return typeInfos[std::size_t(type)]; }

} // namespace

std::string_view tessera::ptx::spelling(Type type) {
  return info(type).spelling;
}

std::string_view tessera::ptx::spelling(StateSpace space) {
  constexpr std::string_view names[] = {
      "generic", "reg",         "const",           "global",
      "local",   "param",       "param::entry",    "param::func",
      "shared",  "shared::cta", "shared::cluster", "tex"};
  return names[std::size_t(space)];
}

std::optional<Type> tessera::ptx::typeFromSpelling(std::string_view spelling) {
  const auto *found = std::ranges::find(typeInfos.begin() + 1, typeInfos.end(),
                                        spelling, &TypeInfo::spelling);
  if (found == typeInfos.end())
    return std::nullopt;
  return Type(found - typeInfos.begin());
}

unsigned tessera::ptx::bitWidth(Type type) { return info(type).bits; }

unsigned tessera::ptx::byteSize(Type type) {
  if (typeClass(type) == TypeClass::opaque)
    return 8;
  return (info(type).bits + 7) / 8;
}

TypeClass tessera::ptx::typeClass(Type type) { return info(type).typeClass; }
