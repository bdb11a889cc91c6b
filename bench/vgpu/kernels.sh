#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes kernels.ptx from kernels.cu.
set -e
cd "$(dirname "$0")"
${CLANG:-clang++-22} -x cuda -std=c++17 -nocudainc -nocudalib --cuda-device-only \
  --cuda-gpu-arch=sm_80 -Xclang -target-feature -Xclang +ptx78 -O2 \
  -ffp-contract=fast -S -o kernels.ptx kernels.cu
sed -i "s|\"$PWD/|\"|" kernels.ptx
