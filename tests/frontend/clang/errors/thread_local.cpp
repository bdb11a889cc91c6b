// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Thread-local variables.

#include <tessera/tessera.h>

thread_local int mine = 1;

[[tessera::kernel]] void of_a_thread(int *out) {
  // CHECK: thread_local.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}mine
  *out = mine;
}
