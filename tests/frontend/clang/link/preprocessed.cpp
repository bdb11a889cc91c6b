// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -E %s -o %t.ii
// RUN: %tessera-cxx -x c++-cpp-output %t.ii -x none -o %t && %t
//
// Compiler caches preprocess first; the plugin has no part in that.

#include <tessera/tessera.h>

[[tessera::kernel]] void kernel(tessera::span<unsigned> out) {
  [[tessera::shared]] unsigned value;
  if (tessera::this_thread::rank_in_block() == 0)
    value = tessera::this_block::index().x + 2;
  tessera::sync_threads();
  out[tessera::this_thread::index_1d()] = value;
}

int main() {
  tessera::stream s;
  auto out = tessera::buffer<unsigned>::zeroed(s, 64);
  tessera::launch(s, tessera::grid(2).block(32), kernel, out);
  return out.to_host(s)[63] == 3 ? 0 : 1;
}
