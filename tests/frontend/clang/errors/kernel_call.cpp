// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// A kernel cannot be called: neither from the device nor by the host.

#include <tessera/tessera.h>

[[tessera::kernel]] void inner(int *out) { *out = 1; }
[[tessera::kernel]] void outer(int *out) {
  // CHECK: kernel_call.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel{{.*}}inner
  inner(out);
}
