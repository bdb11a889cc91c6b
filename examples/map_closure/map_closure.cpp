// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that applies any function: the lambda is written on the host, and
// what it captures travels to the device with it.

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <tessera/tessera.h>

template <class F>
[[tessera::kernel]] void map(F f, tessera::span<const int> in,
                             tessera::disjoint_span<int> out) {
  auto i = tessera::this_thread::index_1d();
  if (int *place = out.at(i))
    *place = f(in[i]);
}

// std::transform, on the device.
template <class F>
std::vector<int> transform(tessera::stream &s, const std::vector<int> &in,
                           F f) {
  auto from = tessera::buffer<int>::from_host(s, in);
  tessera::buffer<int> to(s, in.size());
  tessera::launch(s, tessera::threads(in.size()), map<F>, f, from, to);
  return to.to_host(s);
}

int main(int argc, char **argv) {
  const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 10'000;
  std::vector<int> in(n);
  for (std::size_t i = 0; i < n; ++i)
    in[i] = static_cast<int>(i % 100) - 50;

  tessera::stream s{tessera::device::best()};
  const int scale = 3;
  const std::array<int, 3> coefficients{1, -2, 5};

  // One scalar captured, then a whole array.
  const auto scaled = transform(s, in, [=](int x) { return scale * x; });
  const auto polynomial = transform(s, in, [=](int x) {
    int value = 0;
    for (int c : coefficients)
      value = value * x + c;
    return value;
  });

  for (std::size_t i = 0; i < n; ++i) {
    const int x = in[i];
    if (scaled[i] != 3 * x || polynomial[i] != x * x - 2 * x + 5) {
      std::printf("map_closure: element %zu is %d and %d, expected %d and %d\n",
                  i, scaled[i], polynomial[i], 3 * x, x * x - 2 * x + 5);
      return 1;
    }
  }
  std::printf("map_closure: two lambdas over %zu elements are right\n", n);
}
