// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Unions with an active member, anonymous unions.

#include "feature.h"

#include <cstring>

struct tagged {
  enum { integer, real, text } kind;
  union {
    int i;
    double d;
    char letters[4];
  };
};
tagged make(int i) {
  tagged t;
  switch (i % 3) {
  case 0:
    t.kind = tagged::integer;
    t.i = i;
    break;
  case 1:
    t.kind = tagged::real;
    t.d = i * 0.5;
    break;
  default:
    t.kind = tagged::text;
    std::memcpy(t.letters, "abc", 4);
    t.letters[0] = static_cast<char>('a' + i % 20);
  }
  return t;
}
long long members(int i) {
  const tagged t = make(i);
  switch (t.kind) {
  case tagged::integer:
    return t.i;
  case tagged::real:
    return static_cast<long long>(t.d * 4);
  default:
    return t.letters[0] * 1000 + t.letters[1];
  }
}

union with_constructor {
  with_constructor(int i) : value(i) {}
  long long value;
  unsigned char bytes[8];
};
long long constructed(int i) { return with_constructor(i * 77).value; }

int main() { return feature::compare<members, constructed>(); }
