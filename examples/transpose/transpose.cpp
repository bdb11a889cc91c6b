// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes a matrix through shared memory, so that both the reads and the
// writes of a warp are consecutive.

#include <cstdio>
#include <string>
#include <vector>

#include <tessera/tessera.h>

constexpr unsigned tile = 32;
constexpr unsigned rows_at_once = 8;

/// `in` has `rows` x `columns` elements, row by row.
[[tessera::kernel]] void transpose(tessera::span<const int> in,
                                   tessera::span<int> out, unsigned rows,
                                   unsigned columns) {
  // One column more than needed: a column of the tile then lies in 32 different
  // banks of the shared memory.
  [[tessera::shared]] int values[tile][tile + 1];
  const auto thread = tessera::this_thread::index();
  const unsigned top = tessera::this_block::index().y * tile;
  const unsigned left = tessera::this_block::index().x * tile;

  for (unsigned y = thread.y; y < tile; y += rows_at_once)
    if (top + y < rows && left + thread.x < columns)
      values[y][thread.x] = in[(top + y) * columns + left + thread.x];
  tessera::sync_threads();
  for (unsigned y = thread.y; y < tile; y += rows_at_once)
    if (left + y < columns && top + thread.x < rows)
      out[(left + y) * rows + top + thread.x] = values[thread.x][y];
}

int main(int argc, char **argv) {
  const unsigned rows = argc > 1 ? std::stoul(argv[1]) : 300;
  const unsigned columns = argc > 2 ? std::stoul(argv[2]) : 170;
  std::vector<int> matrix(std::size_t{rows} * columns);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = static_cast<int>(i);

  tessera::stream s{tessera::device::best()};
  auto in = tessera::buffer<int>::from_host(s, matrix);
  tessera::buffer<int> out(s, matrix.size());
  const auto tiles = [](unsigned size) { return (size + tile - 1) / tile; };
  tessera::launch(
      s, tessera::grid(tiles(columns), tiles(rows)).block(tile, rows_at_once),
      transpose, in, out, rows, columns);
  const std::vector<int> result = out.to_host(s);

  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column)
      if (result[column * rows + row] != matrix[row * columns + column]) {
        std::printf("transpose: element (%u, %u) is %d, expected %d\n", column,
                    row, result[column * rows + row],
                    matrix[row * columns + column]);
        return 1;
      }
  std::printf("transpose: the %u x %u matrix is transposed right\n", rows,
              columns);
}
