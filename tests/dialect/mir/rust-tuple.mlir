// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuples are copied and moved as bytes and come apart into their fields:
//
//   fn swap(t: (u32, f32)) -> (f32, u32) { let u = t; (u.1, u.0) }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

!pair = !llvm.struct<(i32, f32)>
!swapped = !llvm.struct<(f32, i32)>

// CHECK-LABEL: llvm.func @swap(
// CHECK-SAME:    %[[N:.*]]: i32, %[[X:.*]]: f32, %[[OUT:.*]]: !llvm.ptr)
// CHECK-NOT: llvm.alloca
// CHECK-NOT: llvm.intr.memcpy
// CHECK-DAG: llvm.store %[[X]], %{{.*}} : f32
// CHECK-DAG: llvm.store %[[N]], %{{.*}} : i32
// CHECK: llvm.return
// PTX-LABEL: .visible .func swap(
// PTX-NOT: .local
// PTX: ret;
llvm.func @swap(%n: i32, %x: f32, %out: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %_1 = llvm.alloca %one x !pair : (i32) -> !llvm.ptr
  %_2 = llvm.alloca %one x !pair : (i32) -> !llvm.ptr
  %_1.0 = llvm.getelementptr inbounds %_1[0, 0] : (!llvm.ptr) -> !llvm.ptr, !pair
  %_1.1 = llvm.getelementptr inbounds %_1[0, 1] : (!llvm.ptr) -> !llvm.ptr, !pair
  llvm.store %n, %_1.0 : i32, !llvm.ptr
  llvm.store %x, %_1.1 : f32, !llvm.ptr
  "llvm.intr.memcpy.inline"(%_2, %_1) <{isVolatile = false, len = 8 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
  %_2.0 = llvm.getelementptr inbounds %_2[0, 0] : (!llvm.ptr) -> !llvm.ptr, !pair
  %_2.1 = llvm.getelementptr inbounds %_2[0, 1] : (!llvm.ptr) -> !llvm.ptr, !pair
  %0 = llvm.load %_2.1 : !llvm.ptr -> f32
  %1 = llvm.load %_2.0 : !llvm.ptr -> i32
  %out.0 = llvm.getelementptr inbounds %out[0, 0] : (!llvm.ptr) -> !llvm.ptr, !swapped
  %out.1 = llvm.getelementptr inbounds %out[0, 1] : (!llvm.ptr) -> !llvm.ptr, !swapped
  llvm.store %0, %out.0 : f32, !llvm.ptr
  llvm.store %1, %out.1 : i32, !llvm.ptr
  llvm.return
}
