// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ordering and scope of read-modify-write atomics, which LLVM 22's NVPTX back
// end loses, get into the PTX.
//
// RUN: %tessera-opt %s -nvvm-legalize-atomics | FileCheck %s
// RUN: %tessera-opt %s -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_75 | FileCheck %s --check-prefix=PTX
// RUN: %tessera-opt %s -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_90 | FileCheck %s --check-prefix=PTX
//
// Without the pass nothing is left of either. When this fails, the back end has
// been mended and the pass may go.
// RUN: mlir-translate --mlir-to-llvmir %s | llc -march=nvptx64 -mcpu=sm_90 \
// RUN:   | FileCheck %s --check-prefix=LOST

// LOST-LABEL: .entry orders(
// LOST-NOT: fence
// LOST: atom.global.add.u32
// LOST-NOT: fence
// LOST: ret;

// CHECK-LABEL: llvm.func @orders(
// PTX-LABEL: .entry orders(
llvm.func @orders(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
  // CHECK-NOT: llvm.fence
  // CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("device") monotonic
  // PTX-NOT: fence
  // PTX: atom.global.add.u32
  %0 = llvm.atomicrmw add %p, %x syncscope("device") monotonic : !llvm.ptr<1>, i32
  // CHECK-NEXT: llvm.atomicrmw max %{{.*}}, %{{.*}} syncscope("device") monotonic
  // CHECK-NEXT: llvm.fence syncscope("device") acquire
  // PTX-NOT: fence
  // PTX: atom.global.max.s32
  // PTX-NEXT: fence.acq_rel.gpu
  %1 = llvm.atomicrmw max %p, %x syncscope("device") acquire : !llvm.ptr<1>, i32
  // CHECK-NEXT: llvm.fence syncscope("device") release
  // CHECK-NEXT: llvm.atomicrmw _and %{{.*}}, %{{.*}} syncscope("device") monotonic
  // PTX-NEXT: fence.acq_rel.gpu
  // PTX-NEXT: atom.global.and.b32
  %2 = llvm.atomicrmw _and %p, %x syncscope("device") release : !llvm.ptr<1>, i32
  // CHECK-NEXT: llvm.fence syncscope("device") release
  // CHECK-NEXT: llvm.atomicrmw _or %{{.*}}, %{{.*}} syncscope("device") monotonic
  // CHECK-NEXT: llvm.fence syncscope("device") acquire
  // PTX-NEXT: fence.acq_rel.gpu
  // PTX-NEXT: atom.global.or.b32
  // PTX-NEXT: fence.acq_rel.gpu
  %3 = llvm.atomicrmw _or %p, %x syncscope("device") acq_rel : !llvm.ptr<1>, i32
  // CHECK-NEXT: llvm.fence syncscope("device") seq_cst
  // CHECK-NEXT: llvm.atomicrmw _xor %{{.*}}, %{{.*}} syncscope("device") monotonic
  // CHECK-NEXT: llvm.fence syncscope("device") acquire
  // PTX-NEXT: fence.sc.gpu
  // PTX-NEXT: atom.global.xor.b32
  // PTX-NEXT: fence.acq_rel.gpu
  %4 = llvm.atomicrmw _xor %p, %x syncscope("device") seq_cst : !llvm.ptr<1>, i32
  llvm.return
}

// CHECK-LABEL: llvm.func @block_scope(
// PTX-LABEL: .entry block_scope(
llvm.func @block_scope(%p: !llvm.ptr<3>, %x: i32) attributes {nvvm.kernel} {
  // CHECK-NEXT: llvm.fence syncscope("block") release
  // CHECK-NEXT: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("block") monotonic
  // CHECK-NEXT: llvm.fence syncscope("block") acquire
  // PTX: fence.acq_rel.cta
  // PTX: atom.shared.add.u32
  // PTX-NEXT: fence.acq_rel.cta
  %0 = llvm.atomicrmw add %p, %x syncscope("block") acq_rel : !llvm.ptr<3>, i32
  llvm.return
}

// CHECK-LABEL: llvm.func @system_scope(
// PTX-LABEL: .entry system_scope(
llvm.func @system_scope(%p: !llvm.ptr, %g: !llvm.ptr<1>, %x: i32, %y: i64, %f: f32, %d: f64)
    attributes {nvvm.kernel} {
  // CHECK-NEXT: llvm.fence release
  // CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}}"atom.relaxed.sys.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"
  // CHECK-NEXT: llvm.fence acquire
  // PTX: fence.acq_rel.sys
  // PTX: atom.relaxed.sys.add.u32
  // PTX: fence.acq_rel.sys
  %0 = llvm.atomicrmw add %p, %x acq_rel : !llvm.ptr, i32
  // PTX: neg.s64
  // PTX: atom.relaxed.sys.global.add.u64
  %1 = llvm.atomicrmw sub %g, %y monotonic : !llvm.ptr<1>, i64
  // PTX: atom.relaxed.sys.exch.b32
  %2 = llvm.atomicrmw xchg %p, %f monotonic : !llvm.ptr, f32
  // PTX: atom.relaxed.sys.add.f64
  %3 = llvm.atomicrmw fadd %p, %d monotonic : !llvm.ptr, f64
  // PTX: atom.relaxed.sys.min.u32
  %4 = llvm.atomicrmw umin %p, %x monotonic : !llvm.ptr, i32
  // PTX: atom.relaxed.sys.max.s64
  %5 = llvm.atomicrmw max %p, %y monotonic : !llvm.ptr, i64
  // PTX: atom.relaxed.sys.xor.b64
  %6 = llvm.atomicrmw _xor %p, %y monotonic : !llvm.ptr, i64
  // PTX: atom.relaxed.sys.inc.u32
  %7 = llvm.atomicrmw uinc_wrap %p, %x monotonic : !llvm.ptr, i32
  llvm.return
}

// What PTX has no instruction for at that width.
// CHECK-LABEL: llvm.func @system_scope_small(
// PTX-LABEL: .entry system_scope_small(
llvm.func @system_scope_small(%p: !llvm.ptr, %b: i8, %h: f16) attributes {nvvm.kernel} {
  // CHECK: llvm.load %{{.*}} atomic monotonic {{.*}} -> i8
  // CHECK: ^[[LOOP:.*]](%[[SEEN:.*]]: i8):
  // CHECK: %[[WANTED:.*]] = llvm.or %[[SEEN]], %{{.*}} : i8
  // CHECK: llvm.cmpxchg %{{.*}}, %[[SEEN]], %[[WANTED]] monotonic monotonic
  // PTX-NOT: atom.or
  // PTX: atom.relaxed.sys.{{.*}}cas
  %0 = llvm.atomicrmw _or %p, %b monotonic : !llvm.ptr, i8
  llvm.store %0, %p : i8, !llvm.ptr
  // CHECK: llvm.fadd %{{.*}}, %{{.*}} : f16
  // PTX-NOT: atom.add
  // PTX: atom.relaxed.sys.{{.*}}cas
  %1 = llvm.atomicrmw fadd %p, %h monotonic : !llvm.ptr, f16
  // CHECK: llvm.store %{{.*}} : f16
  llvm.store %1, %p : f16, !llvm.ptr
  llvm.return
}

// Compare-and-swap, loads and stores keep both by themselves.
// CHECK-LABEL: llvm.func @others(
// PTX-LABEL: .entry others(
llvm.func @others(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
  // CHECK-NEXT: llvm.cmpxchg
  // PTX: atom.acq_rel.cta.global.cas.b32
  %0 = llvm.cmpxchg %p, %x, %x syncscope("block") acq_rel acquire : !llvm.ptr<1>, i32
  // CHECK-NEXT: llvm.load
  // PTX: ld.acquire.sys.global.b32
  %1 = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  // CHECK-NEXT: llvm.store
  // PTX: st.release.gpu.global.b32
  llvm.store %1, %p atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
  llvm.return
}
