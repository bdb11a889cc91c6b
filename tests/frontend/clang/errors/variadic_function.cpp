// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Reading a C-style variable number of arguments.

#include <tessera/tessera.h>

#include <cstdarg>

int total(int count, ...) {
  std::va_list list;
  // CHECK: variadic_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}variable arguments
  va_start(list, count);
  int sum = 0;
  while (count-- > 0)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}
[[tessera::kernel]] void sums(int *out) { *out = total(3, 1, 2, 3); }
