// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -fsyntax-only -fplugin-arg-tessera-emit=mir:%t.mlir -fplugin-arg-tessera-emit=ptx:%t.ptx %s
// RUN: FileCheck %s --check-prefix=MIR < %t.mlir
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
//
// Shared and constant memory: variables of functions and of namespaces.

#include <tessera/tessera.h>

// MIR-DAG: mir.shared @{{.*}}tile : !llvm.array<16 x array<17 x f32>> align 16
// MIR-DAG: mir.shared @{{.*}}counter : i32 align 4
// MIR-DAG: mir.constant @{{.*}}weights : !llvm.array<3 x f32> align 4 = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// MIR-DAG: mir.shared_addr @{{.*}}tile
// MIR-DAG: mir.constant_addr @{{.*}}weights
// PTX-DAG: .shared .align {{4|16}} .b8 {{.*}}tile[1088]
// PTX-DAG: .shared .align 4 .{{.*}}counter
// PTX-DAG: .const .align 4 .b8 {{.*}}weights[12]

[[tessera::shared]] int counter;
[[tessera::constant]] const float weights[3] = {1, 2, 3};

[[tessera::kernel]] void memory(tessera::span<float> out, int row) {
  [[tessera::shared]] float tile[16][17];
  const unsigned i = tessera::this_thread::rank_in_block();
  tile[row][i] = weights[i % 3];
  counter = row;
  tessera::sync_threads();
  out[i] = tile[i % 16][row] + float(counter);
}

// Dynamic shared memory has one name for all kernels and no size.
// PTX-DAG: .extern .shared .align 16 .b8 {{.*}}[]
[[tessera::kernel]] void dynamic(tessera::span<float> out) {
  auto scratch = tessera::dynamic_shared<float>();
  scratch[tessera::this_warp::lane()] = 1;
  tessera::sync_threads();
  out[0] = scratch[31];
}
