// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Functions of the operating system and of host libraries.

#include <tessera/tessera.h>

#include <cstdlib>
#include <iostream>
#include <mutex>

[[tessera::kernel]] void environment(int *out) {
  // CHECK-DAG: library_functions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}getenv
  *out = std::getenv("HOME") != nullptr;
}
[[tessera::kernel]] void streams(int *out) {
  // CHECK-DAG: library_functions.cpp:[[@LINE+1]]:{{[0-9]+}}: error:
  std::cout << *out;
}
