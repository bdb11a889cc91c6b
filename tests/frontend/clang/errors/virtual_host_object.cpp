// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// A virtual call through a pointer from the host: the table of functions that
// the object names is the host's.

#include <tessera/tessera.h>

struct shape {
  virtual int area() const = 0;
};

// CHECK: virtual_host_object.cpp:[[@LINE+1]]:{{[0-9]+}}: error: parameter 's' of kernel 'calls' leads to objects with virtual functions
[[tessera::kernel]] void calls(const shape *s, int *out) { *out = s->area(); }
