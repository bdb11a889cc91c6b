// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shared_kernels.h"

namespace {
[[tessera::kernel]] void same(tessera::span<int> out) { out[0] += 4; }
} // namespace

[[tessera::kernel]] void defined_in_other(tessera::span<int> out) {
  out[0] += 100;
}

[[tessera::kernel]] static void twin(tessera::span<int> out) { out[0] += 1000; }

int launch_of_the_other_file() {
  tessera::stream s;
  auto out = tessera::buffer<int>::zeroed(s, 1);
  tessera::launch(s, tessera::grid(1).block(1), store<int>, out, 20);
  tessera::launch(s, tessera::grid(1).block(1), same, out);
  tessera::launch(s, tessera::grid(1).block(1), twin, out);
  return out.to_host(s)[0];
}
