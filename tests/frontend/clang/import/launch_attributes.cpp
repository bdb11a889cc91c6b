// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -fsyntax-only -fplugin-arg-tessera-arch=sm_90 -fplugin-arg-tessera-emit=mir:%t.mlir -fplugin-arg-tessera-emit=ptx:%t.ptx %s
// RUN: FileCheck %s --check-prefix=MIR < %t.mlir
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

#include <tessera/tessera.h>

// MIR-DAG: mir.kernel @fixed({{.*}}block = array<i32: 16, 8, 1>
// PTX-LABEL: .visible .entry fixed(
// PTX: .reqntid 16, 8
[[tessera::kernel, clang::annotate("tessera.block", 16, 8)]] void
fixed(int *out) {
  *out = 1;
}

// MIR-DAG: mir.kernel @clustered({{.*}}cluster = array<i32: 2, 1, 1>
// PTX-LABEL: .visible .entry clustered(
// PTX: .reqnctapercluster 2
[[tessera::kernel, clang::annotate("tessera.cluster", 2)]] void
clustered(int *out) {
  *out = 2;
}

// Dependent arguments are those of the instantiation.
// MIR-DAG: mir.kernel @_Z7boundedILi128EEvPi({{.*}}max_threads = 128 : i32, min_blocks = 2 : i32
// PTX-LABEL: .visible .entry _Z7boundedILi128EEvPi(
// PTX: .maxntid 128
// PTX: .minnctapersm 2
template <int Threads>
[[tessera::kernel, clang::annotate("tessera.launch_bounds", Threads, 2)]] void
bounded(int *out) {
  *out = Threads;
}
template void bounded<128>(int *);
