// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public headers are quiet in C++20, with attributes that the compiler
// does not know. Compiled with g++ as well where it is installed.
//
// RUN: %clangxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %s

#include <tessera/tessera.h>

[[tessera::kernel]] void scale(tessera::disjoint_span<float> data, float factor,
                               tessera::span<const float> offsets) {
  const auto i = tessera::this_thread::index_1d();
  if (float *place = data.at(i))
    *place = *place * factor + offsets[i];
}

template <class F>
[[tessera::kernel]] void apply(F function, tessera::disjoint_span<int> data) {
  const auto i = tessera::this_thread::index_1d();
  if (int *place = data.at(i))
    *place = function(*place);
}

[[tessera::kernel]] void boxes(tessera::tensor_map) {}

int main() {
  tessera::stream s{tessera::device::best()};
  auto data = tessera::buffer<float>::zeroed(s, 100);
  tessera::launch(s, tessera::threads(data.size()), scale, data, 2, data);
  auto numbers = tessera::buffer<int>::from_host(s, {1, 2, 3});
  auto twice = [factor = 2](int value) { return factor * value; };
  tessera::launch(s, tessera::grid(1).block(32).shared(64),
                  apply<decltype(twice)>, twice, numbers);
  const auto map = tessera::tensor_map::tiled(
      s.device(), {.element = tessera::tensor_element::f32,
                   .rank = 1,
                   .address = data.data(),
                   .sizes = {100},
                   .box = {32}});
  tessera::launch(s, tessera::grid(4).block(32).cluster(2), boxes, map);
  return numbers.to_host(s).at(0);
}
