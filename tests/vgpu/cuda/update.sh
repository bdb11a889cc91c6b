#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes ptx/ from the CUDA sources beside this script, with a CUDA toolkit.
set -e
cd "$(dirname "$0")"
cuda=${CUDA:-/usr/local/cuda}
clang=${CLANG:-clang++-22}
# Nobody's paths, and no comments.
finish() {
  sed -i -e "s|\"$PWD/|\"|" -e '/^\/\//d' "ptx/$1.ptx"
}
nvcc() {
  "$cuda/bin/nvcc" -ptx -std=c++20 "$3" $4 -o "ptx/$2.ptx" "$1.cu"
  finish "$2"
}
# clang says that it knows CUDA up to 12.9 only; the headers of 13 suit it.
clang() {
  "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -O2 -S \
    --cuda-path="$cuda" -I"$cuda/include/cccl" -std=c++20 \
    -Wno-unknown-cuda-version -o "ptx/$1-clang.ptx" "$1.cu"
  finish "$1-clang"
}
for source in blocks language numbers matrix; do
  nvcc $source $source-sm80 -arch=sm_80
  nvcc $source $source-debug -arch=sm_80 -G
  clang $source
done
nvcc blocks blocks-sm90a -arch=sm_90a -lineinfo
nvcc numbers numbers-sm90a -arch=sm_90a -lineinfo
