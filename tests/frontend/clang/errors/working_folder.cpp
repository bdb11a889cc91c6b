// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: cd %S/../features && not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: cd %S/.. && not %tessera-cxx -c errors/working_folder.cpp -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RELATIVE
//
// Errors are at the user's line wherever the compiler is started: in a folder
// near the file's, too, where clang's debug information would shorten its name.

#include <tessera/tessera.h>

int elsewhere();

[[tessera::kernel]] void kernel(int *out) {
  // CHECK: {{^}}/{{.*}}working_folder.cpp:[[@LINE+2]]:{{[0-9]+}}: error: {{.*}}elsewhere
  // RELATIVE: {{^}}errors/working_folder.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}elsewhere
  *out = elsewhere();
}
