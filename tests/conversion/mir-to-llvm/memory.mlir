// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-opt %s -convert-mir-to-llvm | FileCheck %s
// RUN: %tessera-opt %s -convert-mir-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_75 | FileCheck %s --check-prefix=PTX

// PTX-DAG: .extern .shared .align 16 .b8 __tessera_dynamic_shared[];
// PTX-DAG: .const .align 4 .b8 weights[16];
// PTX-DAG: .const .align 4 .u32 answer = 42;

// CHECK-DAG: llvm.mlir.global external @__tessera_dynamic_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

// CHECK: llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f32> {
// CHECK-NEXT: %[[POISON:.*]] = llvm.mlir.poison
// CHECK-NEXT: llvm.return %[[POISON]]
mir.shared @tile : !llvm.array<256 x f32> align 16
// CHECK: llvm.mlir.global external constant @weights() {addr_space = 4 : i32, alignment = 4 : i64, externally_initialized} : !llvm.array<4 x f32> {
// CHECK-NEXT: llvm.mlir.zero
mir.constant @weights : !llvm.array<4 x f32> align 4
// CHECK: llvm.mlir.global external constant @answer(42 : i32) {addr_space = 4 : i32, alignment = 4 : i64, externally_initialized} : i32
mir.constant @answer : i32 align 4 = 42 : i32
// Nobody outside can set it.
// CHECK: llvm.mlir.global internal constant @table() {addr_space = 4 : i32, alignment = 4 : i64} : !llvm.struct<(i32, i32)> {
// CHECK-NEXT: %[[TABLE:.*]] = llvm.mlir.zero
// CHECK-NEXT: llvm.return %[[TABLE]]
mir.constant @table : !llvm.struct<(i32, i32)> align 4 attributes {sym_visibility = "private"} {
  %0 = llvm.mlir.zero : !llvm.struct<(i32, i32)>
  mir.yield %0 : !llvm.struct<(i32, i32)>
}

// CHECK-LABEL: llvm.func @addresses(
// PTX-LABEL: .entry addresses(
mir.kernel @addresses(%out: !llvm.ptr) {
  // CHECK: %[[S:.*]] = llvm.mlir.addressof @tile : !llvm.ptr<3>
  // CHECK: llvm.addrspacecast %[[S]] : !llvm.ptr<3> to !llvm.ptr
  // PTX: ld.volatile.shared.b32 %{{.*}}, [tile];
  %0 = mir.shared_addr @tile
  %1 = llvm.load volatile %0 : !llvm.ptr -> f32
  llvm.store volatile %1, %out : f32, !llvm.ptr
  // CHECK: %[[C:.*]] = llvm.mlir.addressof @answer : !llvm.ptr<4>
  // CHECK: llvm.addrspacecast %[[C]] : !llvm.ptr<4> to !llvm.ptr
  // The host may have set it: not folded.
  // PTX: ld.const.b32 %{{.*}}, [answer];
  %2 = mir.constant_addr @answer
  %3 = llvm.load %2 : !llvm.ptr -> i32
  llvm.store volatile %3, %out : i32, !llvm.ptr
  %4 = mir.constant_addr @weights
  llvm.store volatile %4, %out : !llvm.ptr, !llvm.ptr
  mir.return
}

// CHECK-LABEL: llvm.func @dynamic(
// PTX-LABEL: .entry dynamic(
mir.kernel @dynamic(%out: !llvm.ptr) {
  // CHECK: %[[D:.*]] = llvm.mlir.addressof @__tessera_dynamic_shared : !llvm.ptr<3>
  // CHECK: llvm.addrspacecast %[[D]]
  // CHECK: %[[SIZE:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.dynamic_smem_size"() : () -> i32
  // CHECK: %[[BYTES:.*]] = llvm.zext %[[SIZE]] : i32 to i64
  // CHECK: %[[TWELVE:.*]] = llvm.mlir.constant(12 : i64)
  // CHECK: llvm.udiv %[[BYTES]], %[[TWELVE]]
  // PTX: %dynamic_smem_size
  %s = mir.dynamic_shared : !mir.slice<!llvm.array<12 x i8>>
  %n = mir.slice.len %s : !mir.slice<!llvm.array<12 x i8>>
  %b = mir.dynamic_shared_size
  %sum = llvm.add %n, %b : i64
  llvm.store %sum, %out : i64, !llvm.ptr
  mir.return
}
