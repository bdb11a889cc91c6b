// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Launch bounds and block shapes that no device can have.

#include <tessera/tessera.h>

// CHECK-DAG: launch_attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}too_many
[[tessera::kernel, clang::annotate("tessera.launch_bounds", 2048, 1)]] void
too_many(int *) {}

// CHECK-DAG: launch_attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}no_threads
[[tessera::kernel, clang::annotate("tessera.block", 0, 1, 1)]] void
no_threads(int *) {}

// CHECK-DAG: launch_attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}no_number
[[tessera::kernel, clang::annotate("tessera.block", "wide")]] void
no_number(int *) {}
