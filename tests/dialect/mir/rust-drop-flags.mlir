// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that is moved on one way only: a flag says at the end whether it must
// be dropped:
//
//   fn maybe(c: bool, g: Guard) { if c { consume(g) } }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: llvm.func @maybe(
// CHECK-NOT: llvm.alloca
// CHECK: llvm.cond_br
// CHECK: llvm.call @consume
// CHECK: llvm.call @drop_guard
// CHECK: llvm.return
// PTX-LABEL: .visible .func maybe(
// PTX-DAG: call.uni consume
// PTX-DAG: call.uni drop_guard
llvm.func @consume(i64)
llvm.func @drop_guard(i64)

llvm.func @maybe(%c: i1, %g: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %_2 = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %flag = llvm.alloca %one x i1 : (i32) -> !llvm.ptr
  llvm.store %false, %flag : i1, !llvm.ptr
  llvm.store %g, %_2 : i64, !llvm.ptr
  llvm.store %true, %flag : i1, !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.store %false, %flag : i1, !llvm.ptr
  %0 = llvm.load %_2 : !llvm.ptr -> i64
  llvm.call @consume(%0) : (i64) -> ()
  llvm.br ^bb3
^bb2:
  llvm.br ^bb3
^bb3:
  %1 = llvm.load %flag : !llvm.ptr -> i1
  llvm.cond_br %1, ^drop, ^end
^drop:
  %2 = llvm.load %_2 : !llvm.ptr -> i64
  llvm.call @drop_guard(%2) : (i64) -> ()
  llvm.br ^end
^end:
  llvm.return
}
