// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Packed classes as parameters: their parts lie where their types could not.

#include <cstdio>
#include <tessera/tessera.h>

struct [[gnu::packed]] by_attribute {
  char tag;
  double value;
};
#pragma pack(push, 1)
struct by_pragma {
  char tag;
  int number;
  double values[3];
};
#pragma pack(pop)
struct nested {
  int number;
  by_attribute inner;
};

[[tessera::kernel]] void sum(by_attribute a, by_pragma b, nested c,
                             tessera::span<double> out) {
  out[0] = a.value + b.number + b.values[2] + c.inner.value;
}

int main() {
  tessera::stream s;
  auto out = tessera::buffer<double>::zeroed(s, 1);
  tessera::launch(s, tessera::grid(1).block(1), sum, by_attribute{'a', 0.25},
                  by_pragma{'b', 10, {1, 2, 300}}, nested{1, {'c', 4000}}, out);
  const double result = out.to_host(s)[0];
  std::printf("%g\n", result);
  return result == 4310.25 ? 0 : 1;
}
