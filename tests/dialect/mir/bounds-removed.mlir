// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that must go away.
//
// RUN: %tessera-opt %s -mir-eliminate-bounds-checks | FileCheck %s --implicit-check-not=mir.bounds_check

llvm.func @use(!llvm.ptr)

//===----------------------------------------------------------------------===//
// Earlier checks
//===----------------------------------------------------------------------===//

// CHECK-LABEL: mir.kernel @same_index(
mir.kernel @same_index(%s: !mir.slice<f32>, %i: i64) {
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] :
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %b = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.call @use(%b) : (!llvm.ptr) -> ()
  mir.return
}

// The check dominates both branches.
// CHECK-LABEL: mir.kernel @dominating(
mir.kernel @dominating(%s: !mir.slice<f32>, %i: i64, %c: i1) {
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] :
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.cond_br %c, ^left, ^right
^left:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %b = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^right
^right:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %d = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// Two slices of one length: a check of one covers the other.
// CHECK-LABEL: mir.kernel @same_length(
mir.kernel @same_length(%p: !llvm.ptr, %q: !llvm.ptr, %n: i64, %i: i64) {
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %t = mir.slice.make %q, %n : !mir.slice<f64>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] :
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %b = mir.index_addr %t[%i] : !mir.slice<f64>
  mir.return
}

// A check of a larger index, which did not wrap, covers the smaller.
// CHECK-LABEL: mir.kernel @stronger(
mir.kernel @stronger(%s: !mir.slice<f32>, %i: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %next = llvm.add %i, %one overflow<nuw> : i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] :
  %a = mir.index_addr %s[%next] : !mir.slice<f32>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %b = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// CHECK-LABEL: mir.kernel @stronger_constant(
mir.kernel @stronger_constant(%s: !mir.slice<f32>) {
  %seven = llvm.mlir.constant(7 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] :
  %a = mir.index_addr %s[%seven] : !mir.slice<f32>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %b = mir.index_addr %s[%three] : !mir.slice<f32>
  mir.return
}

// CHECK-LABEL: llvm.func @checked_index(
llvm.func @checked_index(%p: !llvm.ptr, %n: i64, %i: i64, %m: i64) {
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.intr.assume %c : i1
  %j = mir.bounds_check %i, %n
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%j] : !mir.slice<f32>
  llvm.return
}

// CHECK-LABEL: mir.kernel @inside_a_part(
mir.kernel @inside_a_part(%s: !mir.slice<f32>, %from: i64, %count: i64, %i: i64) {
  // CHECK: mir.subslice %{{.*}}[%{{.*}}, %{{.*}}] :
  %t = mir.subslice %s[%from, %count] : !mir.slice<f32>
  %c = llvm.icmp "ult" %i, %count : i64
  llvm.cond_br %c, ^in, ^out
^in:
  // Below the part's length, and therefore below the whole's.
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %t[%i] : !mir.slice<f32>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %b = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: mir.kernel @guarded(
mir.kernel @guarded(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %c, ^in, ^out
^in:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// `if (i >= n) return;`
// CHECK-LABEL: mir.kernel @early_exit(
mir.kernel @early_exit(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "uge" %i, %n : i64
  llvm.cond_br %c, ^out, ^in
^in:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// CHECK-LABEL: mir.kernel @in_arith_and_cf(
mir.kernel @in_arith_and_cf(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = arith.cmpi ugt, %n, %i : i64
  cf.cond_br %c, ^in, ^out
^in:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  cf.br ^out
^out:
  mir.return
}

// Signed, with an index that is known not to be negative.
// CHECK-LABEL: mir.kernel @guarded_signed(
mir.kernel @guarded_signed(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %zero = llvm.mlir.constant(0 : i64) : i64
  %c = llvm.icmp "slt" %i, %n : i64
  %d = llvm.icmp "sge" %i, %zero : i64
  %both = llvm.and %c, %d : i1
  llvm.cond_br %both, ^in, ^out
^in:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// `a && b` as a select, and a boolean that went through a byte.
// CHECK-LABEL: mir.kernel @logical_and(
mir.kernel @logical_and(%s: !mir.slice<f32>, %i: i64, %other: i1) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %false = llvm.mlir.constant(false) : i1
  %c = llvm.icmp "ult" %i, %n : i64
  %both = llvm.select %c, %other, %false : i1, i1
  %byte = llvm.zext %both : i1 to i8
  %bit = llvm.trunc %byte : i8 to i1
  llvm.cond_br %bit, ^in, ^out
^in:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// `if (i >= n || skip) return;`
// CHECK-LABEL: mir.kernel @logical_or(
mir.kernel @logical_or(%s: !mir.slice<f32>, %i: i64, %skip: i1) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "uge" %i, %n : i64
  %leave = llvm.or %c, %skip : i1
  llvm.cond_br %leave, ^out, ^in
^in:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// `a && b` as a join of blocks, in a function that was inlined.
// CHECK-LABEL: mir.kernel @joined_and(
mir.kernel @joined_and(%s: !mir.slice<f32>, %t: !mir.slice<f32>, %i: i64, %j: i64) {
  %false = llvm.mlir.constant(false) : i1
  %n = mir.slice.len %s : !mir.slice<f32>
  %m = mir.slice.len %t : !mir.slice<f32>
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %c, ^second, ^join(%false : i1)
^second:
  %d = llvm.icmp "ult" %j, %m : i64
  llvm.br ^join(%d : i1)
^join(%both: i1):
  llvm.cond_br %both, ^in, ^out
^in:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %b = mir.index_addr %t[%j] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// Through a second value: i < m and m <= n.
// CHECK-LABEL: mir.kernel @transitive(
mir.kernel @transitive(%s: !mir.slice<f32>, %i: i64, %m: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ule" %m, %n : i64
  %d = llvm.icmp "ult" %i, %m : i64
  %both = llvm.and %c, %d : i1
  llvm.cond_br %both, ^in, ^out
^in:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// CHECK-LABEL: mir.kernel @asserted(
mir.kernel @asserted(%s: !mir.slice<f32>, %i: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ult" %i, %n : i64
  // CHECK: mir.assert %{{.*}}, "i < n"
  mir.assert %c, "i < n"
  // CHECK-NOT: mir.assert
  mir.assert %c, "again"
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

// CHECK-LABEL: llvm.func @masks(
llvm.func @masks(%p: !llvm.ptr, %x: i64, %y: i32) {
  %n = llvm.mlir.constant(256 : i64) : i64
  %mask = llvm.mlir.constant(255 : i64) : i64
  %shift = llvm.mlir.constant(56 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %i = llvm.and %x, %mask : i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  %j = llvm.urem %x, %n : i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %b = mir.index_addr %s[%j] : !mir.slice<f32>
  %k = llvm.lshr %x, %shift : i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %c = mir.index_addr %s[%k] : !mir.slice<f32>
  %byte = llvm.trunc %y : i32 to i8
  %l = llvm.zext %byte : i8 to i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %d = mir.index_addr %s[%l] : !mir.slice<f32>
  %m = llvm.intr.umin(%x, %mask) : (i64, i64) -> i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %e = mir.index_addr %s[%m] : !mir.slice<f32>
  llvm.return
}

// A remainder by the length itself.
// CHECK-LABEL: mir.kernel @modulo_length(
mir.kernel @modulo_length(%s: !mir.slice<f32>, %x: i64) {
  %n = mir.slice.len %s : !mir.slice<f32>
  %i = llvm.urem %x, %n : i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

mir.shared @tile : !llvm.array<256 x f32> align 16

// `tile[threadIdx.y * 16 + threadIdx.x]` in blocks of 16 by 16.
// CHECK-LABEL: mir.kernel @thread_indices(
mir.kernel @thread_indices() attributes {block = array<i32: 16, 16, 1>} {
  %sixteen = llvm.mlir.constant(16 : i32) : i32
  %n = llvm.mlir.constant(256 : i64) : i64
  %p = mir.shared_addr @tile
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %x = nvvm.read.ptx.sreg.tid.x : i32
  %y = nvvm.read.ptx.sreg.tid.y : i32
  %row = llvm.mul %y, %sixteen : i32
  %sum = llvm.add %row, %x : i32
  %i = llvm.zext %sum : i32 to i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// CHECK-LABEL: mir.kernel @launch_bounds(
mir.kernel @launch_bounds() attributes {max_threads = 256 : i32} {
  %n = llvm.mlir.constant(256 : i64) : i64
  %p = mir.shared_addr @tile
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %x = nvvm.read.ptx.sreg.tid.x : i32
  %i = llvm.zext %x : i32 to i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

// CHECK-LABEL: mir.kernel @lanes(
mir.kernel @lanes() {
  %n = llvm.mlir.constant(32 : i64) : i64
  %p = mir.shared_addr @tile
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %x = nvvm.read.ptx.sreg.laneid : i32
  %i = llvm.zext %x : i32 to i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  mir.return
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

// `for (size_t i = 0; i < s.size(); ++i)`
// CHECK-LABEL: mir.kernel @loop(
mir.kernel @loop(%s: !mir.slice<f32>) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %n = mir.slice.len %s : !mir.slice<f32>
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %c = llvm.icmp "ult" %i, %n : i64
  llvm.cond_br %c, ^body, ^exit
^body:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^exit:
  mir.return
}

// `for (int i = 0; i < 16; ++i)`: signed, but it only grows.
// CHECK-LABEL: llvm.func @loop_int(
llvm.func @loop_int(%p: !llvm.ptr) {
  %n = llvm.mlir.constant(16 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %sixteen = llvm.mlir.constant(16 : i32) : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %sixteen : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  %wide = llvm.sext %i : i32 to i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%wide] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  %next = llvm.add %i, %one overflow<nsw> : i32
  llvm.br ^head(%next : i32)
^exit:
  llvm.return
}

// `for (int i = 0; i < n; ++i)` over a slice of length n: the same extension
// on both sides.
// CHECK-LABEL: llvm.func @loop_int_length(
llvm.func @loop_int_length(%p: !llvm.ptr, %count: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.sext %count : i32 to i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  %wide = llvm.sext %i : i32 to i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%wide] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  %next = llvm.add %i, %one overflow<nsw> : i32
  llvm.br ^head(%next : i32)
^exit:
  llvm.return
}

// A tile of 8 by 8 in two loops: `t[r * 8 + c]`.
// CHECK-LABEL: llvm.func @nested(
llvm.func @nested(%p: !llvm.ptr) {
  %n = llvm.mlir.constant(64 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %eight = llvm.mlir.constant(8 : i64) : i64
  llvm.br ^rows(%zero : i64)
^rows(%r: i64):
  %rc = llvm.icmp "ult" %r, %eight : i64
  llvm.cond_br %rc, ^columns(%zero : i64), ^exit
^columns(%c: i64):
  %cc = llvm.icmp "ult" %c, %eight : i64
  llvm.cond_br %cc, ^body, ^next_row
^body:
  %base = llvm.mul %r, %eight : i64
  %i = llvm.add %base, %c : i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  %next_c = llvm.add %c, %one : i64
  llvm.br ^columns(%next_c : i64)
^next_row:
  %next_r = llvm.add %r, %one : i64
  llvm.br ^rows(%next_r : i64)
^exit:
  llvm.return
}

// `for (size_t i = n; i-- > 0;)`, n <= length.
// CHECK-LABEL: llvm.func @downwards(
llvm.func @downwards(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %n = llvm.mlir.constant(64 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  llvm.br ^head(%n : i64)
^head(%i: i64):
  %c = llvm.icmp "ne" %i, %zero : i64
  %next = llvm.sub %i, %one overflow<nuw> : i64
  llvm.cond_br %c, ^body, ^exit
^body:
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%next] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  llvm.br ^head(%next : i64)
^exit:
  llvm.return
}

// A reduction: `for (int s = 128; s > 0; s /= 2) if (t < s) tile[t + s]`.
// CHECK-LABEL: llvm.func @halving(
llvm.func @halving(%p: !llvm.ptr, %thread: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %start = llvm.mlir.constant(128 : i32) : i32
  %n = llvm.mlir.constant(256 : i64) : i64
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  llvm.br ^head(%start : i32)
^head(%half: i32):
  %more = llvm.icmp "sgt" %half, %zero : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  %low = llvm.icmp "ult" %thread, %half : i32
  llvm.cond_br %low, ^add, ^next
^add:
  %sum = llvm.add %thread, %half : i32
  %i = llvm.zext %sum : i32 to i64
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  llvm.br ^next
^next:
  %quarter = llvm.sdiv %half, %two : i32
  llvm.br ^head(%quarter : i32)
^exit:
  llvm.return
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

// CHECK-LABEL: mir.kernel @parts(
mir.kernel @parts(%s: !mir.slice<f32>, %k: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %n = mir.slice.len %s : !mir.slice<f32>
  %c = llvm.icmp "ule" %k, %n : i64
  llvm.cond_br %c, ^in, ^out
^in:
  // `first(k)` and `subspan(k)`.
  // CHECK: mir.subslice %{{.*}}[%{{.*}}, %{{.*}}] in_bounds
  %a = mir.subslice %s[%zero, %k] : !mir.slice<f32>
  %rest = llvm.sub %n, %k : i64
  // CHECK: mir.subslice %{{.*}}[%{{.*}}, %{{.*}}] in_bounds
  %b = mir.subslice %s[%k, %rest] : !mir.slice<f32>
  llvm.br ^out
^out:
  mir.return
}

// Facts reach into regions.
// CHECK-LABEL: mir.kernel @regions(
mir.kernel @regions(%s: !mir.slice<f32>, %i: i64, %c: i1) {
  // CHECK: mir.index_addr %{{.*}}[%{{.*}}] :
  %a = mir.index_addr %s[%i] : !mir.slice<f32>
  scf.if %c {
    // CHECK: mir.index_addr %{{.*}}[%{{.*}}] in_bounds
    %b = mir.index_addr %s[%i] : !mir.slice<f32>
  }
  mir.return
}
