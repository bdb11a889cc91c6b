// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// A goto to an address.

#include <tessera/tessera.h>

[[tessera::kernel]] void jumps(int *out, int i) {
  // CHECK: computed_goto.cpp:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}
  static const void *const labels[] = {&&first, &&second};
  goto *labels[i & 1];
first:
  *out = 1;
second:
  *out += 2;
}
