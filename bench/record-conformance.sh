#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the instruction conformance suite on this machine's GPU and writes what
# it answers to RECORDING; forms that the driver refuses are named. Needs the
# driver only: build the program elsewhere (ninja -C build conformance) and
# copy it and this script here.
#
#   record-conformance.sh build/bin/conformance RECORDING
#                                           (TESSERA_DEVICE chooses the GPU)
set -euo pipefail

if [ $# -ne 2 ]; then
  echo "usage: $0 PROGRAM RECORDING" >&2
  exit 2
fi
export TESSERA_DEVICE=${TESSERA_DEVICE:-cuda:0}
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
"$1" record --out "$2" --note "display driver: $driver"
