// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `&mut [f32]` on a GPU: every thread gets its own element or `None`:
//
//   #[kernel] fn scale(a: f32, mut y: DisjointSlice<f32>) {
//     let i = thread::index_1d();
//     if let Some(e) = y.get_mut(i) { *e = a * *e }
//   }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: mir.kernel @scale(
// CHECK-SAME:    %[[A:[^:]*]]: f32 {{.*}}, %[[Y:[^:]*]]: !mir.disjoint_slice<f32> {{.*}})
// CHECK-NOT: llvm.alloca
// CHECK: %[[W:.*]] = mir.thread_index
// CHECK: mir.disjoint_addr %[[Y]][%[[W]]]
// The test of the option is one of the index.
// CHECK: llvm.icmp "uge"
// CHECK-NOT: mir.assert
// CHECK: mir.return
// PTX-LABEL: .visible .entry scale(
// PTX-NEXT: .param .f32 scale_param_0,
// PTX-NEXT: .param .align 8 .b8 scale_param_1[16]
// PTX: setp
// PTX-NOT: setp
// PTX: mul.rn.f32
// PTX: ret;
mir.kernel @scale(%a: f32 {mir.name = "a", mir.type = "f32"},
                  %y: !mir.disjoint_slice<f32> {mir.name = "y", mir.type = "DisjointSlice<f32>"})
    attributes {source_name = "scale"} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %_4 = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %e = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %w = mir.thread_index
  %0 = mir.disjoint_addr %y[%w] : !mir.disjoint_slice<f32>
  llvm.store %0, %_4 : !llvm.ptr, !llvm.ptr
  %1 = llvm.load %_4 : !llvm.ptr -> !llvm.ptr
  %2 = llvm.icmp "eq" %1, %null : !llvm.ptr
  llvm.cond_br %2, ^none, ^some
^some:
  %3 = llvm.load %_4 : !llvm.ptr -> !llvm.ptr
  llvm.store %3, %e : !llvm.ptr, !llvm.ptr
  %4 = llvm.load %e : !llvm.ptr -> !llvm.ptr
  %5 = llvm.load %4 : !llvm.ptr -> f32
  %6 = llvm.fmul %a, %5 : f32
  %7 = llvm.load %e : !llvm.ptr -> !llvm.ptr
  llvm.store %6, %7 : f32, !llvm.ptr
  llvm.br ^none
^none:
  mir.return
}
