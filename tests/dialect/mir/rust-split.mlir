// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a slice; the two halves need no check once `mid <= len` holds, and an
// element below the half's length none either:
//
//   #[kernel] fn halves(x: &[f32], mid: usize, i: usize, out: &mut f32) {
//     let (a, b) = x.split_at(mid);
//     if i < b.len() { *out = b[i] - a[0] }
//   }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: mir.kernel @halves(
// CHECK: mir.assert %{{.*}}, "mid > len"
// CHECK: mir.subslice %{{.*}}[%{{.*}}, %{{.*}}] in_bounds
// CHECK: mir.subslice %{{.*}}[%{{.*}}, %{{.*}}] in_bounds
// CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
// CHECK: mir.index_addr %{{.*}}[%{{.*}}] :
// PTX-LABEL: .visible .entry halves(
// PTX: sub.rn.f32
mir.kernel @halves(%x: !mir.slice<const f32>, %mid: i64, %i: i64, %out: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %len = mir.slice.len %x : !mir.slice<const f32>
  %0 = llvm.icmp "ule" %mid, %len : i64
  mir.assert %0, "mid > len"
  llvm.br ^bb1
^bb1:
  %a = mir.subslice %x[%c0, %mid] : !mir.slice<const f32>
  %rest = llvm.sub %len, %mid overflow<nuw> : i64
  %b = mir.subslice %x[%mid, %rest] : !mir.slice<const f32>
  %n = mir.slice.len %b : !mir.slice<const f32>
  %1 = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %1, ^bb2, ^bb3
^bb2:
  %2 = mir.index_addr %b[%i] : !mir.slice<const f32>
  %3 = llvm.load %2 : !llvm.ptr -> f32
  %4 = mir.index_addr %a[%c0] : !mir.slice<const f32>
  %5 = llvm.load %4 : !llvm.ptr -> f32
  %6 = llvm.fsub %3, %5 : f32
  llvm.store %6, %out : f32, !llvm.ptr
  llvm.br ^bb3
^bb3:
  mir.return
}
