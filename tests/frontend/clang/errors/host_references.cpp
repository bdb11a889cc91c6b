// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -fsyntax-only %s 2>&1 | FileCheck %s
//
// Parameters that lead back to the host, and types that cannot be passed or
// converted.

#include <tessera/tessera.h>

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: parameter 'f' of kernel {{.*}} holds a reference
template <class F> [[tessera::kernel]] void run(F f, int *out) { *out = f(); }

struct widget {
  int get() const { return 1; }
};
// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: parameter 'f' of kernel 'member' points to a member function
[[tessera::kernel]] void member(int (widget::*f)() const, int *out) {
  *out = (widget().*f)();
}

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: parameter 'x' of kernel 'wide' has type '_BitInt(200)'
[[tessera::kernel]] void wide(_BitInt(200) x, int *out) { *out = int(x); }

void use(int *out) {
  int local = 1;
  auto f = [&] { return local; };
  run<decltype(f)>(f, out);
}
