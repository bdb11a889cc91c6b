// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-opt %s -convert-mir-to-llvm -split-input-file -verify-diagnostics

mir.kernel @structured(%s: !mir.slice<f32>, %i: i64, %c: i1) {
  scf.if %c {
    // expected-error@+1 {{'mir.index_addr' op cannot be lowered inside 'scf.if': lower structured control flow first}}
    %0 = mir.index_addr %s[%i] : !mir.slice<f32>
  }
  mir.return
}

// -----

// expected-error@+1 {{the name '__tessera_trap' is reserved for failed checks}}
llvm.func @__tessera_trap(i32)

llvm.func @f(%c: i1) {
  mir.assert %c, "c"
  llvm.return
}

// -----

// expected-error@+1 {{the name '__tessera_trap_state' is reserved for failed checks}}
llvm.mlir.global external @__tessera_trap_state() : i32

llvm.func @f(%c: i1) {
  mir.assert %c, "c"
  llvm.return
}

// -----

// expected-error@+1 {{'vprintf' must be a function 'i32 (ptr, ptr)'}}
llvm.func @vprintf(i32) -> i32

llvm.func @f(%p: !llvm.ptr) {
  %0 = mir.printf %p()
  llvm.return
}

// -----

llvm.func @f() {
  // expected-error@+2 {{elements of no size: the length is not defined}}
  // expected-error@+1 {{failed to legalize operation 'mir.dynamic_shared' that was explicitly marked illegal}}
  %0 = mir.dynamic_shared : !mir.slice<!llvm.array<0 x i8>>
  llvm.return
}
