// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A match on the discriminant of an enum; the way that no value takes is
// unreachable, and an arm panics:
//
//   enum Shape { Circle(f32), Square(f32), Empty }
//   fn area(s: Shape) -> f32 {
//     match s { Circle(r) => 3.0 * r * r, Square(a) => a * a, Empty => panic!("empty") }
//   }
//
// RUN: %tessera-opt %s -sroa -mem2reg -canonicalize -cse -mir-eliminate-bounds-checks -canonicalize -cse -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %tessera-opt %t.mlir -convert-mir-to-llvm -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=nvptx64-nvidia-cuda -S | llc -march=nvptx64 -mcpu=sm_75 \
// RUN:   | FileCheck %s --check-prefix=PTX

!shape = !llvm.struct<(i32, f32)>

// CHECK-LABEL: llvm.func @area(
// CHECK-NOT: llvm.alloca
// CHECK: llvm.switch
// CHECK: mir.trap user "empty"
// CHECK-NEXT: llvm.unreachable
// PTX-LABEL: .visible .func {{.*}}area(
// PTX-DAG: mul.rn.f32
// PTX-DAG: call.uni __tessera_trap
llvm.func @area(%tag: i32, %size: f32) -> f32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %f3 = llvm.mlir.constant(3.0 : f32) : f32
  %_0 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
  %_1 = llvm.alloca %one x !shape : (i32) -> !llvm.ptr
  %_1.tag = llvm.getelementptr inbounds %_1[0, 0] : (!llvm.ptr) -> !llvm.ptr, !shape
  %_1.size = llvm.getelementptr inbounds %_1[0, 1] : (!llvm.ptr) -> !llvm.ptr, !shape
  llvm.store %tag, %_1.tag : i32, !llvm.ptr
  llvm.store %size, %_1.size : f32, !llvm.ptr
  %0 = llvm.load %_1.tag : !llvm.ptr -> i32
  llvm.switch %0 : i32, ^otherwise [
    0: ^circle,
    1: ^square,
    2: ^empty
  ]
^otherwise:
  llvm.unreachable
^circle:
  %1 = llvm.load %_1.size : !llvm.ptr -> f32
  %2 = llvm.fmul %f3, %1 : f32
  %3 = llvm.fmul %2, %1 : f32
  llvm.store %3, %_0 : f32, !llvm.ptr
  llvm.br ^return
^square:
  %4 = llvm.load %_1.size : !llvm.ptr -> f32
  %5 = llvm.fmul %4, %4 : f32
  llvm.store %5, %_0 : f32, !llvm.ptr
  llvm.br ^return
^empty:
  mir.trap user "empty"
  llvm.unreachable
^return:
  %6 = llvm.load %_0 : !llvm.ptr -> f32
  llvm.return %6 : f32
}
