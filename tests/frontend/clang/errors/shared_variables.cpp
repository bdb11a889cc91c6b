// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Shared memory is not initialised; constant memory is not local.

#include <tessera/tessera.h>

[[tessera::kernel]] void number(int *out) {
  // CHECK-DAG: shared_variables.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}initiali
  [[tessera::shared]] int initialised = 3;
  *out = initialised;
}

struct with_constructor {
  with_constructor() : x(1) {}
  int x;
};
[[tessera::kernel]] void object(int *out) {
  // CHECK-DAG: shared_variables.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{constructor|initiali}}
  [[tessera::shared]] with_constructor shared_object;
  *out = shared_object.x;
}

[[tessera::kernel]] void local(int *out) {
  // CHECK-DAG: shared_variables.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tessera::constant
  [[tessera::constant]] const int constant = 3;
  *out = constant;
}
