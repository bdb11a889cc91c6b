// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y += a * x as one template kernel, for float and for double.

#include <concepts>
#include <cstdio>
#include <string>
#include <vector>

#include <tessera/tessera.h>

template <std::floating_point T>
[[tessera::kernel]] void axpy(T a, tessera::span<const T> x,
                              tessera::disjoint_span<T> y) {
  auto i = tessera::this_thread::index_1d();
  if (T *out = y.at(i))
    *out += a * x[i];
}

// Small integers: the result is exact, fused or not.
template <std::floating_point T>
bool run(tessera::stream &s, std::size_t n, const char *type) {
  const T a = 3;
  std::vector<T> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<T>(i % 512);
    y[i] = static_cast<T>(i % 7);
  }

  auto dx = tessera::buffer<T>::from_host(s, x);
  auto dy = tessera::buffer<T>::from_host(s, y);
  tessera::launch(s, tessera::threads(n), axpy<T>, a, dx, dy);
  const std::vector<T> result = dy.to_host(s);

  for (std::size_t i = 0; i < n; ++i)
    if (const T expected = a * x[i] + y[i]; result[i] != expected) {
      std::printf("saxpy<%s>: element %zu is %g, expected %g\n", type, i,
                  static_cast<double>(result[i]),
                  static_cast<double>(expected));
      return false;
    }
  std::printf("saxpy<%s>: %zu elements are right\n", type, n);
  return true;
}

int main(int argc, char **argv) {
  const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 10'000;
  tessera::stream s{tessera::device::best()};
  return run<float>(s, n, "float") && run<double>(s, n, "double") ? 0 : 1;
}
