// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Inline assembly is the host's.

#include <tessera/tessera.h>

int assembled(int x) {
  // CHECK: inline_asm.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{asm|assembly}}
  asm("addl $1, %0" : "+r"(x));
  return x;
}
[[tessera::kernel]] void uses(int *out) { *out = assembled(*out); }
