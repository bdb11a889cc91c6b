// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Scoped and unscoped enumerations.

#include "feature.h"

#include <type_traits>

enum class colour : unsigned char { red = 1, green = 2, blue = 4 };
constexpr colour operator|(colour a, colour b) {
  return static_cast<colour>(static_cast<unsigned>(a) |
                             static_cast<unsigned>(b));
}
enum level { low = -3, middle, high = 10 };
enum class wide : long long { most = 1ll << 50 };

int code(colour c) {
  switch (c) {
    using enum colour;
  case red:
    return 10;
  case green:
    return 20;
  case blue:
    return 30;
  }
  return static_cast<int>(c);
}

long long scoped(int i) {
  return code(static_cast<colour>(1 << (i % 3))) +
         code(colour::red | colour::blue);
}
long long unscoped(int i) {
  const level l = i % 2 != 0 ? middle : high;
  return l * 100 + static_cast<int>(sizeof(colour)) + (l > low);
}
long long underlying(int i) {
  return static_cast<std::underlying_type_t<wide>>(wide::most) + i;
}

int main() { return feature::compare<scoped, unscoped, underlying>(); }
