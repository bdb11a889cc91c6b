#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the programs that bench/build-for-gpu.sh made on this machine's GPU and
# holds what they print against what they should. Needs the driver only. Prints
# a table and writes it to RESULT; fails when a program does.
#
#   run-on-gpu.sh FOLDER RESULT     (TESSERA_DEVICE chooses the GPU)
set -euo pipefail

if [ $# -ne 2 ]; then
  echo "usage: $0 FOLDER RESULT" >&2
  exit 2
fi
folder=$(cd "$1" && pwd)
result=$2
export TESSERA_DEVICE=${TESSERA_DEVICE:-cuda:0}

# Programs may write files where they run.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

field() {
  nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1
}

header() {
  echo "date:    $(date -u '+%Y-%m-%d %H:%M UTC')"
  echo "gpu:     $(field name), compute capability $(field compute_cap)"
  echo "driver:  $(field driver_version)"
  echo "device:  $TESSERA_DEVICE"
  echo
  printf '%-16s %-8s %-8s %8s\n' example arch result seconds
}

# One line of the table; what went wrong follows, indented.
run_program() {
  local program=$1 name arch expected begin end status=0 verdict=ok
  name=$(basename "$program")
  arch=${name##*.}
  name=${name%.*}
  expected=$folder/$name.expected
  begin=$(date +%s.%N)
  (cd "$scratch" && timeout 120 "$program" >out 2>err) || status=$?
  end=$(date +%s.%N)
  if [ "$status" -ne 0 ]; then
    verdict="exit $status"
  elif ! cmp -s "$expected" "$scratch/out"; then
    verdict=differs
  fi
  printf '%-16s %-8s %-8s %8.2f\n' "$name" "$arch" "$verdict" \
    "$(awk -v a="$begin" -v b="$end" 'BEGIN { print b - a }')"
  [ "$verdict" = ok ] && return 0
  diff "$expected" "$scratch/out" | sed 's/^/    /' || true
  sed 's/^/    /' "$scratch/err"
  return 1
}

run_all() {
  local failed=0 count=0
  header
  for program in "$folder"/*.sm_*; do
    [ -x "$program" ] || continue
    count=$((count + 1))
    run_program "$program" || failed=$((failed + 1))
  done
  echo
  echo "$count programs, $failed failed"
  [ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
}

run_all 2>&1 | tee "$result"
