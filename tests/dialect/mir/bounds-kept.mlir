// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that must stay: each is one that some wrong rule would remove.
//
// RUN: %tessera-opt %s -mir-eliminate-bounds-checks | FileCheck %s --implicit-check-not=in_bounds

llvm.func @use(!llvm.ptr)

// CHECK-LABEL: mir.kernel @unknown(
mir.kernel @unknown(%s: !mir.slice<f32>, %i: i64) {
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// Another slice, another length.
// CHECK-LABEL: mir.kernel @other_slice(
mir.kernel @other_slice(%s: !mir.slice<f32>, %t: !mir.slice<f32>, %i: i64) {
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  // CHECK: mir.index_addr
  %b = mir.index_addr %t[%i] : !mir.slice<f32>
  mir.return
}

// The check is on one way only.
// CHECK-LABEL: mir.kernel @one_way(
mir.kernel @one_way(%s: !mir.slice<f32>, %i: i64, %c: i1) {
  llvm.cond_br %c, ^check, ^join
^check:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^join
^join:
  // CHECK: mir.index_addr
  %b = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// The other side of the condition.
// CHECK-LABEL: mir.kernel @other_side(
mir.kernel @other_side(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %c, ^out, ^in
^in:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// Both edges lead here: the condition tells nothing.
// CHECK-LABEL: mir.kernel @both_edges(
mir.kernel @both_edges(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %c, ^in, ^in
^in:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// One too far.
// CHECK-LABEL: mir.kernel @off_by_one(
mir.kernel @off_by_one(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ule" %i, %n : i64
  llvm.cond_br %c, ^in, ^out
^in:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// Signed and perhaps negative.
// CHECK-LABEL: mir.kernel @negative(
mir.kernel @negative(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %c, ^in, ^out
^in:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// i + 1 < n, but the sum may wrap: i may be 2^64 - 1.
// CHECK-LABEL: mir.kernel @wrapping_sum(
mir.kernel @wrapping_sum(%s: !mir.slice<f32>, %i: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %n = mir.slice.len %s : !mir.slice<f32>
  %next = llvm.add %i, %one : i64
  %c = llvm.icmp "ult" %next, %n : i64
  llvm.cond_br %c, ^in, ^out
^in:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// i < n tells nothing about i + 1, and n > 0 nothing about i - 1.
// CHECK-LABEL: mir.kernel @neighbours(
mir.kernel @neighbours(%s: !mir.slice<f32>, %i: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  %next = llvm.add %i, %one overflow<nuw> : i64
  // CHECK: mir.index_addr
  %b = mir.index_addr %s[%next] : !mir.slice<f32>
  %previous = llvm.sub %i, %one : i64
  // CHECK: mir.index_addr
  %c = mir.index_addr %s[%previous] : !mir.slice<f32>
  mir.return
}

// The low half is below; the whole may not be.
// CHECK-LABEL: mir.kernel @truncated(
mir.kernel @truncated(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %low = llvm.trunc %i : i64 to i32
  %low_n = llvm.trunc %n : i64 to i32
  %c = llvm.icmp "ult" %low, %low_n : i32
  llvm.cond_br %c, ^in, ^out
^in:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// A disjunction that holds tells nothing about its parts.
// CHECK-LABEL: mir.kernel @disjunction(
mir.kernel @disjunction(%s: !mir.slice<f32>, %i: i64, %other: i1) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ult" %i, %n : i64
  %either = llvm.or %c, %other : i1
  llvm.cond_br %either, ^in, ^out
^in:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// Signed division and remainder may be negative.
// CHECK-LABEL: llvm.func @signed_remainder(
llvm.func @signed_remainder(%p: !llvm.ptr, %x: i64) {
  %n = llvm.mlir.constant(16 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %i = llvm.srem %x, %n : i64
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.return
}

// A mask that is too wide by one.
// CHECK-LABEL: llvm.func @wide_mask(
llvm.func @wide_mask(%p: !llvm.ptr, %x: i64) {
  %n = llvm.mlir.constant(255 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %i = llvm.and %x, %n : i64
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.return
}

// Free block shape: up to 1024 threads.
// CHECK-LABEL: mir.kernel @free_shape(
mir.kernel @free_shape(%p: !llvm.ptr) {
  %n = llvm.mlir.constant(256 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %x = nvvm.read.ptx.sreg.tid.x : i32
  %i = llvm.zext %x : i32 to i64
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// In a device function the shape is the caller's.
// CHECK-LABEL: llvm.func @device_function(
llvm.func @device_function(%p: !llvm.ptr) {
  %n = llvm.mlir.constant(1023 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %x = nvvm.read.ptx.sreg.tid.x : i32
  %i = llvm.zext %x : i32 to i64
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.return
}

// A product of 32-bit thread indices wraps: no bound from the factors.
// CHECK-LABEL: llvm.func @wrapping_product(
llvm.func @wrapping_product(%p: !llvm.ptr, %x: i32, %y: i32) {
  %n = llvm.mlir.constant(1000 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %i32 = llvm.mul %x, %y : i32
  %i = llvm.zext %i32 : i32 to i64
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.return
}

// The loop's step may wrap below zero: the sum has no `nsw`.
// CHECK-LABEL: llvm.func @wrapping_loop(
llvm.func @wrapping_loop(%p: !llvm.ptr, %count: i32) {
  %n = llvm.sext %count : i32 to i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  %c = llvm.icmp "sle" %i, %count : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  %wide = llvm.sext %i : i32 to i64
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%wide] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  %next = llvm.add %i, %one : i32
  llvm.br ^head(%next : i32)
^exit:
  llvm.return
}

// The loop steps by a value, which may be negative.
// CHECK-LABEL: llvm.func @unknown_step(
llvm.func @unknown_step(%p: !llvm.ptr, %step: i32) {
  %n = llvm.mlir.constant(16 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %sixteen = llvm.mlir.constant(16 : i32) : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %sixteen : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  %wide = llvm.sext %i : i32 to i64
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%wide] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  %next = llvm.add %i, %step overflow<nsw> : i32
  llvm.br ^head(%next : i32)
^exit:
  llvm.return
}

// After the loop the condition is the opposite.
// CHECK-LABEL: mir.kernel @after_the_loop(
mir.kernel @after_the_loop(%s: !mir.slice<f32>) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %n = mir.slice.len %s : !mir.slice<f32>
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %c, ^body, ^exit
^body:
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^exit:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// Two ways in, one of them without the condition.
// CHECK-LABEL: mir.kernel @two_entries(
mir.kernel @two_entries(%s: !mir.slice<f32>, %i: i64, %skip: i1) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %skip, ^loop, ^guard
^guard:
  llvm.cond_br %c, ^loop, ^exit
^loop:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.cond_br %skip, ^loop, ^exit
^exit:
  mir.return
}

// The checked value of an earlier iteration is not this one's.
// CHECK-LABEL: mir.kernel @next_iteration(
mir.kernel @next_iteration(%s: !mir.slice<f32>, %start: i64, %go: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^head(%start : i64)
^head(%i: i64):
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  %next = llvm.add %i, %one : i64
  llvm.cond_br %go, ^head(%next : i64), ^exit
^exit:
  // CHECK: mir.index_addr
  %b = mir.index_addr %s[%next] : !mir.slice<f32>
  mir.return
}

// What is known of this iteration's %y is not known of the last one's, which %i
// is: it went round the loop without the check.
// CHECK-LABEL: llvm.func @last_iteration(
llvm.func @last_iteration(%p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %ten = llvm.mlir.constant(10 : i64) : i64
  %s = mir.slice.make %p, %ten : !mir.slice<f32>
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %y = llvm.load volatile %q : !llvm.ptr -> i64
  %small = llvm.icmp "ult" %y, %ten : i64
  llvm.cond_br %small, ^in, ^head(%y : i64)
^in:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.return
}

// `a || b` that holds tells nothing about either.
// CHECK-LABEL: mir.kernel @joined_or(
mir.kernel @joined_or(%s: !mir.slice<f32>, %i: i64, %other: i1) {
  %true = llvm.mlir.constant(true) : i1
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %c, ^join(%true : i1), ^second
^second:
  llvm.br ^join(%other : i1)
^join(%either: i1):
  llvm.cond_br %either, ^in, ^out
^in:
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// A start that may be negative does not sink towards zero when it is divided.
// CHECK-LABEL: llvm.func @halving_negative(
llvm.func @halving_negative(%p: !llvm.ptr, %start: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %limit = llvm.mlir.constant(100 : i32) : i32
  %n = llvm.mlir.constant(100 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %begin = llvm.intr.smin(%start, %limit) : (i32, i32) -> i32
  llvm.br ^head(%begin : i32)
^head(%half: i32):
  %i = llvm.sext %half : i32 to i64
  // CHECK: mir.index_addr
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  %quarter = llvm.ashr %half, %one : i32
  %more = llvm.icmp "ne" %quarter, %zero : i32
  llvm.cond_br %more, ^head(%quarter : i32), ^exit
^exit:
  llvm.return
}

// Both ends lie in the slice, but their sum may not.
// CHECK-LABEL: mir.kernel @part(
mir.kernel @part(%s: !mir.slice<f32>, %from: i64, %count: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ule" %from, %n : i64
  %d = llvm.icmp "ule" %count, %n : i64
  %both = llvm.and %c, %d : i1
  llvm.cond_br %both, ^in, ^out
^in:
  // CHECK: mir.subslice
  %t = mir.subslice %s[%from, %count] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// The rest of a slice from a place that may lie behind its end.
// CHECK-LABEL: mir.kernel @rest(
mir.kernel @rest(%s: !mir.slice<f32>, %from: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %rest = llvm.sub %n, %from : i64
  // CHECK: mir.subslice
  %t = mir.subslice %s[%from, %rest] : !mir.slice<f32>
  mir.return
}

// Facts of one region do not hold behind it.
// CHECK-LABEL: mir.kernel @behind_a_region(
mir.kernel @behind_a_region(%s: !mir.slice<f32>, %i: i64, %c: i1) {
  scf.if %c {
    // CHECK: mir.index_addr
    %a = mir.index_addr %s[%i] : !mir.slice<f32>
  }
  // CHECK: mir.index_addr
  %b = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// CHECK-LABEL: mir.kernel @asserts(
mir.kernel @asserts(%i: i64, %j: i64) {
  %c = llvm.icmp "ult" %i, %j : i64
  %d = llvm.icmp "ne" %i, %j : i64
  // CHECK: mir.assert %{{.*}}, "differ"
  mir.assert %d, "differ"
  // CHECK: mir.assert %{{.*}}, "below"
  mir.assert %c, "below"
  %e = llvm.icmp "slt" %i, %j : i64
  // CHECK: mir.assert %{{.*}}, "signed"
  mir.assert %e, "signed"
  mir.return
}
