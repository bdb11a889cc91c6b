// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -c %s -o %t.o -fplugin-arg-tessera-verbose -fplugin-arg-tessera-timings=%t.json 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %tessera-cxx -c %s -o %t.o -fplugin-arg-tessera-verbose -fplugin-arg-tessera-stop-after=lower 2>&1 | FileCheck %s --check-prefix=STOP
//
// CHECK: PHASE 1/9 discover {{.*}}2 kernels, 1 device function ({{.*}} ms)
// CHECK-NEXT: PHASE 2/9 import
// CHECK-NEXT: PHASE 3/9 verify
// CHECK-NEXT: PHASE 4/9 optimise
// CHECK-NEXT: PHASE 5/9 lower
// CHECK-NEXT: PHASE 6/9 export
// CHECK-NEXT: PHASE 7/9 codegen {{.*}}sm_75
// CHECK-NEXT: PHASE 8/9 guard {{.*}}2 kernels, {{[0-9]+}} instructions, 0 findings
// CHECK-NEXT: PHASE 9/9 embed
//
// JSON: "kernels": 2
// JSON: "index": 1
// JSON: "name": "discover"
// JSON: "index": 9
// JSON: "name": "embed"
//
// STOP: PHASE 5/9 lower
// STOP-NOT: PHASE

#include <tessera/tessera.h>

int twice(int x) { return 2 * x; }

[[tessera::kernel]] void first(int *out) { *out = twice(21); }
[[tessera::kernel]] void second(int *out) { *out = 1; }
