// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-arch=sm_35 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-emit=asm 2>&1 | FileCheck %s --check-prefix=EMIT
// RUN: not %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-stop-after=lunch 2>&1 | FileCheck %s --check-prefix=STOP
// RUN: not %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-colour=red 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-verbose=yes 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-ptx-out= 2>&1 | FileCheck %s --check-prefix=NOVALUE
// RUN: not %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-emit=ptx:%t.missing/x.ptx 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-ptx-out=/dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: env TESSERA_PTX_SAFETY=maybe not %tessera-cxx -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=SAFETY
// RUN: not %tessera-cxx -fsyntax-only -DMATH %s -fplugin-arg-tessera-clc=%t.missing.bc 2>&1 | FileCheck %s --check-prefix=CLC
// RUN: not %tessera-cxx -fsyntax-only -DMATH %s -fplugin-arg-tessera-clc=%s 2>&1 | FileCheck %s --check-prefix=NOTBC
//
// ARCH: error: tessera: unknown architecture 'sm_35'; known are sm_75, {{.*}}, sm_90a
// EMIT: error: tessera: unknown IR 'asm' to emit; known are mir, mir-opt, llvm-dialect, ll and ptx
// STOP: error: tessera: unknown phase 'lunch' to stop after
// UNKNOWN: error: tessera: unknown option 'colour'; known are arch, verbose
// VALUE: error: tessera: 'verbose' takes no value
// NOVALUE: error: tessera: 'ptx-out' needs a value
// FILE: error: cannot write '{{.*}}missing/x.ptx': No such file or directory
// FULL: error: cannot write '/dev/full': No space left on device
// SAFETY: error: tessera: the environment variable TESSERA_PTX_SAFETY is 'maybe'; it may be off, warn or error
// CLC: error: cannot read the device library '{{.*}}missing.bc': No such file or directory
// NOTBC: error: the device library '{{.*}}options.cpp' is no LLVM bitcode

#include <tessera/tessera.h>

#include <cmath>

[[tessera::kernel]] void kernel(float *out) {
#ifdef MATH
  *out = std::sin(*out);
#else
  *out = 1;
#endif
}
