// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// The device has no heap.

#include <tessera/tessera.h>

#include <cstdlib>

[[tessera::kernel]] void with_new(int *out) {
  // CHECK-DAG: allocation.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{allocat|operator new}}
  int *p = new int(3);
  *out = *p;
}

[[tessera::kernel]] void with_malloc(int *out) {
  // CHECK-DAG: allocation.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}malloc
  auto *p = static_cast<int *>(std::malloc(4));
  *out = p != nullptr;
}
