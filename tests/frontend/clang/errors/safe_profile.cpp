// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -fsyntax-only -fplugin-arg-tessera-safe %s 2>&1 | FileCheck %s
// RUN: %tessera-cxx -fsyntax-only %s
//
// The safe profile: what steps around the checks needs [[tessera::unsafe]].

#include <tessera/tessera.h>

// CHECK-DAG: [[@LINE+1]]:{{.*}} error: parameter 'out' of kernel 'pointer_parameter' is a raw pointer
[[tessera::kernel]] void pointer_parameter(int *out) {
  // CHECK-DAG: [[@LINE+1]]:{{.*}} error: device code dereferences a raw pointer
  *out = 1;
}

struct pair {
  int a, b;
};

// The function is what is marked, not the kernel that calls it.
[[tessera::unsafe]] int trusted(const int *p) { return p[1]; }

int helper(const pair *p) {
  // CHECK-DAG: [[@LINE+1]]:{{.*}} error: device code dereferences a raw pointer
  return p->b;
}

[[tessera::kernel]] void safe(tessera::span<const int> in,
                              tessera::disjoint_span<int> out) {
  auto i = tessera::this_thread::index_1d();
  if (int *own = out.at(i))
    *own = in[i] + trusted(&in[0]);
  [[tessera::shared]] int tile[32];
  tile[0] = 1;
  // CHECK-DAG: [[@LINE+1]]:{{.*}} error: device code subscripts an array without a check
  tile[i % 32] = 2;
  // CHECK-DAG: [[@LINE+1]]:{{.*}} error: device code casts to a pointer or reference
  const pair *cast = reinterpret_cast<const pair *>(in.data());
  // CHECK-DAG: [[@LINE+1]]:{{.*}} error: device code does arithmetic on a raw pointer
  tile[1] = helper(cast + 1);
}
// CHECK-DAG: 6 errors generated
