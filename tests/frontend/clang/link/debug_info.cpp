// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -O2 -g %s -o %t && %t
// RUN: %tessera-cxx -O0 -g %s -o %t && %t
// RUN: %tessera-cxx -O1 -gline-tables-only %s -o %t && %t
//
// With debug information, declarations of device-only functions carry a
// description; their host bodies must not.

#include <tessera/tessera.h>

[[tessera::kernel]] void kernel(tessera::span<unsigned> out) {
  out[tessera::this_block::index().x] = 3;
}

int main() {
  tessera::stream s;
  auto out = tessera::buffer<unsigned>::zeroed(s, 2);
  tessera::launch(s, tessera::grid(2).block(1), kernel, out);
  return out.to_host(s)[1] == 3 ? 0 : 1;
}
