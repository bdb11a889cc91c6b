// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-opt %s --pass-pipeline='builtin.module(any(mir-sroa))' | FileCheck %s
//
// An aggregate is split only where its address stays known. Upstream's sroa of
// LLVM 22 shrinks @escapes's array to one element.

// CHECK-LABEL: llvm.func @known
// CHECK-NOT: llvm.struct
// CHECK: llvm.return
llvm.func @known(%x: i64) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %pair = llvm.alloca %one x !llvm.struct<(i64, i64)> : (i32) -> !llvm.ptr
  %second = llvm.getelementptr %pair[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64)>
  llvm.store %x, %second : i64, !llvm.ptr
  %y = llvm.load %second : !llvm.ptr -> i64
  llvm.return %y : i64
}

// CHECK-LABEL: llvm.func @escapes
// CHECK: llvm.alloca %{{.*}} x !llvm.array<3 x i32>
llvm.func @escapes(%where: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %array = llvm.alloca %one x !llvm.array<3 x i32> : (i32) -> !llvm.ptr
  %first = llvm.getelementptr %array[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<3 x i32>
  llvm.store %first, %where : !llvm.ptr, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @indexed
// CHECK: llvm.alloca %{{.*}} x !llvm.array<3 x i32>
llvm.func @indexed(%i: i64) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %array = llvm.alloca %one x !llvm.array<3 x i32> : (i32) -> !llvm.ptr
  %element = llvm.getelementptr %array[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i32>
  %x = llvm.load %element : !llvm.ptr -> i32
  llvm.return %x : i32
}
