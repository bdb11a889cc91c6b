// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the other tests of this folder make assembles.
// REQUIRES: ptxas
//
// RUN: %tessera-opt %S/kernels.mlir -convert-mir-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_90 -mattr=+ptx78 -o %t.kernels.ptx
// RUN: %ptxas -arch=sm_90 %t.kernels.ptx -o /dev/null
// RUN: %tessera-opt %S/memory.mlir -convert-mir-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_75 -o %t.memory.ptx
// RUN: %ptxas -arch=sm_75 %t.memory.ptx -o /dev/null
// RUN: %tessera-opt %S/printf.mlir -convert-mir-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_75 -o %t.printf.ptx
// RUN: %ptxas -arch=sm_75 %t.printf.ptx -o /dev/null
// RUN: %tessera-opt %S/trap-sites.mlir -convert-mir-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_75 -o %t.sites.ptx
// RUN: %ptxas -arch=sm_75 %t.sites.ptx -o /dev/null
// RUN: %tessera-opt %S/ptx.mlir -convert-mir-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_75 -o %t.saxpy.ptx
// RUN: %ptxas -arch=sm_75 %t.saxpy.ptx -o /dev/null
