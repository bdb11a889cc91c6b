// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A `for` over a range: the iterator in a local, `next` giving an `Option` whose
// discriminant is matched; the index needs no check:
//
//   fn sum(x: &[f32]) -> f32 { let mut s = 0.0; for i in 0..x.len() { s += x[i]; } s }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

!range = !llvm.struct<(i64, i64)>
!option = !llvm.struct<(i64, i64)>

// CHECK-LABEL: llvm.func @sum(
// CHECK-NOT: llvm.alloca
// CHECK-NOT: mir.bounds_check
// CHECK: llvm.fadd
// CHECK-NOT: mir.bounds_check
// CHECK: llvm.return
// PTX-LABEL: .visible .func {{.*}}sum(
// PTX-NOT: __tessera_trap
// PTX: add.rn.f32
// PTX: ret;
llvm.func @sum(%ptr: !llvm.ptr, %len: i64) -> f32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %f0 = llvm.mlir.constant(0.0 : f32) : f32
  %_2 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
  %iter = llvm.alloca %one x !range : (i32) -> !llvm.ptr
  %next = llvm.alloca %one x !option : (i32) -> !llvm.ptr
  %start = llvm.getelementptr inbounds %iter[0, 0] : (!llvm.ptr) -> !llvm.ptr, !range
  %end = llvm.getelementptr inbounds %iter[0, 1] : (!llvm.ptr) -> !llvm.ptr, !range
  %discriminant = llvm.getelementptr inbounds %next[0, 0] : (!llvm.ptr) -> !llvm.ptr, !option
  %payload = llvm.getelementptr inbounds %next[0, 1] : (!llvm.ptr) -> !llvm.ptr, !option
  llvm.store %f0, %_2 : f32, !llvm.ptr
  llvm.store %c0, %start : i64, !llvm.ptr
  llvm.store %len, %end : i64, !llvm.ptr
  llvm.br ^loop
^loop:
  %0 = llvm.load %start : !llvm.ptr -> i64
  %1 = llvm.load %end : !llvm.ptr -> i64
  %2 = llvm.icmp "ult" %0, %1 : i64
  llvm.cond_br %2, ^some, ^none
^some:
  %3 = llvm.load %start : !llvm.ptr -> i64
  %4 = llvm.add %3, %c1 overflow<nuw> : i64
  llvm.store %4, %start : i64, !llvm.ptr
  llvm.store %c1, %discriminant : i64, !llvm.ptr
  llvm.store %3, %payload : i64, !llvm.ptr
  llvm.br ^body
^body:
  %i = llvm.load %payload : !llvm.ptr -> i64
  %j = mir.bounds_check %i, %len
  %5 = llvm.getelementptr inbounds %ptr[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %6 = llvm.load %5 : !llvm.ptr -> f32
  %7 = llvm.load %_2 : !llvm.ptr -> f32
  %8 = llvm.fadd %7, %6 : f32
  llvm.store %8, %_2 : f32, !llvm.ptr
  llvm.br ^loop
^none:
  llvm.store %c0, %discriminant : i64, !llvm.ptr
  %9 = llvm.load %_2 : !llvm.ptr -> f32
  llvm.return %9 : f32
}
