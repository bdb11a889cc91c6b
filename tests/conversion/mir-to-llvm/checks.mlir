// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a check becomes, and the function that a failed one calls.
//
// RUN: %tessera-opt %s -convert-mir-to-llvm -split-input-file | FileCheck %s

// CHECK: llvm.mlir.global external @__tessera_trap_state() {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.struct<(i64, i32, i32)>

// CHECK-LABEL: llvm.func internal @__tessera_trap(
// CHECK-SAME:    %[[SITE:.*]]: i32, %[[A:.*]]: i64, %[[B:.*]]: i64) attributes {no_inline, passthrough = ["cold", "noreturn"]}
// CHECK: %[[STATE:.*]] = llvm.mlir.addressof @__tessera_trap_state
// CHECK: %[[RECORD:.*]] = llvm.load %[[STATE]]
// CHECK: llvm.icmp "ne" %[[RECORD]]
// CHECK: llvm.cond_br %{{.*}}, ^[[CLAIM:.*]], ^[[TRAP:.*]]
// CHECK: ^[[CLAIM]]:
// CHECK: %[[CLAIMED:.*]] = llvm.getelementptr %[[STATE]][0, 1]
// CHECK: llvm.cmpxchg %[[CLAIMED]], %{{.*}}, %{{.*}} monotonic monotonic
// CHECK: llvm.cond_br %{{.*}}, ^[[REPORT:.*]], ^[[LEAVE:.*]]
// CHECK: ^[[REPORT]]:
// CHECK: llvm.store volatile %[[SITE]]
// CHECK-COUNT-6: llvm.store volatile
// CHECK: llvm.store volatile %[[A]]
// CHECK: llvm.store volatile %[[B]]
// CHECK: llvm.fence seq_cst
// CHECK: llvm.store volatile
// CHECK: llvm.fence seq_cst
// CHECK: llvm.br ^[[TRAP]]
// CHECK: ^[[LEAVE]]:
// CHECK: nvvm.exit
// CHECK: ^[[TRAP]]:
// CHECK: llvm.intr.trap

// CHECK-LABEL: llvm.func @index_addr(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[I:.*]]: i64)
// CHECK: %[[LEN:.*]] = llvm.extractvalue %{{.*}}[1]
// CHECK: %[[OK:.*]] = llvm.icmp "ult" %[[I]], %[[LEN]]
// CHECK: llvm.cond_br %[[OK]] weights([1048576, 1]), ^[[GO:.*]], ^[[FAIL:.*]]
// CHECK: ^[[GO]]:
// CHECK: %[[BASE:.*]] = llvm.extractvalue %{{.*}}[0]
// CHECK: llvm.getelementptr inbounds|nuw %[[BASE]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<12 x i8>
// CHECK: llvm.return
// CHECK: ^[[FAIL]]:
// CHECK: %[[ID:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.call @__tessera_trap(%[[ID]], %[[I]], %[[LEN]])
// CHECK: llvm.unreachable
llvm.func @index_addr(%p: !llvm.ptr, %n: i64, %i: i64) -> !llvm.ptr {
  %s = mir.slice.make %p, %n : !mir.slice<!llvm.array<12 x i8>>
  %a = mir.index_addr %s[%i] : !mir.slice<!llvm.array<12 x i8>>
  llvm.return %a : !llvm.ptr
}

// CHECK-LABEL: llvm.func @subslice(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %{{.*}}: i64, %[[FROM:.*]]: i64, %[[COUNT:.*]]: i64)
// CHECK: %[[LEN:.*]] = llvm.extractvalue %{{.*}}[1]
// CHECK: %[[END:.*]] = llvm.intr.uadd.sat(%[[FROM]], %[[COUNT]])
// CHECK: llvm.icmp "ule" %[[END]], %[[LEN]]
// CHECK: llvm.getelementptr {{.*}}[%[[FROM]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK: llvm.insertvalue %[[COUNT]], %{{.*}}[1]
// CHECK: llvm.call @__tessera_trap(%{{.*}}, %[[END]], %[[LEN]])
llvm.func @subslice(%p: !llvm.ptr, %n: i64, %from: i64, %count: i64) -> !llvm.ptr {
  %s = mir.slice.make %p, %n : !mir.slice<f64>
  %t = mir.subslice %s[%from, %count] : !mir.slice<f64>
  %a = mir.slice.ptr %t : !mir.slice<f64>
  llvm.return %a : !llvm.ptr
}

// CHECK-LABEL: llvm.func @in_bounds(
// CHECK-NOT: llvm.cond_br
// CHECK-NOT: llvm.call
// CHECK: llvm.return
llvm.func @in_bounds(%p: !llvm.ptr, %n: i64, %i: i64) -> !llvm.ptr {
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  %t = mir.subslice %s[%i, %i] in_bounds : !mir.slice<f32>
  %a = mir.index_addr %t[%i] in_bounds : !mir.slice<f32>
  llvm.return %a : !llvm.ptr
}

// CHECK-LABEL: llvm.func @bounds_check(
// CHECK-SAME:    %[[I:.*]]: i64, %[[N:.*]]: i64)
// CHECK: llvm.icmp "ult" %[[I]], %[[N]]
// CHECK: llvm.return %[[I]]
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: llvm.call @__tessera_trap(%{{.*}}, %[[I]], %[[N]])
llvm.func @bounds_check(%i: i64, %n: i64) -> i64 {
  %j = mir.bounds_check %i, %n
  llvm.return %j : i64
}

// CHECK-LABEL: llvm.func @assert(
// CHECK-SAME:    %[[C:.*]]: i1)
// CHECK: llvm.cond_br %[[C]] weights
// CHECK: llvm.call @__tessera_trap
llvm.func @assert(%c: i1) {
  mir.assert %c, "c"
  llvm.return
}

// What follows a trap is dead.
// CHECK-LABEL: llvm.func @trap(
// CHECK: llvm.call @__tessera_trap
// CHECK-NEXT: llvm.unreachable
llvm.func @trap() {
  mir.trap user "no"
  llvm.return
}

// CHECK-LABEL: llvm.func @trap_at_the_end(
// CHECK: llvm.call @__tessera_trap
// CHECK-NEXT: llvm.unreachable
// CHECK-NEXT: }
llvm.func @trap_at_the_end() {
  mir.trap user "no"
  llvm.unreachable
}

// No trap: null instead.
// CHECK-LABEL: llvm.func @disjoint_addr(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %{{.*}}: i64, %[[I:.*]]: i64)
// CHECK: %[[C:.*]] = llvm.icmp "ult" %[[I]], %{{.*}}
// CHECK: %[[A:.*]] = llvm.getelementptr {{.*}}[%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: llvm.select %[[C]], %[[A]], %[[NULL]]
llvm.func @disjoint_addr(%p: !llvm.ptr, %n: i64, %i: i64) -> !llvm.ptr {
  %s = mir.slice.make %p, %n : !mir.disjoint_slice<i32>
  %w = mir.witness.assume_unique %i
  %a = mir.disjoint_addr %s[%w] : !mir.disjoint_slice<i32>
  llvm.return %a : !llvm.ptr
}

// -----

// A module without checks has no trap function.
// CHECK-NOT: __tessera_trap
// CHECK-LABEL: llvm.func @nothing_to_check
mir.kernel @nothing_to_check(%s: !mir.slice<f32>, %i: i64) {
  %a = mir.index_addr %s[%i] in_bounds : !mir.slice<f32>
  mir.return
}
