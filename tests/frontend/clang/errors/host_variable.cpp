// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Variables of the host are not there on the device.

#include <tessera/tessera.h>

int counter = 3;
static double factor = 1.5;
extern int elsewhere;
const int fine = 4;

int helper() {
  // CHECK-DAG: host_variable.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}counter
  return counter;
}
[[tessera::kernel]] void through_a_function(int *out) {
  *out = helper() + fine;
}
[[tessera::kernel]] void directly(int *out) {
  // CHECK-DAG: host_variable.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}factor
  *out = static_cast<int>(factor);
  // CHECK-DAG: host_variable.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}elsewhere
  *out += elsewhere;
}
