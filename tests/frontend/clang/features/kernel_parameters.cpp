// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Parameters of every kind arrive as they were passed.

#include "feature.h"

#include <array>
#include <cstdint>

enum class mode : short { slow = -2, fast = 7 };
struct padded {
  char c;
  double d;
  short s;
};
struct nothing {};
struct alignas(16) aligned {
  int x[3];
};
struct large {
  std::array<int, 100> values;
};

[[tessera::kernel]] void scalars(long long *out, bool b, char c,
                                 std::uint16_t h, int i, long long l, float f,
                                 double d, mode m) {
  out[0] = b;
  out[1] = c;
  out[2] = h;
  out[3] = i;
  out[4] = l;
  out[5] = static_cast<long long>(f * 4);
  out[6] = static_cast<long long>(d * 8);
  out[7] = static_cast<long long>(m);
}

[[tessera::kernel]] void classes(long long *out, char first, padded p, nothing,
                                 aligned a, large l, char last) {
  out[0] = first + last;
  out[1] = p.c;
  out[2] = static_cast<long long>(p.d * 2);
  out[3] = p.s;
  out[4] = a.x[2];
  l.values[1] += l.values[99];
  out[5] = l.values[1];
}

[[tessera::kernel]] void views(long long *out, tessera::span<const short> in,
                               char between,
                               tessera::disjoint_span<int> disjoint,
                               const int *pointer,
                               tessera::span<padded> structs) {
  out[0] = static_cast<long long>(in.size());
  out[1] = in[2];
  out[2] = between;
  out[3] = static_cast<long long>(disjoint.size());
  out[4] = pointer == nullptr;
  out[5] = structs[1].s;
  structs[0].d = 4.5;
}

template <class T, int N>
[[tessera::kernel]] void instantiated(long long *out, T value) {
  out[0] = static_cast<long long>(value * N);
}

int main() {
  using feature::output_of, feature::expect;
  using numbers = std::vector<long long>;
  tessera::stream s;
  const auto one = tessera::threads(1);

  bool good =
      expect(output_of<long long>(s, 8, one, scalars, true, 'x', 65535, -7,
                                  1ll << 40, 2.25f, -0.125, mode::slow),
             numbers{1, 'x', 65535, -7, 1ll << 40, 9, -1, -2}, "scalars");

  large l{};
  l.values[1] = 30;
  l.values[99] = 12;
  good &=
      expect(output_of<long long>(s, 6, one, classes, 'a', padded{'p', 2.5, -3},
                                  nothing{}, aligned{{1, 2, 3}}, l, 'b'),
             numbers{'a' + 'b', 'p', 5, -3, 3, 42}, "classes");

  const auto shorts =
      tessera::buffer<short>::from_host(s, std::array<short, 3>{1, 2, -3});
  tessera::buffer<int> ints(s, 17);
  auto structs = tessera::buffer<padded>::from_host(
      s, std::array<padded, 2>{{{'a', 1, 2}, {'b', 3, 44}}});
  good &= expect(output_of<long long>(s, 6, one, views, shorts, 'y', ints,
                                      nullptr, structs),
                 numbers{3, -3, 'y', 17, 1, 44}, "views");
  good &= expect(numbers{static_cast<long long>(structs.to_host(s)[0].d * 2)},
                 numbers{9}, "a store through a span");

  good &= expect(output_of<long long>(s, 1, one, instantiated<double, 6>, 1.5),
                 numbers{9}, "a template");
  return good ? 0 : 1;
}
