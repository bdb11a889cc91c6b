// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slice is {ptr, len}; every index has its assert, and the second for the same
// index goes away:
//
//   fn bump(x: &mut [f32], i: usize) { x[i] = x[i] + 1.0; }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

!slice = !llvm.struct<(ptr, i64)>

// CHECK-LABEL: llvm.func @bump(
// CHECK-NOT: llvm.alloca
// CHECK-COUNT-1: mir.assert %{{.*}}, "index out of bounds"
// CHECK-NOT: mir.assert
// CHECK: llvm.return
// PTX-LABEL: .visible .func bump(
// PTX: setp
// PTX-NOT: setp
// PTX: add.rn.f32
// PTX: __tessera_trap
llvm.func @bump(%ptr: !llvm.ptr, %len: i64, %i: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %f1 = llvm.mlir.constant(1.0 : f32) : f32
  %_1 = llvm.alloca %one x !slice : (i32) -> !llvm.ptr
  %_2 = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %_3 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
  %_5 = llvm.alloca %one x i1 : (i32) -> !llvm.ptr
  %_1.ptr = llvm.getelementptr inbounds %_1[0, 0] : (!llvm.ptr) -> !llvm.ptr, !slice
  %_1.len = llvm.getelementptr inbounds %_1[0, 1] : (!llvm.ptr) -> !llvm.ptr, !slice
  llvm.store %ptr, %_1.ptr : !llvm.ptr, !llvm.ptr
  llvm.store %len, %_1.len : i64, !llvm.ptr
  llvm.store %i, %_2 : i64, !llvm.ptr
  llvm.br ^bb0
^bb0:
  %0 = llvm.load %_2 : !llvm.ptr -> i64
  %1 = llvm.load %_1.len : !llvm.ptr -> i64
  %2 = llvm.icmp "ult" %0, %1 : i64
  llvm.store %2, %_5 : i1, !llvm.ptr
  %3 = llvm.load %_5 : !llvm.ptr -> i1
  mir.assert %3, "index out of bounds"
  llvm.br ^bb1
^bb1:
  %4 = llvm.load %_1.ptr : !llvm.ptr -> !llvm.ptr
  %5 = llvm.load %_2 : !llvm.ptr -> i64
  %6 = llvm.getelementptr inbounds %4[%5] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %7 = llvm.load %6 : !llvm.ptr -> f32
  %8 = llvm.fadd %7, %f1 : f32
  llvm.store %8, %_3 : f32, !llvm.ptr
  %9 = llvm.load %_2 : !llvm.ptr -> i64
  %10 = llvm.load %_1.len : !llvm.ptr -> i64
  %11 = llvm.icmp "ult" %9, %10 : i64
  mir.assert %11, "index out of bounds"
  llvm.br ^bb2
^bb2:
  %12 = llvm.load %_1.ptr : !llvm.ptr -> !llvm.ptr
  %13 = llvm.load %_2 : !llvm.ptr -> i64
  %14 = llvm.getelementptr inbounds %12[%13] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %15 = llvm.load %_3 : !llvm.ptr -> f32
  llvm.store %15, %14 : f32, !llvm.ptr
  llvm.return
}
