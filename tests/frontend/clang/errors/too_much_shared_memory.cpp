// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Static shared memory is 48 KiB at most.

#include <tessera/tessera.h>

// CHECK: too_much_shared_memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}shared
[[tessera::kernel]] void greedy(double *out) {
  [[tessera::shared]] double values[10000];
  values[tessera::this_thread::rank_in_block()] = *out;
  tessera::sync_threads();
  *out = values[0];
}
