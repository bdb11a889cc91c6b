// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Names that PTX could not have, and names of C's library, as kernels.

#include <cmath>
#include <tessera/tessera.h>

namespace mine {
[[tessera::kernel]] void memcpy(tessera::span<double> out) { out[0] = 1; }
[[tessera::kernel]] void add(tessera::span<double> out) { out[0] += 2; }
} // namespace mine
[[tessera::kernel]] void größe(tessera::span<double> out) { out[0] += 4; }
[[tessera::kernel]] void min(tessera::span<double> out) {
  double whole;
  out[0] += std::modf(8.5, &whole) + whole;
}

int main() {
  tessera::stream s;
  auto out = tessera::buffer<double>::zeroed(s, 1);
  for (auto *kernel : {mine::memcpy, mine::add, größe, min})
    tessera::launch(s, tessera::grid(1).block(1), kernel, out);
  return out.to_host(s)[0] == 15.5 ? 0 : 1;
}
