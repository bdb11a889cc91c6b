// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Floating point wider than double.

#include <tessera/tessera.h>

[[tessera::kernel]] void wide(double *out) {
  // CHECK-DAG: long_double.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}long double
  const long double x = *out;
  *out = static_cast<double>(x * x);
}
[[tessera::kernel]] void quadruple(double *out) {
  // CHECK-DAG: long_double.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{__float128|128-bit}}
  const __float128 x = *out;
  *out = static_cast<double>(x * x);
}
