// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Shared memory: static, of several types and dimensions, in templates and in
// functions, and dynamic.

#include "feature.h"

[[tessera::kernel]] void reverse(tessera::span<int> values) {
  [[tessera::shared]] int copy[64];
  const unsigned i = tessera::this_thread::rank_in_block();
  copy[i] = values[i];
  tessera::sync_threads();
  values[i] = copy[63 - i] + 1;
}

struct cell {
  double weight;
  char letter;
};
template <class T, unsigned N>
[[tessera::kernel]] void several(tessera::span<int> out) {
  [[tessera::shared]] T table[N][N];
  [[tessera::shared]] cell cells[N];
  [[tessera::shared]] int counter;
  const unsigned i = tessera::this_thread::rank_in_block();
  if (i == 0)
    counter = 100;
  if (i < N) {
    for (unsigned k = 0; k < N; ++k)
      table[i][k] = static_cast<T>(i * 10 + k);
    cells[i] = {i * 0.5, static_cast<char>('a' + i)};
  }
  tessera::sync_threads();
  out[i] = static_cast<int>(table[i % N][i / N % N]) +
           static_cast<int>(cells[i % N].weight * 2) * 1000 +
           cells[i % N].letter * 100000 + counter;
}

[[tessera::kernel]] void dynamic(tessera::span<int> out) {
  const auto memory = tessera::dynamic_shared<short>();
  const unsigned i = tessera::this_thread::rank_in_block();
  memory[i] = static_cast<short>(i * 3);
  tessera::sync_threads();
  out[i] = memory[memory.size() - 1 - i] +
           static_cast<int>(tessera::dynamic_shared_bytes()) * 1000;
}

/// Different blocks have different memory.
[[tessera::kernel]] void of_a_block(tessera::span<int> out) {
  [[tessera::shared]] unsigned mine;
  if (tessera::this_thread::rank_in_block() == 0)
    mine = tessera::this_block::index().x;
  tessera::sync_threads();
  out[tessera::this_thread::index_1d()] = static_cast<int>(mine);
}

int main() {
  using feature::output_of, feature::expect;
  tessera::stream s;
  std::vector<int> reversed(64, 1), mixed(64), read(64), blocks(96);
  for (int i = 0; i < 64; ++i) {
    mixed[i] =
        i % 8 * 10 + i / 8 % 8 + i % 8 * 1000 + ('a' + i % 8) * 100000 + 100;
    read[i] = (63 - i) * 3 + 128000;
  }
  for (int i = 0; i < 96; ++i)
    blocks[i] = i / 32;

  const auto block = tessera::grid(1).block(64);
  bool good = expect(output_of<int>(s, 64, block, reverse), reversed, "static");
  good &=
      expect(output_of<int>(s, 64, block, several<float, 8>), mixed, "several");
  good &= expect(output_of<int>(s, 64, block.shared(128), dynamic), read,
                 "dynamic");
  good &= expect(output_of<int>(s, 96, tessera::threads(96, 32), of_a_block),
                 blocks, "of a block");
  return good ? 0 : 1;
}
