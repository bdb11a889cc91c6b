// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Static locals that a constructor or a call initialises, or that change.

#include <tessera/tessera.h>

struct counted {
  counted() : value(5) {}
  ~counted() { value = 0; }
  int value;
};

[[tessera::kernel]] void by_a_constructor(int *out) {
  // CHECK-DAG: static_local.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}once
  static const counted once;
  *out = once.value;
}
[[tessera::kernel]] void by_a_value(int *out, int n) {
  // CHECK-DAG: static_local.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}first
  static int first = n;
  *out = first;
}
