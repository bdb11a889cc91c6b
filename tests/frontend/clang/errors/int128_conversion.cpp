// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -fsyntax-only %s 2>&1 | FileCheck %s
//
// What the code generator could not do is refused at its line.

#include <tessera/tessera.h>

[[tessera::kernel]] void convert(__int128 *wide, double *number) {
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: device code cannot convert an integer of more than 64 bits
  *number = double(*wide);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: device code cannot convert a floating-point number to an integer
  *wide = __int128(*number);
}
