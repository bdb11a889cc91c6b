// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-opt %s -canonicalize -split-input-file | FileCheck %s

llvm.func @use(!llvm.ptr)
llvm.func @use_length(i64)

// CHECK-LABEL: @parts_of_a_slice(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i64)
llvm.func @parts_of_a_slice(%p: !llvm.ptr, %n: i64) {
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %q = mir.slice.ptr %s : !mir.slice<f32>
  %m = mir.slice.len %s : !mir.slice<f32>
  // CHECK-NOT: mir.slice
  // CHECK: llvm.call @use(%[[P]])
  llvm.call @use(%q) : (!llvm.ptr) -> ()
  // CHECK: llvm.call @use_length(%[[N]])
  llvm.call @use_length(%m) : (i64) -> ()
  llvm.return
}

// CHECK-LABEL: mir.kernel @slice_of_its_parts(
// CHECK-SAME:    %[[S:.*]]: !mir.slice<f32>, %[[I:.*]]: i64)
mir.kernel @slice_of_its_parts(%s: !mir.slice<f32>, %i: i64) {
  %p = mir.slice.ptr %s : !mir.slice<f32>
  %n = mir.slice.len %s : !mir.slice<f32>
  %t = mir.slice.make %p, %n : !mir.slice<f32>
  // CHECK: mir.index_addr %[[S]][%[[I]]]
  %a = mir.index_addr %t[%i] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  mir.return
}

// Another element type makes another slice.
// CHECK-LABEL: mir.kernel @slice_of_other_elements(
mir.kernel @slice_of_other_elements(%s: !mir.slice<f32>, %i: i64) {
  %p = mir.slice.ptr %s : !mir.slice<f32>
  %n = mir.slice.len %s : !mir.slice<f32>
  %t = mir.slice.make %p, %n : !mir.slice<i8>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] : !mir.slice<i8>
  %a = mir.index_addr %t[%i] : !mir.slice<i8>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  mir.return
}

// CHECK-LABEL: @constant_index(
llvm.func @constant_index(%p: !llvm.ptr) {
  %n = llvm.mlir.constant(4 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%three] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] :
  %b = mir.index_addr %s[%n] : !mir.slice<f32>
  llvm.call @use(%b) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK-LABEL: @constant_check(
llvm.func @constant_check() {
  // CHECK-DAG: %[[THREE:.*]] = llvm.mlir.constant(3 : i64)
  // CHECK-DAG: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
  %n = llvm.mlir.constant(4 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %a = mir.bounds_check %three, %n
  // CHECK: llvm.call @use_length(%[[THREE]])
  llvm.call @use_length(%a) : (i64) -> ()
  // CHECK: mir.bounds_check %[[FOUR]], %[[FOUR]]
  %b = mir.bounds_check %n, %n
  llvm.return
}

// CHECK-LABEL: @constant_part(
llvm.func @constant_part(%p: !llvm.ptr) {
  %two = llvm.mlir.constant(2 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %four = llvm.mlir.constant(4 : i64) : i64
  %big = llvm.mlir.constant(-1 : i64) : i64
  %s = mir.slice.make %p, %four : !mir.slice<f32>
  // CHECK: mir.subslice %{{.*}}[%{{.*}}, %{{.*}}] in_bounds
  %a = mir.subslice %s[%two, %two] : !mir.slice<f32>
  // CHECK: mir.subslice %{{.*}}[%{{.*}}, %{{.*}}] :
  %b = mir.subslice %s[%two, %three] : !mir.slice<f32>
  // The sum wraps: it must not look small.
  // CHECK: mir.subslice %{{.*}}[%{{.*}}, %{{.*}}] :
  %c = mir.subslice %s[%two, %big] : !mir.slice<f32>
  %pa = mir.slice.ptr %a : !mir.slice<f32>
  llvm.call @use(%pa) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK-LABEL: mir.kernel @whole_part(
// CHECK-SAME:    %[[S:.*]]: !mir.slice<f32>, %[[I:.*]]: i64)
mir.kernel @whole_part(%s: !mir.slice<f32>, %i: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %n = mir.slice.len %s : !mir.slice<f32>
  %t = mir.subslice %s[%zero, %n] : !mir.slice<f32>
  // CHECK-NOT: mir.subslice
  // CHECK: mir.index_addr %[[S]][%[[I]]]
  %a = mir.index_addr %t[%i] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  mir.return
}

// CHECK-LABEL: mir.kernel @length_of_a_part(
// CHECK-SAME:    %{{.*}}: !mir.slice<f32>, %{{.*}}: i64, %[[COUNT:.*]]: i64)
mir.kernel @length_of_a_part(%s: !mir.slice<f32>, %from: i64, %count: i64) {
  // The check stays although nothing needs the part.
  // CHECK: mir.subslice
  %t = mir.subslice %s[%from, %count] : !mir.slice<f32>
  %n = mir.slice.len %t : !mir.slice<f32>
  // CHECK: llvm.call @use_length(%[[COUNT]])
  llvm.call @use_length(%n) : (i64) -> ()
  mir.return
}

// A check whose result nobody uses stays; a place that is known goes.
// CHECK-LABEL: mir.kernel @unused(
mir.kernel @unused(%s: !mir.slice<f32>, %i: i64) {
  // CHECK-NEXT: mir.index_addr
  // CHECK-NEXT: mir.return
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  %b = mir.index_addr %s[%i] in_bounds : !mir.slice<f32>
  mir.return
}

// CHECK-LABEL: @witnesses(
// CHECK-SAME:    %[[I:.*]]: i64, %[[P:.*]]: !llvm.ptr)
llvm.func @witnesses(%i: i64, %p: !llvm.ptr) {
  // CHECK-NEXT: llvm.call @use_length(%[[I]])
  %w = mir.witness.assume_unique %i
  %j = mir.witness.index %w
  llvm.call @use_length(%j) : (i64) -> ()
  // CHECK-NEXT: %[[W:.*]] = mir.thread_index
  %t = mir.thread_index
  %k = mir.witness.index %t
  %u = mir.witness.assume_unique %k
  %d = mir.slice.make %p, %i : !mir.disjoint_slice<f32>
  // CHECK: mir.disjoint_addr %{{.*}}[%[[W]]]
  %a = mir.disjoint_addr %d[%u] : !mir.disjoint_slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK-LABEL: mir.kernel @null_test(
// CHECK-SAME:    %[[Y:.*]]: !mir.disjoint_slice<f32>)
mir.kernel @null_test(%y: !mir.disjoint_slice<f32>) {
  %w = mir.thread_index
  %p = mir.disjoint_addr %y[%w] : !mir.disjoint_slice<f32>
  %null = llvm.mlir.zero : !llvm.ptr
  // CHECK: %[[I:.*]] = mir.witness.index
  // CHECK: %[[N:.*]] = mir.slice.len %[[Y]]
  // CHECK: %[[C:.*]] = llvm.icmp "ult" %[[I]], %[[N]] : i64
  %c = llvm.icmp "ne" %p, %null : !llvm.ptr
  // CHECK: llvm.cond_br %[[C]]
  llvm.cond_br %c, ^write, ^done
^write:
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.br ^done
^done:
  mir.return
}

// CHECK-LABEL: @asserts(
llvm.func @asserts() {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  // CHECK-NOT: "holds"
  mir.assert %true, "holds"
  // CHECK: mir.assert %{{.*}}, "does not"
  mir.assert %false, "does not"
  llvm.return
}

// CHECK-LABEL: mir.kernel @after_a_trap(
mir.kernel @after_a_trap(%c: i1, %p: !llvm.ptr) {
  llvm.cond_br %c, ^fail, ^go
^fail:
  // CHECK: mir.trap user "no"
  // CHECK-NEXT: llvm.unreachable
  mir.trap user "no"
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.br ^go
^go:
  mir.return
}
// CHECK-NOT: llvm.call

// A place in a slice that was taken apart is a place in the slice, `const` or
// not.

// CHECK-LABEL: @const_slice
// CHECK-SAME: %[[S:.*]]: !mir.slice<const f32>
mir.kernel @const_slice(%s: !mir.slice<const f32>, %i: i64, %out: !llvm.ptr) {
  %p = mir.slice.ptr %s : !mir.slice<const f32>
  %n = mir.slice.len %s : !mir.slice<const f32>
  %t = mir.slice.make %p, %n : !mir.slice<f32>
  // CHECK-NEXT: mir.index_addr %[[S]][%{{.*}}] : !mir.slice<const f32>
  %a = mir.index_addr %t[%i] : !mir.slice<f32>
  %x = llvm.load %a : !llvm.ptr -> f32
  llvm.store %x, %out : f32, !llvm.ptr
  mir.return
}

// CHECK-LABEL: @other_length
mir.kernel @other_length(%s: !mir.slice<const f32>, %r: !mir.slice<const f32>, %i: i64, %out: !llvm.ptr) {
  %p = mir.slice.ptr %s : !mir.slice<const f32>
  %n = mir.slice.len %r : !mir.slice<const f32>
  %t = mir.slice.make %p, %n : !mir.slice<f32>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] : !mir.slice<f32>
  %a = mir.index_addr %t[%i] : !mir.slice<f32>
  %x = llvm.load %a : !llvm.ptr -> f32
  llvm.store %x, %out : f32, !llvm.ptr
  mir.return
}
