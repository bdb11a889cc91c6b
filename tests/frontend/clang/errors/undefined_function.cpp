// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// A function whose body is elsewhere, and how the kernel comes to call it.

#include <tessera/tessera.h>

int somewhere_else(int);

int middle(int x) {
  // CHECK: undefined_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}somewhere_else
  return somewhere_else(x) + 1;
}
int outer(int x) {
  // CHECK: undefined_function.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}}outer
  return middle(x) * 2;
}
[[tessera::kernel]] void calls(int *out) {
  // CHECK: undefined_function.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}}calls
  *out = outer(3);
}
