// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Where a thread is in block, grid and warp, in three dimensions.

#include "feature.h"

[[tessera::kernel]] void places(tessera::span<unsigned> out) {
  const auto thread = tessera::this_thread::index();
  const auto block = tessera::this_block::index();
  const auto threads = tessera::this_block::size();
  const auto blocks = tessera::this_grid::size();
  const unsigned block_rank =
      block.x + blocks.x * (block.y + blocks.y * block.z);
  const unsigned rank = tessera::this_thread::rank_in_block();
  const unsigned place = block_rank * threads.x * threads.y * threads.z + rank;
  out[place] = thread.x + 10 * thread.y + 100 * thread.z + 1000 * block.x +
               10000 * block.y + 100000 * block.z +
               1000000 * tessera::this_warp::lane() +
               100000000 * tessera::this_warp::index();
}

[[tessera::kernel]] void linear(tessera::disjoint_span<unsigned> out) {
  const auto i = tessera::this_thread::index_1d();
  if (unsigned *place = out.at(i))
    *place = static_cast<unsigned>(i) + 1;
}

int main() {
  tessera::stream s;
  std::vector<unsigned> expected;
  for (unsigned bz = 0; bz < 2; ++bz)
    for (unsigned by = 0; by < 3; ++by)
      for (unsigned bx = 0; bx < 2; ++bx)
        for (unsigned rank = 0; rank < 5 * 3 * 4; ++rank)
          expected.push_back(rank % 5 + 10 * (rank / 5 % 3) +
                             100 * (rank / 15) + 1000 * bx + 10000 * by +
                             100000 * bz + 1000000 * (rank % 32) +
                             100000000 * (rank / 32));
  bool good = feature::expect(
      feature::output_of<unsigned>(
          s, expected.size(), tessera::grid(2, 3, 2).block(5, 3, 4), places),
      expected, "places");

  std::vector<unsigned> counted(1000);
  for (unsigned i = 0; i < 1000; ++i)
    counted[i] = i + 1;
  good &= feature::expect(
      feature::output_of<unsigned>(s, 1000, tessera::threads(1000, 96), linear),
      counted, "one dimension");
  return good ? 0 : 1;
}
