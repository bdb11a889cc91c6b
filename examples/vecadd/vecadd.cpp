// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// z = x + y, with every access checked: reads by the length of the span, the
// write by an index that belongs to this thread alone.

#include <cstdio>
#include <string>
#include <vector>

#include <tessera/tessera.h>

[[tessera::kernel]] void vecadd(tessera::span<const float> x,
                                tessera::span<const float> y,
                                tessera::disjoint_span<float> z) {
  auto i = tessera::this_thread::index_1d();
  if (float *out = z.at(i)) // null in the threads past the end
    *out = x[i] + y[i];
}

int main(int argc, char **argv) {
  const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 10'000;
  std::vector<float> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1000);
    y[i] = 0.5f * static_cast<float>(i % 77);
  }

  tessera::stream s{tessera::device::best()};
  auto dx = tessera::buffer<float>::from_host(s, x);
  auto dy = tessera::buffer<float>::from_host(s, y);
  tessera::buffer<float> dz(s, n);
  tessera::launch(s, tessera::threads(n), vecadd, dx, dy, dz);
  const std::vector<float> z = dz.to_host(s);

  for (std::size_t i = 0; i < n; ++i)
    if (z[i] != x[i] + y[i]) {
      std::printf("vecadd: element %zu is %g, expected %g\n", i, z[i],
                  x[i] + y[i]);
      return 1;
    }
  std::printf("vecadd: %zu sums are right\n", n);
}
