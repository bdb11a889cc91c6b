// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions are inlined into kernels and into each other; their ops of
// this dialect and their stack variables come with them.
//
// RUN: %tessera-opt %s -inline -mlir-print-debuginfo | FileCheck %s

llvm.func @scale(%s: !llvm.ptr, %n: i64, %i: i64) -> f32 attributes {sym_visibility = "private"} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %local = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
  %slice = mir.slice.make %s, %n : !mir.slice<f32>
  %p = mir.index_addr %slice[%i] : !mir.slice<f32> loc("span.h":10:5)
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.store %v, %local : f32, !llvm.ptr
  %w = llvm.load %local : !llvm.ptr -> f32
  llvm.return %w : f32
}

llvm.func @stay(%c: i1) attributes {no_inline} {
  mir.assert %c, "c"
  llvm.return
}

// CHECK-LABEL: mir.kernel @kernel(
// The variable lies in the kernel's first block.
// CHECK-NEXT: llvm.mlir.constant
// CHECK-NEXT: llvm.alloca
// CHECK: ^bb1
// CHECK: mir.index_addr %{{.*}} loc(#[[CALL:.*]])
// CHECK-NOT: llvm.call @scale
// CHECK: llvm.call @stay
// CHECK: mir.return
mir.kernel @kernel(%p: !llvm.ptr, %n: i64, %i: i64, %c: i1) {
  llvm.cond_br %c, ^then, ^done
^then:
  %v = llvm.call @scale(%p, %n, %i) : (!llvm.ptr, i64, i64) -> f32 loc("user.cpp":7:3)
  llvm.store %v, %p : f32, !llvm.ptr
  llvm.call @stay(%c) : (i1) -> ()
  llvm.br ^done
^done:
  mir.return
}

// CHECK-DAG: #[[HEADER:.*]] = loc("span.h":10:5)
// CHECK-DAG: #[[USER:.*]] = loc("user.cpp":7:3)
// CHECK: #[[CALL]] = loc(callsite(#[[HEADER]] at #[[USER]]))
