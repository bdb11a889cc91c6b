// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conway's Game of Life on a torus: a stencil that reads one buffer and writes
// another, generation after generation.

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <tessera/tessera.h>

[[tessera::kernel]] void next_generation(tessera::span<const std::uint8_t> now,
                                         tessera::span<std::uint8_t> next,
                                         unsigned width, unsigned height) {
  const auto thread = tessera::this_thread::index();
  const auto block = tessera::this_block::index();
  const auto size = tessera::this_block::size();
  const unsigned x = block.x * size.x + thread.x;
  const unsigned y = block.y * size.y + thread.y;
  if (x >= width || y >= height)
    return;

  unsigned neighbours = 0;
  for (unsigned dy : {height - 1, 0u, 1u})
    for (unsigned dx : {width - 1, 0u, 1u})
      if (dx != 0 || dy != 0)
        neighbours += now[(y + dy) % height * width + (x + dx) % width];
  const bool alive = now[y * width + x] != 0;
  next[y * width + x] = neighbours == 3 || (alive && neighbours == 2);
}

/// The same rule, told differently: every living cell adds one to the cells
/// around it.
std::vector<std::uint8_t> next_on_host(const std::vector<std::uint8_t> &now,
                                       int width, int height) {
  std::vector<int> neighbours(now.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int i = 0; i < 9; ++i)
        if (now[y * width + x] && i != 4)
          ++neighbours[(y + i / 3 - 1 + height) % height * width +
                       (x + i % 3 - 1 + width) % width];
  std::vector<std::uint8_t> next(now.size());
  for (std::size_t i = 0; i < now.size(); ++i)
    next[i] =
        now[i] ? neighbours[i] == 2 || neighbours[i] == 3 : neighbours[i] == 3;
  return next;
}

int main(int argc, char **argv) {
  const unsigned width = argc > 1 ? std::stoul(argv[1]) : 100;
  const unsigned height = argc > 2 ? std::stoul(argv[2]) : 70;
  const unsigned generations = argc > 3 ? std::stoul(argv[3]) : 12;
  std::vector<std::uint8_t> expected(std::size_t{width} * height);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = i * i % 7 < 2;

  tessera::stream s{tessera::device::best()};
  auto now = tessera::buffer<std::uint8_t>::from_host(s, expected);
  tessera::buffer<std::uint8_t> next(s, expected.size());
  const auto config =
      tessera::grid((width + 31) / 32, (height + 3) / 4).block(32, 4);
  for (unsigned i = 0; i < generations; ++i) {
    tessera::launch(s, config, next_generation, now, next, width, height);
    std::swap(now, next);
    expected = next_on_host(expected, static_cast<int>(width),
                            static_cast<int>(height));
  }

  const std::vector<std::uint8_t> result = now.to_host(s);
  std::size_t alive = 0;
  for (std::uint8_t cell : result)
    alive += cell;
  const bool good = result == expected;
  std::printf("life: %zu of %zu cells live after %u generations%s\n", alive,
              result.size(), generations, good ? "" : ", and that is wrong");
  return good ? 0 : 1;
}
