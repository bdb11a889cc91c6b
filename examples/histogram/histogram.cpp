// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting bytes: each block counts in its own shared memory, where atomic
// additions are cheap, and adds its counts to the global ones at the end.

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <tessera/tessera.h>

constexpr unsigned bins = 256;

[[tessera::kernel]] void histogram(tessera::span<const std::uint8_t> in,
                                   tessera::span<unsigned> counts) {
  using tessera::thread_scope;
  [[tessera::shared]] unsigned block_counts[bins];
  const unsigned rank = tessera::this_thread::rank_in_block();
  const unsigned threads = tessera::this_block::size().x;

  for (unsigned bin = rank; bin < bins; bin += threads)
    block_counts[bin] = 0;
  tessera::sync_threads();

  const std::size_t stride =
      std::size_t{threads} * tessera::this_grid::size().x;
  for (std::size_t i = tessera::this_thread::index_1d(); i < in.size();
       i += stride) {
    tessera::atomic_ref<unsigned, thread_scope::block> count(
        block_counts[in[i]]);
    count.fetch_add(1, std::memory_order_relaxed);
  }
  tessera::sync_threads();

  for (unsigned bin = rank; bin < bins; bin += threads) {
    tessera::atomic_ref<unsigned, thread_scope::device> count(counts[bin]);
    count.fetch_add(block_counts[bin], std::memory_order_relaxed);
  }
}

int main(int argc, char **argv) {
  const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 100'000;
  std::vector<std::uint8_t> values(n);
  std::uint32_t state = 1;
  for (auto &value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<std::uint8_t>((state >> 24) & (state >> 16));
  }

  tessera::stream s{tessera::device::best()};
  auto in = tessera::buffer<std::uint8_t>::from_host(s, values);
  auto counts = tessera::buffer<unsigned>::zeroed(s, bins);
  tessera::launch(s, tessera::grid(16).block(128), histogram, in, counts);
  const std::vector<unsigned> result = counts.to_host(s);

  std::array<unsigned, bins> expected{};
  for (std::uint8_t value : values)
    ++expected[value];
  for (unsigned bin = 0; bin < bins; ++bin)
    if (result[bin] != expected[bin]) {
      std::printf("histogram: bin %u holds %u, expected %u\n", bin, result[bin],
                  expected[bin]);
      return 1;
    }
  std::printf("histogram: %zu bytes in %u bins are counted right\n", n, bins);
}
