// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Where the attributes may stand, and what they may say.

#include <tessera/tessera.h>

// CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tessera::kernel
[[tessera::kernel]] int variable = 1;

// CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tessera::shared
[[tessera::shared]] void function();

// CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tessera::kernel
[[tessera::kernel("argument")]] void with_argument(int *) {}

[[tessera::kernel]] void shared_memory(int *out) {
  // CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}initial
  [[tessera::shared]] int initialised = 3;
  *out = initialised;
}

struct with_constructor {
  with_constructor() : x(1) {}
  int x;
};
[[tessera::kernel]] void shared_object(int *out) {
  // CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{constructor|initial}}
  [[tessera::shared]] with_constructor object;
  *out = object.x;
}

[[tessera::kernel]] void constant_local(int *out) {
  // CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tessera::constant
  [[tessera::constant]] int local = 3;
  *out = local;
}
