// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Instructions of the host's processor.

#include <tessera/tessera.h>

[[tessera::kernel]] void time(unsigned long long *out) {
  // CHECK: host_builtin.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{rdtsc|x86}}
  *out = __builtin_ia32_rdtsc();
}
