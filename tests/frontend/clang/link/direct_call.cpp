// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -O2 %s -o %t
// RUN: not --crash %t kernel 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not --crash %t index 2>&1 | FileCheck %s --check-prefix=INDEX
//
// A kernel is launched, not called; what only a device can do ends the program
// with its name.

#include <tessera/tessera.h>

#include <cstring>

[[tessera::kernel]] void some_kernel(int *out) { *out = 1; }

int main(int, char **argv) {
  int out = 0;
  if (!std::strcmp(argv[1], "kernel"))
    some_kernel(&out);
  return int(tessera::this_warp::lane());
}
// KERNEL: some_kernel
// INDEX: laneid
