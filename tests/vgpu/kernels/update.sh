#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes compiled-nvcc.ptx and compiled-clang.ptx from compiled.cu.
set -e
cd "$(dirname "$0")"
${NVCC:-/usr/local/cuda/bin/nvcc} -ptx -arch=sm_80 -lineinfo -o compiled-nvcc.ptx compiled.cu
${CLANG:-clang++-22} -x cuda -nocudainc -nocudalib --cuda-device-only \
  --cuda-gpu-arch=sm_80 -Xclang -target-feature -Xclang +ptx78 -O2 -S -o compiled-clang.ptx compiled.cu
# Nobody's paths.
sed -i "s|\"$PWD/|\"|" compiled-nvcc.ptx compiled-clang.ptx
