// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, each block computing one tile of C from tiles of A and B that its
// threads load into shared memory together. The sizes need not be multiples of
// the tile.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <tessera/tessera.h>

constexpr unsigned tile = 16;

/// A is m x k, B is k x n, C is m x n, all row by row.
[[tessera::kernel]] void matmul(tessera::span<const float> a,
                                tessera::span<const float> b,
                                tessera::span<float> c, unsigned m, unsigned n,
                                unsigned k) {
  [[tessera::shared]] float tile_a[tile][tile];
  [[tessera::shared]] float tile_b[tile][tile];
  const auto [tx, ty, tz] = tessera::this_thread::index();
  const unsigned row = tessera::this_block::index().y * tile + ty;
  const unsigned column = tessera::this_block::index().x * tile + tx;

  float sum = 0;
  for (unsigned from = 0; from < k; from += tile) {
    // Beyond the edges the tiles hold zeros, which do not change the sum.
    const bool in_a = row < m && from + tx < k;
    const bool in_b = from + ty < k && column < n;
    tile_a[ty][tx] = in_a ? a[row * k + from + tx] : 0;
    tile_b[ty][tx] = in_b ? b[(from + ty) * n + column] : 0;
    tessera::sync_threads();
    for (unsigned i = 0; i < tile; ++i)
      sum += tile_a[ty][i] * tile_b[i][tx];
    tessera::sync_threads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

int main(int argc, char **argv) {
  const unsigned m = argc > 1 ? std::stoul(argv[1]) : 70;
  const unsigned n = argc > 2 ? std::stoul(argv[2]) : 50;
  const unsigned k = argc > 3 ? std::stoul(argv[3]) : 45;
  std::vector<float> a(m * k), b(k * n);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<float>(i % 17) / 16 - 0.5f;
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = static_cast<float>(i % 23) / 32 - 0.25f;

  tessera::stream s{tessera::device::best()};
  auto da = tessera::buffer<float>::from_host(s, a);
  auto db = tessera::buffer<float>::from_host(s, b);
  tessera::buffer<float> dc(s, m * n);
  const auto tiles = [](unsigned size) { return (size + tile - 1) / tile; };
  tessera::launch(s, tessera::grid(tiles(n), tiles(m)).block(tile, tile),
                  matmul, da, db, dc, m, n, k);
  const std::vector<float> c = dc.to_host(s);

  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      double expected = 0, magnitude = 0;
      for (unsigned i = 0; i < k; ++i) {
        const double product = double(a[row * k + i]) * b[i * n + column];
        expected += product;
        magnitude += std::abs(product);
      }
      // Each of k roundings adds at most half a unit in the last place.
      const double got = c[row * n + column];
      if (!(std::abs(got - expected) <= magnitude * k * 0x1p-24)) {
        std::printf("matmul_tiled: C(%u, %u) is %g, expected %g\n", row, column,
                    got, expected);
        return 1;
      }
    }
  std::printf("matmul_tiled: the %u x %u product over %u is right\n", m, n, k);
}
