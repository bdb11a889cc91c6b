// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One test for every rule of the verifiers.
//
// RUN: %tessera-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{element type must be a type of known size that LLVM can hold in memory, got '!llvm.void'}}
func.func private @slice_of_void(!mir.slice<!llvm.void>)

// -----

// expected-error@+1 {{element type must be a type of known size that LLVM can hold in memory, got 'index'}}
func.func private @slice_of_index(!mir.slice<const index>)

// -----

// expected-error@+1 {{element type must be a type of known size that LLVM can hold in memory, got '!llvm.struct<"opaque", opaque>'}}
func.func private @slice_of_opaque(!mir.disjoint_slice<!llvm.struct<"opaque", opaque>>)

// -----

// expected-error@+1 {{element type must be a type of known size that LLVM can hold in memory, got 'vector<[4]xf32>'}}
func.func private @slice_of_scalable(!mir.slice<vector<[4]xf32>>)

// -----

// expected-error@+1 {{'mir.kernel' op must have a body}}
mir.kernel @no_body()

// -----

// expected-error@+1 {{'mir.kernel' op must not have results}}
mir.kernel @result() -> i32 {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op argument #1 has type 'tensor<4xf32>', which is no type of a kernel parameter}}
mir.kernel @tensor(%a: f32, %b: tensor<4xf32>) {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op argument #0 has type '!mir.witness', which is no type of a kernel parameter}}
mir.kernel @witness(%a: !mir.witness) {
  mir.return
}

// -----

// expected-error@+1 {{"llvm.byval" attribute attached to non-pointer LLVM type}}
mir.kernel @byval(%a: f32 {llvm.byval = f32}) {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op block must be three positive extents}}
mir.kernel @block_rank() attributes {block = array<i32: 16, 16>} {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op block must be three positive extents}}
mir.kernel @block_zero() attributes {block = array<i32: 16, 0, 1>} {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op block is too large: more than 1024 threads}}
mir.kernel @block_large() attributes {block = array<i32: 64, 32, 1>} {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op cluster is too large: more than 16 blocks}}
mir.kernel @cluster_large() attributes {cluster = array<i32: 8, 4, 1>} {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op max_threads must be between 1 and 1024}}
mir.kernel @threads_many() attributes {max_threads = 2048 : i32} {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op max_threads must be between 1 and 1024}}
mir.kernel @threads_negative() attributes {max_threads = -1 : i32} {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op block has 256 threads, more than max_threads = 128}}
mir.kernel @threads_block() attributes {block = array<i32: 256, 1, 1>, max_threads = 128 : i32} {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op min_blocks must be positive}}
mir.kernel @min_blocks() attributes {min_blocks = 0 : i32} {
  mir.return
}

// -----

mir.kernel @llvm_return() {
  // expected-error@+1 {{'llvm.return' op cannot end a kernel: use 'mir.return' or 'llvm.unreachable'}}
  llvm.return
}

// -----

llvm.func @mir_return() {
  // expected-error@+1 {{'mir.return' op expects parent op 'mir.kernel'}}
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op argument #0: mir.name must be a string}}
mir.kernel @name(%a: f32 {mir.name = 4 : i32}) {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op argument #0: mir.size must be a positive integer}}
mir.kernel @size(%a: f32 {mir.size = 0 : i32}) {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op argument #0: mir.align must be a power of two}}
mir.kernel @align(%a: f32 {mir.align = 3 : i32}) {
  mir.return
}

// -----

// expected-error@+1 {{'mir.kernel' op argument #0: unknown attribute mir.colour}}
mir.kernel @unknown_attribute(%a: f32 {mir.colour = "red"}) {
  mir.return
}

// -----

llvm.func @make_shared(%p: !llvm.ptr<3>, %n: i64) {
  // expected-error@+1 {{'mir.slice.make' op operand #0 must be pointer in the generic address space, but got '!llvm.ptr<3>'}}
  %s = "mir.slice.make"(%p, %n) : (!llvm.ptr<3>, i64) -> !mir.slice<f32>
  llvm.return
}

// -----

llvm.func @index_i32(%p: !llvm.ptr, %n: i64, %i: i32) {
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  // expected-error@+1 {{'mir.index_addr' op operand #1 must be 64-bit signless integer, but got 'i32'}}
  %0 = "mir.index_addr"(%s, %i) : (!mir.slice<f32>, i32) -> !llvm.ptr
  llvm.return
}

// -----

// A disjoint slice is reached through witnesses only.
llvm.func @index_disjoint(%p: !llvm.ptr, %n: i64) {
  %s = mir.slice.make %p, %n : !mir.disjoint_slice<f32>
  // expected-error@+1 {{'mir.index_addr' op operand #0 must be an address and a length, but got '!mir.disjoint_slice<f32>'}}
  %0 = "mir.index_addr"(%s, %n) : (!mir.disjoint_slice<f32>, i64) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @disjoint_index(%p: !llvm.ptr, %n: i64) {
  %s = mir.slice.make %p, %n : !mir.disjoint_slice<f32>
  // expected-error@+1 {{'mir.disjoint_addr' op operand #1 must be an index that no other thread of the grid has, but got 'i64'}}
  %0 = "mir.disjoint_addr"(%s, %n) : (!mir.disjoint_slice<f32>, i64) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @subslice_type(%p: !llvm.ptr, %n: i64) {
  %s = mir.slice.make %p, %n : !mir.slice<f32>
  // expected-error@+1 {{'mir.subslice' op failed to verify that all of {slice, result} have same type}}
  %0 = "mir.subslice"(%s, %n, %n) : (!mir.slice<f32>, i64, i64) -> !mir.slice<f64>
  llvm.return
}

// -----

// expected-error@+1 {{'mir.shared' op must have a type of known size that LLVM can hold in memory, got 'index'}}
mir.shared @shared_type : index align 8

// -----

// expected-error@+1 {{'mir.shared' op alignment must be a power of two, got 12}}
mir.shared @shared_align : f32 align 12

// -----

// expected-error@+1 {{'mir.constant' op alignment must be a power of two, got 0}}
mir.constant @constant_align : f32 align 0

// -----

// expected-error@+1 {{'mir.constant' op has both a value and an initializer region}}
mir.constant @constant_twice : i32 align 4 = 1 : i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  mir.yield %0 : i32
}

// -----

mir.constant @constant_yield : i32 align 4 {
  %0 = llvm.mlir.constant(1 : i64) : i64
  // expected-error@+1 {{'mir.yield' op yields 'i64', but the constant has type 'i32'}}
  mir.yield %0 : i64
}

// -----

// expected-error@+1 {{'mir.constant' op initializer must end with 'mir.yield'}}
mir.constant @constant_end : i32 align 4 {
  llvm.unreachable
}

// -----

llvm.func @f() {
  // expected-error@+1 {{'mir.shared_addr' op @missing is no 'mir.shared' variable}}
  %0 = mir.shared_addr @missing
  llvm.return
}

// -----

mir.shared @tile : i32 align 4
llvm.func @f() {
  // expected-error@+1 {{'mir.constant_addr' op @tile is no 'mir.constant' variable}}
  %0 = mir.constant_addr @tile
  llvm.return
}

// -----

llvm.func @printf(%f: !llvm.ptr, %x: f32) {
  // expected-error@+1 {{'mir.printf' op argument #0 has type 'f32'; C promotes arguments to i32, i64, f64 or a pointer}}
  %0 = mir.printf %f(%x : f32)
  llvm.return
}

// -----

llvm.func @trap_kind() {
  // expected-error@+2 {{failed to parse Mir_TrapKindAttr parameter}}
  // expected-error@+1 {{expected one of [bounds, range, assertion, unreachable, exception, alignment, user]}}
  mir.trap sadness "why"
  llvm.unreachable
}
