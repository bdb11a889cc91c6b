// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Where the attributes may stand.

#include <tessera/tessera.h>

// CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tessera::kernel
[[tessera::kernel]] int variable = 1;

// CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tessera::shared
[[tessera::shared]] void function();

// CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tessera::constant
[[tessera::constant]] void other_function();

// CHECK-DAG: attribute_places.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tessera::unsafe
[[tessera::unsafe]] int other_variable = 1;
