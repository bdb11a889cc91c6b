// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-opt %s -convert-mir-to-llvm | FileCheck %s
// RUN: %tessera-opt %s -convert-mir-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_90 -mattr=+ptx78 | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: llvm.func @parameters(
// CHECK-SAME:    %{{[^:]*}}: f32, %{{[^:]*}}: !llvm.ptr,
// CHECK-SAME:    %[[X:[^:]*]]: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.struct<(ptr, i64)>},
// CHECK-SAME:    %{{[^:]*}}: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.struct<(ptr, i64)>},
// CHECK-SAME:    %{{[^:]*}}: !llvm.ptr {llvm.align = 4 : i64, llvm.byval = !llvm.struct<(i32, i32, i32)>})
// CHECK-SAME:  attributes {nvvm.kernel}
// CHECK-NOT: mir.
// CHECK-DAG: llvm.load %[[X]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-DAG: %[[PLACE:.*]] = llvm.getelementptr inbounds %[[X]][0, 1]
// CHECK-DAG: llvm.load %[[PLACE]] {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK: llvm.return

// PTX-LABEL: .entry parameters(
// PTX-NEXT: .param .f32 parameters_param_0,
// PTX-NEXT: .param .u64 .ptr .align 1 parameters_param_1,
// PTX-NEXT: .param .align 8 .b8 parameters_param_2[16],
// PTX-NEXT: .param .align 8 .b8 parameters_param_3[16],
// PTX-NEXT: .param .align 4 .b8 parameters_param_4[12]
mir.kernel @parameters(%a: f32 {mir.name = "a", mir.size = 4 : i64}, %p: !llvm.ptr,
                       %x: !mir.slice<const f32> {mir.name = "x"}, %y: !mir.disjoint_slice<f32>,
                       %v: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32, i32)>, llvm.align = 4 : i64}) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %w = mir.thread_index
  %to = mir.disjoint_addr %y[%w] : !mir.disjoint_slice<f32>
  %from = mir.index_addr %x[%c0] in_bounds : !mir.slice<const f32>
  %0 = llvm.load %from : !llvm.ptr -> f32
  llvm.store %0, %to : f32, !llvm.ptr
  mir.return
}

// CHECK-LABEL: llvm.func @bounds()
// CHECK-SAME:    nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.kernel, nvvm.minctasm = 2 : i32,
// CHECK-SAME:    nvvm.reqntid = array<i32: 16, 16, 1>
// PTX-LABEL: .entry bounds(
// PTX-DAG: .reqntid 16, 16, 1
// PTX-DAG: .minnctapersm 2
// PTX-DAG: .reqnctapercluster 2, 1, 1
mir.kernel @bounds() attributes {block = array<i32: 16, 16, 1>, min_blocks = 2 : i32, cluster = array<i32: 2, 1, 1>} {
  mir.return
}

// CHECK-LABEL: llvm.func @max_threads()
// CHECK-SAME:    nvvm.maxntid = array<i32: 256>
// PTX-LABEL: .entry max_threads(
// PTX: .maxntid 256
mir.kernel @max_threads() attributes {max_threads = 256 : i32} {
  mir.return
}

// CHECK-LABEL: llvm.func @index(
// CHECK: %[[B:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK: %[[BLOCK:.*]] = llvm.zext %[[B]] : i32 to i64
// CHECK: %[[N:.*]] = nvvm.read.ptx.sreg.ntid.x : i32
// CHECK: %[[SIZE:.*]] = llvm.zext %[[N]] : i32 to i64
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK: %[[THREAD:.*]] = llvm.zext %[[T]] : i32 to i64
// CHECK: %[[FIRST:.*]] = llvm.mul %[[BLOCK]], %[[SIZE]] overflow<nsw, nuw> : i64
// CHECK: %[[INDEX:.*]] = llvm.add %[[FIRST]], %[[THREAD]] overflow<nsw, nuw> : i64
// CHECK: llvm.return %[[INDEX]]
llvm.func @index() -> i64 {
  %w = mir.thread_index
  %i = mir.witness.index %w
  llvm.return %i : i64
}

// Ops of arith and cf go as well, with slices as arguments of blocks.
// CHECK-LABEL: llvm.func @blocks(
// CHECK: llvm.add
// CHECK: llvm.cond_br %{{.*}}, ^bb1(%{{.*}} : !llvm.struct<(ptr, i64)>), ^bb1(%{{.*}} : !llvm.struct<(ptr, i64)>)
// CHECK: ^bb1(%[[S:.*]]: !llvm.struct<(ptr, i64)>):
// CHECK: llvm.extractvalue %[[S]][1]
mir.kernel @blocks(%c: i1, %s: !mir.slice<f32>, %t: !mir.slice<f32>, %p: !llvm.ptr, %i: i64) {
  %0 = arith.addi %i, %i : i64
  cf.cond_br %c, ^join(%s : !mir.slice<f32>), ^join(%t : !mir.slice<f32>)
^join(%u: !mir.slice<f32>):
  %n = mir.slice.len %u : !mir.slice<f32>
  %m = llvm.add %n, %0 : i64
  llvm.store %m, %p : i64, !llvm.ptr
  mir.return
}
