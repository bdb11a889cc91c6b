// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A `for` over a slice: an iterator of two pointers, `next` giving an optional
// reference, whose null is `None`:
//
//   fn largest(x: &[u32]) -> u32 { let mut m = 0; for v in x { if *v > m { m = *v } } m }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

!iter = !llvm.struct<(ptr, ptr)>

// CHECK-LABEL: mir.kernel @largest(
// CHECK-NOT: llvm.alloca
// CHECK: ^{{.*}}(%{{.*}}: i32, %{{.*}}: !llvm.ptr):
// CHECK: mir.return
// PTX-LABEL: .visible .entry largest(
// PTX: max.u32
mir.kernel @largest(%x: !mir.slice<const i32>, %out: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %m = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %iter = llvm.alloca %one x !iter : (i32) -> !llvm.ptr
  %next = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %ptr = llvm.getelementptr inbounds %iter[0, 0] : (!llvm.ptr) -> !llvm.ptr, !iter
  %end = llvm.getelementptr inbounds %iter[0, 1] : (!llvm.ptr) -> !llvm.ptr, !iter
  %first = mir.slice.ptr %x : !mir.slice<const i32>
  %len = mir.slice.len %x : !mir.slice<const i32>
  %last = llvm.getelementptr inbounds %first[%len] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %first, %ptr : !llvm.ptr, !llvm.ptr
  llvm.store %last, %end : !llvm.ptr, !llvm.ptr
  llvm.store %c0, %m : i32, !llvm.ptr
  llvm.br ^loop
^loop:
  %0 = llvm.load %ptr : !llvm.ptr -> !llvm.ptr
  %1 = llvm.load %end : !llvm.ptr -> !llvm.ptr
  %2 = llvm.icmp "eq" %0, %1 : !llvm.ptr
  llvm.cond_br %2, ^empty, ^advance
^empty:
  llvm.store %null, %next : !llvm.ptr, !llvm.ptr
  llvm.br ^match
^advance:
  %3 = llvm.getelementptr inbounds %0[1] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.store %3, %ptr : !llvm.ptr, !llvm.ptr
  llvm.store %0, %next : !llvm.ptr, !llvm.ptr
  llvm.br ^match
^match:
  %4 = llvm.load %next : !llvm.ptr -> !llvm.ptr
  %5 = llvm.icmp "eq" %4, %null : !llvm.ptr
  llvm.cond_br %5, ^done, ^some
^some:
  %v = llvm.load %4 : !llvm.ptr -> i32
  %6 = llvm.load %m : !llvm.ptr -> i32
  %7 = llvm.icmp "ugt" %v, %6 : i32
  llvm.cond_br %7, ^larger, ^loop
^larger:
  llvm.store %v, %m : i32, !llvm.ptr
  llvm.br ^loop
^done:
  %8 = llvm.load %m : !llvm.ptr -> i32
  llvm.store %8, %out : i32, !llvm.ptr
  mir.return
}
