// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A span object in memory, as clang makes it, becomes values; after that the
// check in the loop is known to hold.
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks \
// RUN:   | FileCheck %s

!span = !llvm.struct<"class.tessera::span", (ptr, i64)>

// CHECK-LABEL: mir.kernel @sum(
// CHECK-SAME:    %[[X:.*]]: !mir.slice<const f32>
// CHECK-NOT: llvm.alloca
// CHECK-NOT: mir.slice.make
// CHECK: mir.index_addr %[[X]][%{{.*}}] in_bounds
// CHECK: mir.return
mir.kernel @sum(%x: !mir.slice<const f32>, %out: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %f0 = llvm.mlir.constant(0.0 : f32) : f32
  %object = llvm.alloca %one x !span : (i32) -> !llvm.ptr
  %i_slot = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %sum_slot = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
  %address = mir.slice.ptr %x : !mir.slice<const f32>
  %length = mir.slice.len %x : !mir.slice<const f32>
  %address_slot = llvm.getelementptr inbounds %object[0, 0] : (!llvm.ptr) -> !llvm.ptr, !span
  %length_slot = llvm.getelementptr inbounds %object[0, 1] : (!llvm.ptr) -> !llvm.ptr, !span
  llvm.store %address, %address_slot : !llvm.ptr, !llvm.ptr
  llvm.store %length, %length_slot : i64, !llvm.ptr
  llvm.store %c0, %i_slot : i64, !llvm.ptr
  llvm.store %f0, %sum_slot : f32, !llvm.ptr
  llvm.br ^head
^head:
  %i = llvm.load %i_slot : !llvm.ptr -> i64
  %n = llvm.load %length_slot : !llvm.ptr -> i64
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %c, ^body, ^exit
^body:
  %a = llvm.load %address_slot : !llvm.ptr -> !llvm.ptr
  %m = llvm.load %length_slot : !llvm.ptr -> i64
  %j = llvm.load %i_slot : !llvm.ptr -> i64
  %s = mir.slice.make %a, %m : !mir.slice<const f32>
  %p = mir.index_addr %s[%j] : !mir.slice<const f32>
  %v = llvm.load %p : !llvm.ptr -> f32
  %old = llvm.load %sum_slot : !llvm.ptr -> f32
  %new = llvm.fadd %old, %v : f32
  llvm.store %new, %sum_slot : f32, !llvm.ptr
  %next = llvm.add %j, %c1 : i64
  llvm.store %next, %i_slot : i64, !llvm.ptr
  llvm.br ^head
^exit:
  %result = llvm.load %sum_slot : !llvm.ptr -> f32
  llvm.store %result, %out : f32, !llvm.ptr
  mir.return
}
