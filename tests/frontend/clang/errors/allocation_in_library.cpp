// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// An allocation deep in a library: the chain of calls leads to the user's line.

#include <tessera/tessera.h>

#include <vector>

[[tessera::kernel]] void with_vector(int *out, int n) {
  // CHECK: error: device code cannot allocate memory
  // CHECK: allocation_in_library.cpp:[[@LINE+1]]:{{[0-9]+}}: note: called from 'with_vector'
  std::vector<int> values(static_cast<std::size_t>(n));
  *out = values[0];
}
