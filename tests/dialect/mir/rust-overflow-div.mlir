// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division is checked for zero and for the one quotient that does not fit,
// shifts for their amount:
//
//   fn div(a: i32, b: i32) -> i32 { a / b }
//   fn shl(a: u32, n: u32) -> u32 { a << (n & 31) }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: llvm.func @div(
// CHECK-NOT: llvm.alloca
// CHECK: mir.assert %{{.*}}, "attempt to divide `_1` by zero"
// CHECK: mir.assert %{{.*}}, "attempt to compute `_1 / _2`, which would overflow"
// CHECK: llvm.sdiv
// PTX-LABEL: .visible .func {{.*}}div(
// PTX: div.s32
llvm.func @div(%a: i32, %b: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %minus = llvm.mlir.constant(-1 : i32) : i32
  %least = llvm.mlir.constant(-2147483648 : i32) : i32
  %true = llvm.mlir.constant(true) : i1
  %_0 = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %_3 = llvm.alloca %one x i1 : (i32) -> !llvm.ptr
  %_6 = llvm.alloca %one x i1 : (i32) -> !llvm.ptr
  %0 = llvm.icmp "eq" %b, %zero : i32
  llvm.store %0, %_3 : i1, !llvm.ptr
  %1 = llvm.load %_3 : !llvm.ptr -> i1
  %2 = llvm.xor %1, %true : i1
  mir.assert %2, "attempt to divide `_1` by zero"
  llvm.br ^bb1
^bb1:
  %3 = llvm.icmp "eq" %b, %minus : i32
  %4 = llvm.icmp "eq" %a, %least : i32
  %5 = llvm.and %3, %4 : i1
  llvm.store %5, %_6 : i1, !llvm.ptr
  %6 = llvm.load %_6 : !llvm.ptr -> i1
  %7 = llvm.xor %6, %true : i1
  mir.assert %7, "attempt to compute `_1 / _2`, which would overflow"
  llvm.br ^bb2
^bb2:
  %8 = llvm.sdiv %a, %b : i32
  llvm.store %8, %_0 : i32, !llvm.ptr
  %9 = llvm.load %_0 : !llvm.ptr -> i32
  llvm.return %9 : i32
}

// The amount is masked: the check goes.
// CHECK-LABEL: llvm.func @shl(
// CHECK-NOT: mir.assert
// CHECK: llvm.shl
// PTX-LABEL: .visible .func {{.*}}shl(
// PTX: shl.b32
llvm.func @shl(%a: i32, %n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %mask = llvm.mlir.constant(31 : i32) : i32
  %width = llvm.mlir.constant(32 : i32) : i32
  %_3 = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %0 = llvm.and %n, %mask : i32
  llvm.store %0, %_3 : i32, !llvm.ptr
  %1 = llvm.load %_3 : !llvm.ptr -> i32
  %2 = llvm.icmp "ult" %1, %width : i32
  mir.assert %2, "attempt to compute `_1 << _3`, which would overflow"
  llvm.br ^bb1
^bb1:
  %3 = llvm.load %_3 : !llvm.ptr -> i32
  %4 = llvm.shl %a, %3 : i32
  llvm.return %4 : i32
}
