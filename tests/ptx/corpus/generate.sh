#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the corpus anew from sources/: clang 22 and, where it is installed,
# nvcc. The results are kept in the repository, since they depend on both
# compilers' versions.
set -eu
cd "$(dirname "$0")/sources"
NVCC=${NVCC:-/usr/local/cuda/bin/nvcc}

finish() { # <file> <how it was made>
  { echo "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
    echo "// Made by $2"
    cat "$1"; } > "../$1"
  rm "$1"
}

by_clang() { # <source> <sm> <flags...>
  source=$1 sm=$2
  shift 2
  out=$source-clang-sm$sm$(echo "$*" | tr -d ' ').ptx
  clang++-22 -std=c++20 --target=nvptx64-nvidia-cuda -march=sm_$sm -DSM=$sm \
    -Xclang -target-feature -Xclang +ptx80 -ffp-contract=on \
    -fdebug-compilation-dir=. "$@" -S "$source.cpp" -o "$out"
  finish "$out" "clang 22: $source.cpp for sm_$sm $*"
}

by_nvcc() { # <source> <sm> <flags...>
  source=$1 sm=$2
  shift 2
  out=$source-nvcc-sm$sm$(echo "$*" | tr -d ' ').ptx
  # The directory ends up in debug sections: compile somewhere neutral.
  work=$(mktemp -d)
  cp "$source.cu" "$work"
  (cd "$work" && "$NVCC" -std=c++20 -ptx -arch=sm_$sm "$@" "$source.cu" -o "$out")
  sed "s|$work/||" "$work/$out" > "$out"
  rm -r "$work"
  finish "$out" "nvcc: $source.cu for sm_$sm $*"
}

by_clang integers 75 -O0 -gline-tables-only
by_clang integers 80 -O3
by_clang integers 90 -O2 -g
by_clang floats 75 -O0
by_clang floats 80 -O2 -g
by_clang floats 90 -O1
by_clang intrinsics 75 -O1
by_clang intrinsics 80 -O0 -g
by_clang intrinsics 90 -O3
if [ -x "$NVCC" ]; then
  by_nvcc features 75 -O3
  by_nvcc features 80 -O3
  by_nvcc features 90 -lineinfo
  by_nvcc hopper 80 -lineinfo
  by_nvcc hopper 90a
  by_nvcc debug 90 -G
fi
