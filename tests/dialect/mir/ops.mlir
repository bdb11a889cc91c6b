// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op and type prints as it reads, as text and through bytecode.
//
// RUN: %tessera-opt %s | FileCheck %s
// RUN: %tessera-opt %s | %tessera-opt | FileCheck %s
// RUN: %tessera-opt %s --emit-bytecode | %tessera-opt | FileCheck %s

// CHECK: mir.shared @tile : !llvm.array<256 x f32> align 16
mir.shared @tile : !llvm.array<256 x f32> align 16
// CHECK: mir.shared @counter : i32 align 4 {source_name = "app::counter", sym_visibility = "private"}
mir.shared @counter : i32 align 4 {source_name = "app::counter", sym_visibility = "private"}

// CHECK: mir.constant @weights : !llvm.array<4 x f32> align 4{{$}}
mir.constant @weights : !llvm.array<4 x f32> align 4
// CHECK: mir.constant @answer : i32 align 4 = 42 : i32 attributes {source_name = "answer"}
mir.constant @answer : i32 align 4 = 42 : i32 attributes {source_name = "answer"}
// CHECK: mir.constant @origin : !llvm.struct<(i32, i32)> align 4 {
// CHECK:   mir.yield %{{.*}} : !llvm.struct<(i32, i32)>
mir.constant @origin : !llvm.struct<(i32, i32)> align 4 {
  %0 = llvm.mlir.zero : !llvm.struct<(i32, i32)>
  mir.yield %0 : !llvm.struct<(i32, i32)>
}

// CHECK-LABEL: mir.kernel @saxpy(
// CHECK-SAME:    %a: f32 {mir.align = 4 : i64, mir.name = "a", mir.size = 4 : i64, mir.type = "float"},
// CHECK-SAME:    %x: !mir.slice<const f32> {mir.name = "x", mir.type = "tessera::span<const float>"},
// CHECK-SAME:    %y: !mir.disjoint_slice<f32> {mir.name = "y"})
// CHECK-SAME:  attributes {block = array<i32: 256, 1, 1>, source_name = "saxpy"} {
mir.kernel @saxpy(
    %a: f32 {mir.align = 4 : i64, mir.name = "a", mir.size = 4 : i64, mir.type = "float"},
    %x: !mir.slice<const f32> {mir.name = "x", mir.type = "tessera::span<const float>"},
    %y: !mir.disjoint_slice<f32> {mir.name = "y"})
    attributes {source_name = "saxpy", block = array<i32: 256, 1, 1>} {
  // CHECK: %[[W:.*]] = mir.thread_index
  %w = mir.thread_index
  // CHECK: %[[P:.*]] = mir.disjoint_addr %y[%[[W]]] : !mir.disjoint_slice<f32>
  %p = mir.disjoint_addr %y[%w] : !mir.disjoint_slice<f32>
  %null = llvm.mlir.zero : !llvm.ptr
  %inside = llvm.icmp "ne" %p, %null : !llvm.ptr
  llvm.cond_br %inside, ^write, ^done
^write:
  // CHECK: %[[I:.*]] = mir.witness.index %[[W]]
  %i = mir.witness.index %w
  // CHECK: %[[Q:.*]] = mir.index_addr %x[%[[I]]] {expression = "x[i]"} : !mir.slice<const f32>
  %q = mir.index_addr %x[%i] {expression = "x[i]"} : !mir.slice<const f32>
  %v = llvm.load %q : !llvm.ptr -> f32
  %av = llvm.fmul %a, %v : f32
  llvm.store %av, %p : f32, !llvm.ptr
  llvm.br ^done
^done:
  // CHECK: mir.return
  mir.return
}

// CHECK-LABEL: mir.kernel @bounded()
// CHECK-SAME:    attributes {cluster = array<i32: 2, 1, 1>, max_threads = 512 : i32, min_blocks = 2 : i32}
mir.kernel @bounded() attributes {max_threads = 512 : i32, min_blocks = 2 : i32, cluster = array<i32: 2, 1, 1>} {
  mir.return
}

// CHECK-LABEL: mir.kernel @by_value(%{{.*}}: !llvm.ptr {llvm.byval = !llvm.struct<(i32, f64)>})
mir.kernel @by_value(%body: !llvm.ptr {llvm.byval = !llvm.struct<(i32, f64)>}) {
  mir.return
}

// CHECK-LABEL: llvm.func @slices(
llvm.func @slices(%p: !llvm.ptr, %n: i64, %i: i64) {
  // CHECK: %[[S:.*]] = mir.slice.make %{{.*}}, %{{.*}} : !mir.slice<!llvm.array<12 x i8>>
  %s = mir.slice.make %p, %n : !mir.slice<!llvm.array<12 x i8>>
  // CHECK: mir.slice.ptr %[[S]] : !mir.slice<!llvm.array<12 x i8>>
  %0 = mir.slice.ptr %s : !mir.slice<!llvm.array<12 x i8>>
  // CHECK: mir.slice.len %[[S]] : !mir.slice<!llvm.array<12 x i8>>
  %1 = mir.slice.len %s : !mir.slice<!llvm.array<12 x i8>>
  // CHECK: mir.index_addr %[[S]][%{{.*}}] in_bounds : !mir.slice<!llvm.array<12 x i8>>
  %2 = mir.index_addr %s[%i] in_bounds : !mir.slice<!llvm.array<12 x i8>>
  // CHECK: mir.subslice %[[S]][%{{.*}}, %{{.*}}] : !mir.slice<!llvm.array<12 x i8>>
  %3 = mir.subslice %s[%i, %n] : !mir.slice<!llvm.array<12 x i8>>
  // CHECK: mir.subslice %[[S]][%{{.*}}, %{{.*}}] in_bounds {expression = "s.first(n)"}
  %4 = mir.subslice %s[%i, %n] in_bounds {expression = "s.first(n)"} : !mir.slice<!llvm.array<12 x i8>>
  // CHECK: mir.bounds_check %{{.*}}, %{{.*}}
  %5 = mir.bounds_check %i, %n
  // CHECK: %[[D:.*]] = mir.slice.make %{{.*}}, %{{.*}} : !mir.disjoint_slice<i8>
  %d = mir.slice.make %p, %n : !mir.disjoint_slice<i8>
  // CHECK: mir.slice.len %[[D]] : !mir.disjoint_slice<i8>
  %6 = mir.slice.len %d : !mir.disjoint_slice<i8>
  // CHECK: mir.witness.assume_unique %{{.*}}
  %w = mir.witness.assume_unique %i
  // A type for every element that C++ has.
  // CHECK: !mir.slice<bf16>
  %7 = mir.slice.make %p, %n : !mir.slice<bf16>
  // CHECK: !mir.slice<const !llvm.ptr>
  %8 = mir.slice.make %p, %n : !mir.slice<const !llvm.ptr>
  // CHECK: !mir.slice<!llvm.struct<(i8, f64)>>
  %9 = mir.slice.make %p, %n : !mir.slice<!llvm.struct<(i8, f64)>>
  llvm.return
}

// CHECK-LABEL: llvm.func @memory(
llvm.func @memory() -> i64 {
  // CHECK: mir.shared_addr @tile
  %0 = mir.shared_addr @tile
  // CHECK: mir.constant_addr @weights
  %1 = mir.constant_addr @weights
  // CHECK: mir.dynamic_shared : !mir.slice<f32>
  %2 = mir.dynamic_shared : !mir.slice<f32>
  // CHECK: mir.dynamic_shared_size
  %3 = mir.dynamic_shared_size
  llvm.return %3 : i64
}

// CHECK-LABEL: llvm.func @messages(
llvm.func @messages(%c: i1, %f: !llvm.ptr, %x: f64, %n: i32) {
  // CHECK: mir.assert %{{.*}}, "n > 0"
  mir.assert %c, "n > 0"
  // CHECK: mir.printf %{{.*}}(%{{.*}}, %{{.*}} : f64, i32)
  %0 = mir.printf %f(%x, %n : f64, i32)
  // CHECK: mir.printf %{{.*}}()
  %1 = mir.printf %f()
  // CHECK: mir.trap user "no such mode"
  mir.trap user "no such mode"
  llvm.unreachable
}

// CHECK-LABEL: llvm.func @kinds(
llvm.func @kinds() {
  // CHECK: mir.trap bounds ""
  mir.trap bounds ""
  // CHECK: mir.trap range ""
  mir.trap range ""
  // CHECK: mir.trap assertion ""
  mir.trap assertion ""
  // CHECK: mir.trap unreachable ""
  mir.trap unreachable ""
  // CHECK: mir.trap exception "throw"
  mir.trap exception "throw"
  // CHECK: mir.trap alignment ""
  mir.trap alignment ""
  llvm.unreachable
}

// Slices pass through blocks in cf.
// CHECK-LABEL: llvm.func @through_blocks(
llvm.func @through_blocks(%c: i1, %p: !llvm.ptr, %n: i64) {
  %a = mir.slice.make %p, %n : !mir.slice<f32>
  // CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}} : !mir.slice<f32>), ^bb2
  cf.cond_br %c, ^bb1(%a : !mir.slice<f32>), ^bb2
^bb1(%s: !mir.slice<f32>):
  llvm.return
^bb2:
  llvm.return
}
