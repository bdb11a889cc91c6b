// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running sums of an array of any length: each block scans its part, the sums
// of the blocks are scanned in turn, and every part is raised by the sum of the
// parts before it.

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <tessera/tessera.h>

constexpr unsigned block_threads = 256;
constexpr unsigned block_warps = block_threads / tessera::warp_size;

/// The sum of `value` over this lane and those below it.
std::uint32_t scan_warp(std::uint32_t value) {
  const unsigned lane = tessera::this_warp::lane();
  for (unsigned step = 1; step < tessera::warp_size; step *= 2) {
    const std::uint32_t below = tessera::shfl_up(value, step);
    if (lane >= step)
      value += below;
  }
  return value;
}

/// Scans each block's part of `values` in place; `totals` gets the parts' sums.
[[tessera::kernel]] void
scan_blocks(tessera::disjoint_span<std::uint32_t> values,
            tessera::span<std::uint32_t> totals) {
  [[tessera::shared]] std::uint32_t warp_totals[block_warps];
  const unsigned lane = tessera::this_warp::lane();
  const unsigned warp = tessera::this_warp::index();
  std::uint32_t *place = values.at(tessera::this_thread::index_1d());

  std::uint32_t sum = scan_warp(place ? *place : 0);
  if (lane == tessera::warp_size - 1)
    warp_totals[warp] = sum;
  tessera::sync_threads();

  for (unsigned before = 0; before < warp; ++before)
    sum += warp_totals[before];
  if (place)
    *place = sum;
  if (tessera::this_thread::rank_in_block() == block_threads - 1)
    totals[tessera::this_block::index().x] = sum;
}

/// Adds to each block's part the sum of the parts before it.
[[tessera::kernel]] void
add_totals(tessera::disjoint_span<std::uint32_t> values,
           tessera::span<const std::uint32_t> totals) {
  const unsigned block = tessera::this_block::index().x;
  if (block == 0)
    return;
  if (auto *place = values.at(tessera::this_thread::index_1d()))
    *place += totals[block - 1];
}

/// std::inclusive_scan in place, on the device; sums wrap at 2^32.
void inclusive_scan(tessera::stream &s,
                    tessera::buffer<std::uint32_t> &values) {
  if (values.empty())
    return;
  const std::size_t blocks =
      (values.size() + block_threads - 1) / block_threads;
  const auto config = tessera::grid(blocks).block(block_threads);
  tessera::buffer<std::uint32_t> totals(s, blocks);
  tessera::launch(s, config, scan_blocks, values, totals);
  if (blocks == 1)
    return;
  inclusive_scan(s, totals);
  tessera::launch(s, config, add_totals, values, totals);
}

int main(int argc, char **argv) {
  const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 70'000;
  std::vector<std::uint32_t> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<std::uint32_t>(i * 2654435761 % 1000);

  tessera::stream s{tessera::device::best()};
  auto sums = tessera::buffer<std::uint32_t>::from_host(s, values);
  inclusive_scan(s, sums);
  const std::vector<std::uint32_t> result = sums.to_host(s);

  std::uint32_t expected = 0;
  for (std::size_t i = 0; i < n; ++i) {
    expected += values[i];
    if (result[i] != expected) {
      std::printf("scan: sum %zu is %u, expected %u\n", i, result[i], expected);
      return 1;
    }
  }
  std::printf("scan: %zu running sums are right, the last is %u\n", n,
              expected);
}
