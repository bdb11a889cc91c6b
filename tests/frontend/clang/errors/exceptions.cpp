// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Code of the user that throws. What the standard library throws becomes a
// trap.

#include <tessera/tessera.h>

#include <optional>

int halve(int x) {
  if (x % 2 != 0)
    // CHECK: exceptions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: device code cannot throw exceptions
    throw x;
  return x / 2;
}
[[tessera::kernel]] void throws(int *out) {
  // CHECK: exceptions.cpp:[[@LINE+1]]:{{[0-9]+}}: note: called from 'throws'
  *out = halve(*out);
}
// CHECK-NOT: error:
[[tessera::kernel]] void library_throws(int *out) {
  *out = std::optional<int>(*out).value();
}
