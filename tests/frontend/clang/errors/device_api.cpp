// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -std=c++20 -I%include -fsyntax-only %s 2>&1 | FileCheck %s
//
// What the headers refuse by themselves, with or without the plugin.

#include <tessera/tessera.h>

struct large {
  int x[5];
};
struct copied {
  copied(const copied &);
  int x;
};

void shuffled(large l, copied c) {
  // CHECK-DAG: error: {{.*}}tessera: only values of 1 to 16 bytes can be shuffled
  (void)tessera::shfl(l, 0);
  // CHECK-DAG: error: {{.*}}tessera: only trivially copyable values can be shuffled
  (void)tessera::shfl_up(c, 1);
  // CHECK-DAG: error: {{.*}}tessera: match_any needs
  (void)tessera::match_any('c');
}
void atomics(large &l, bool &b) {
  // CHECK-DAG: error: {{.*}}tessera: an atomic object has 1, 2, 4 or 8 bytes
  tessera::atomic_ref wide(l);
  // CHECK-DAG: device_api.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}fetch_add
  tessera::atomic_ref(b).fetch_add(true);
}
void witnesses(tessera::disjoint_span<int> out, tessera::span<const int> in) {
  // CHECK-DAG: device_api.cpp:[[@LINE+1]]:{{[0-9]+}}: error:
  (void)out.at(3);
  // CHECK-DAG: device_api.cpp:[[@LINE+1]]:{{[0-9]+}}: error:
  (void)tessera::unique_index(3);
  // CHECK-DAG: device_api.cpp:[[@LINE+1]]:{{[0-9]+}}: error:
  in[0] = 1;
  // CHECK-DAG: device_api.cpp:[[@LINE+1]]:{{[0-9]+}}: error:
  (void)out[0];
}
