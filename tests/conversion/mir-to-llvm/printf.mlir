// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-opt %s -convert-mir-to-llvm | FileCheck %s
// RUN: %tessera-opt %s -convert-mir-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_75 | FileCheck %s --check-prefix=PTX

// CHECK: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// PTX: .extern .func (.param .b32 func_retval0) vprintf

llvm.mlir.global private constant @format("x = %d, %f\0A\00")

// The buffer lies in the first block, also for a call in a loop.
// CHECK-LABEL: llvm.func @print(
// CHECK-SAME:    %[[N:.*]]: i32, %[[X:.*]]: f64, %{{.*}}: i1)
// CHECK: %[[BUFFER:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, f64)> {alignment = 8 : i64}
// CHECK: ^bb1:
// CHECK: %[[FORMAT:.*]] = llvm.mlir.addressof @format
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[BUFFER]][0, 0]
// CHECK: llvm.store %[[N]], %[[P0]] : i32
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[BUFFER]][0, 1]
// CHECK: llvm.store %[[X]], %[[P1]] : f64
// CHECK: llvm.call @vprintf(%[[FORMAT]], %[[BUFFER]])
// PTX-LABEL: .entry print(
// PTX: st.local.b32 [%[[B:.*]]], %
// PTX: st.local.b64 [%[[B]]+8], %
// PTX: call.uni (retval0), vprintf
mir.kernel @print(%n: i32, %x: f64, %c: i1) {
  llvm.br ^loop
^loop:
  %f = llvm.mlir.addressof @format : !llvm.ptr
  %0 = mir.printf %f(%n, %x : i32, f64)
  llvm.cond_br %c, ^loop, ^done
^done:
  mir.return
}

// CHECK-LABEL: llvm.func @print_text(
// CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: llvm.call @vprintf(%{{.*}}, %[[NULL]])
mir.kernel @print_text(%f: !llvm.ptr) {
  %0 = mir.printf %f()
  mir.return
}
