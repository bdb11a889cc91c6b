// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locals as stack slots; `a + b` with its overflow flag as a pair:
//
//   fn add(a: u32, b: u32) -> u32 { a + b }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: llvm.func @add(
// CHECK-NOT: llvm.alloca
// CHECK: %[[PAIR:.*]] = llvm.call_intrinsic "llvm.uadd.with.overflow.i32"
// CHECK: mir.assert %{{.*}}, "attempt to compute `_1 + _2`, which would overflow"
// CHECK: llvm.return
// PTX-LABEL: .visible .func {{.*}}add(
// PTX: add.s32
// PTX: setp
// PTX: call.uni __tessera_trap
llvm.func @add(%a: i32, %b: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %true = llvm.mlir.constant(true) : i1
  %_0 = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %_1 = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %_2 = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %_3 = llvm.alloca %one x !llvm.struct<(i32, i1)> : (i32) -> !llvm.ptr
  llvm.store %a, %_1 : i32, !llvm.ptr
  llvm.store %b, %_2 : i32, !llvm.ptr
  llvm.br ^bb0
^bb0:
  %0 = llvm.load %_1 : !llvm.ptr -> i32
  %1 = llvm.load %_2 : !llvm.ptr -> i32
  %2 = llvm.call_intrinsic "llvm.uadd.with.overflow.i32"(%0, %1) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %sum = llvm.extractvalue %2[0] : !llvm.struct<(i32, i1)>
  %over = llvm.extractvalue %2[1] : !llvm.struct<(i32, i1)>
  %_3.0 = llvm.getelementptr inbounds %_3[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i1)>
  %_3.1 = llvm.getelementptr inbounds %_3[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i1)>
  llvm.store %sum, %_3.0 : i32, !llvm.ptr
  llvm.store %over, %_3.1 : i1, !llvm.ptr
  %3 = llvm.load %_3.1 : !llvm.ptr -> i1
  %4 = llvm.xor %3, %true : i1
  mir.assert %4, "attempt to compute `_1 + _2`, which would overflow"
  llvm.br ^bb1
^bb1:
  %5 = llvm.load %_3.0 : !llvm.ptr -> i32
  llvm.store %5, %_0 : i32, !llvm.ptr
  %6 = llvm.load %_0 : !llvm.ptr -> i32
  llvm.return %6 : i32
}
