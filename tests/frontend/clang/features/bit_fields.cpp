// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Bit-fields: signed, unsigned, across words, zero width.

#include "feature.h"

struct packed {
  unsigned low : 3;
  unsigned middle : 7;
  int sign : 5;
  unsigned : 0;
  unsigned long long wide : 40;
  bool flag : 1;
};

long long fields(int i) {
  packed p{};
  p.low = static_cast<unsigned>(i);
  p.middle += static_cast<unsigned>(i * 3);
  p.sign = i % 32 - 16;
  p.wide = static_cast<unsigned long long>(i) << 33;
  p.flag = i % 2 != 0;
  p.low ^= 5u;
  ++p.sign;
  return p.low + p.middle * 10 + p.sign * 10000 +
         static_cast<long long>(p.wide >> 20) + p.flag;
}
long long size(int) { return sizeof(packed); }

int main() { return feature::compare<fields, size>(); }
