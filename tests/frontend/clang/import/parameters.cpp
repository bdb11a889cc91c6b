// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -fsyntax-only -fplugin-arg-tessera-emit=mir-opt:%t.mlir -fplugin-arg-tessera-emit=ptx:%t.ptx %s
// RUN: FileCheck %s --check-prefix=MIR < %t.mlir
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
//
// Parameters keep their kinds in the IR, and have the layout of the C++ object
// in the parameter block, whatever the host's calling convention does with
// them.

#include <tessera/tessera.h>

struct three {
  float x, y, z;
};
struct large {
  double values[5];
  char tag;
};
struct empty {};

// MIR-LABEL: mir.kernel @kinds(
// MIR-SAME: %flag: i8 {{.*}}mir.type = "bool"
// MIR-SAME: %small: i16
// MIR-SAME: %pointer: !llvm.ptr {{.*}}mir.type = "const double *"
// MIR-SAME: %view: !mir.slice<const f32> {{.*}}mir.type = "tessera::span<const float>"
// MIR-SAME: %out: !mir.disjoint_slice<i32>
// MIR-SAME: %point: !llvm.ptr {{.*}}llvm.byval = !llvm.struct<"struct.three"
// MIR-SAME: %many: !llvm.ptr {{.*}}llvm.byval = !llvm.struct<"struct.large"
// MIR-SAME: %nothing: !llvm.ptr {{.*}}llvm.byval

// PTX-LABEL: .visible .entry kinds(
// PTX-NEXT: .param .u8 kinds_param_0,
// PTX-NEXT: .param .u16 kinds_param_1,
// PTX-NEXT: .param .u64 {{.*}}kinds_param_2,
// PTX-NEXT: .param .align 8 .b8 kinds_param_3[16],
// PTX-NEXT: .param .align 8 .b8 kinds_param_4[16],
// PTX-NEXT: .param .align 4 .b8 kinds_param_5[12],
// PTX-NEXT: .param .align 8 .b8 kinds_param_6[48],
// PTX-NEXT: .param .align 1 .b8 kinds_param_7[1]
[[tessera::kernel]] void kinds(bool flag, short small, const double *pointer,
                               tessera::span<const float> view,
                               tessera::disjoint_span<int> out, three point,
                               large many, empty nothing) {
  if (int *own = out.at(tessera::this_thread::index_1d()))
    *own = flag + small + int(pointer[0]) + int(view[0]) + int(point.z) +
           int(many.values[4]) + many.tag + int(sizeof nothing);
}

// Slices of classes know the size of their elements.
// MIR-LABEL: mir.kernel @classes(%points: !mir.slice<!llvm.array<12 x i8>>
[[tessera::kernel]] void classes(tessera::span<three> points) {
  points[1].x = 1;
}

// More integers than the host passes in registers.
// PTX-LABEL: .visible .entry many(
// PTX-COUNT-8: .param .align 8 .b8 many_param_{{[0-7]}}[16]
[[tessera::kernel]] void many(tessera::span<int> a, tessera::span<int> b,
                              tessera::span<int> c, tessera::span<int> d,
                              tessera::span<int> e, tessera::span<int> f,
                              tessera::span<int> g, tessera::span<int> h) {
  h[0] = a[0] + b[0] + c[0] + d[0] + e[0] + f[0] + g[0];
}
