#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds every example for a machine that has a GPU and its driver but none of
# our tools: into FOLDER go <example>.<arch> and, from the example's README,
# <example>.expected. Copy the folder and bench/run-on-gpu.sh there.
#
#   bench/build-for-gpu.sh FOLDER [arch...]     (default: sm_75 sm_90)
set -euo pipefail

if [ $# -lt 1 ]; then
  echo "usage: $0 FOLDER [arch...]" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
shift
arches=("$@")
[ ${#arches[@]} -gt 0 ] || arches=(sm_75 sm_90)

# The block after the line "prints" in an example's README.
expected_output() {
  awk '/^prints$/ { after = 1 }
       /^```/ && after { if (inside) exit; inside = 1; next }
       inside' "$1"
}

mkdir -p "$folder"
for source in "$root"/examples/*/; do
  example=$(basename "$source")
  expected_output "$source/README.md" >"$folder/$example.expected"
  if [ ! -s "$folder/$example.expected" ]; then
    echo "$0: examples/$example/README.md does not say what it prints" >&2
    exit 1
  fi
  for arch in "${arches[@]}"; do
    echo "$example for $arch"
    "$root/tessera" build "$example" --arch="$arch" -o "$folder/$example.$arch"
  done
done
