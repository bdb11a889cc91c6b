// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-emit=ptx:- | FileCheck %s --check-prefix=LOWEST
// RUN: %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-arch=sm_75,sm_80,sm_86,sm_87,sm_89,sm_90,sm_90a -fplugin-arg-tessera-emit=ptx:- | FileCheck %s --check-prefix=ALL
// RUN: %tessera-cxx -fsyntax-only -DNEWER %s -fplugin-arg-tessera-emit=ptx:- | FileCheck %s --check-prefix=NEWER
// RUN: not %tessera-cxx -fsyntax-only -DNEWER %s -fplugin-arg-tessera-arch=sm_75 2>&1 | FileCheck %s --check-prefix=TOOLOW
//
// Without --arch the code is compiled for the lowest architecture that has all
// that it uses; the headers say what their intrinsics need.
//
// LOWEST: .target sm_75
// ALL: .target sm_75
// ALL: .target sm_80
// ALL: .target sm_86
// ALL: .target sm_87
// ALL: .target sm_89
// ALL: .target sm_90
// ALL: .target sm_90a
// NEWER: .target sm_80
// TOOLOW: error: llvm.nvvm.redux.sync.add needs sm_80, but the code is compiled for sm_75

#include <tessera/tessera.h>

[[clang::annotate("tessera.intrinsic", "llvm.nvvm.redux.sync.add", 80, 70)]] int
redux_add(int value, int mask);

[[tessera::kernel]] void kernel(int *out) {
#ifdef NEWER
  *out = redux_add(*out, -1);
#else
  *out = 1;
#endif
}
