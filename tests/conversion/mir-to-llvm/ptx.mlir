// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole way of a kernel, to PTX.
//
// RUN: %tessera-opt %s -canonicalize -cse -mir-eliminate-bounds-checks -convert-mir-to-llvm \
// RUN:     -canonicalize -cse -nvvm-legalize-atomics \
// RUN:   | mlir-translate --mlir-to-llvmir | opt -O2 -mtriple=nvptx64-nvidia-cuda -S \
// RUN:   | llc -march=nvptx64 -mcpu=sm_75 -o %t.ptx
// RUN: FileCheck %s < %t.ptx

// CHECK: .visible .global .align 8 .b8 __tessera_trap_state[16];

// The failing thread claims the state, reports and traps; the others leave.
// CHECK-LABEL: .func {{.*}}__tessera_trap(
// CHECK: atom.relaxed.sys.global.cas.b32 %{{.*}}, [__tessera_trap_state+8], 0, 1;
// CHECK: st.volatile.b32
// CHECK: fence.sc.sys;
// CHECK-NEXT: st.volatile.b32 [%{{.*}}], 1;
// CHECK-NEXT: fence.sc.sys;
// CHECK: trap;
// CHECK: exit;

// CHECK-LABEL: .visible .entry saxpy(
// CHECK-NEXT: .param .f32 saxpy_param_0,
// CHECK-NEXT: .param .align 8 .b8 saxpy_param_1[16],
// CHECK-NEXT: .param .align 8 .b8 saxpy_param_2[16]
// One comparison for the write, one for the read, and no null test.
// CHECK: setp.{{.*}}.u64
// CHECK: setp.{{.*}}.u64
// CHECK-NOT: setp
// CHECK: ld.global.b32
// CHECK-NOT: setp
// CHECK: st.global.b32
// CHECK: ret;
// CHECK: call.uni __tessera_trap,
mir.kernel @saxpy(%a: f32, %x: !mir.slice<const f32>, %y: !mir.disjoint_slice<f32>) {
  %null = llvm.mlir.zero : !llvm.ptr
  %w = mir.thread_index
  %out = mir.disjoint_addr %y[%w] : !mir.disjoint_slice<f32>
  %inside = llvm.icmp "ne" %out, %null : !llvm.ptr
  llvm.cond_br %inside, ^write, ^done
^write:
  %i = mir.witness.index %w
  %in = mir.index_addr %x[%i] : !mir.slice<const f32>
  %v = llvm.load %in : !llvm.ptr -> f32
  %old = llvm.load %out : !llvm.ptr -> f32
  %product = llvm.fmul %a, %v : f32
  %new = llvm.fadd %old, %product : f32
  llvm.store %new, %out : f32, !llvm.ptr
  llvm.br ^done
^done:
  mir.return
}
