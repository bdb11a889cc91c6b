// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Closures made on the host run on the device, with what they captured.

#include "feature.h"

#include <array>

struct offset {
  int x;
  double y;
};

template <class F>
[[tessera::kernel]] void apply(F f, tessera::disjoint_span<long long> out) {
  const auto i = tessera::this_thread::index_1d();
  if (long long *place = out.at(i))
    *place = f(static_cast<int>(i));
}

template <class F> bool same(tessera::stream &s, F f) {
  const int n = 70;
  tessera::buffer<long long> out(s, n);
  tessera::launch(s, tessera::threads(n), apply<F>, f, out);
  const std::vector<long long> result = out.to_host(s);
  for (int i = 0; i < n; ++i)
    if (result[static_cast<std::size_t>(i)] != f(i)) {
      std::printf("element %d is %lld, not %lld\n", i,
                  result[static_cast<std::size_t>(i)],
                  static_cast<long long>(f(i)));
      return false;
    }
  return true;
}

int main() {
  tessera::stream s;
  const char letter = 'q';
  const int scale = 3, unused_on_the_device = 5;
  const offset shift{7, 2.5};
  const std::array<short, 4> table{1, -2, 3, -4};
  auto inner = [=](int x) { return x * scale; };
  const bool good =
      same(s, [](int i) { return i + 1; }) &&
      same(s, [=](int i) { return i * scale + letter; }) &&
      same(s, [=](int i) { return i + shift.x + static_cast<int>(shift.y); }) &&
      same(s, [=](int i) { return table[static_cast<unsigned>(i) % 4]; }) &&
      same(s,
           [=](int i) {
             return inner(i) + static_cast<int>(sizeof(unused_on_the_device));
           }) &&
      same(s, [inner, big = 1ll << 40](auto i) { return inner(i) + big; });
  return good ? 0 : 1;
}
