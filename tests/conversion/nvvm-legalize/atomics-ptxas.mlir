// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: ptxas
//
// RUN: %tessera-opt %S/atomics.mlir -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_75 -o %t.ptx
// RUN: %ptxas -arch=sm_75 %t.ptx -o /dev/null
// RUN: %tessera-opt %S/atomics.mlir -nvvm-legalize-atomics | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_90 -o %t.ptx
// RUN: %ptxas -arch=sm_90 %t.ptx -o /dev/null
