// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of an array: the threads of a warp by shuffles, the warps of a block
// through shared memory, the blocks by a second launch of the same kernel.

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <tessera/tessera.h>

constexpr unsigned block_threads = 256;
constexpr unsigned block_warps = block_threads / tessera::warp_size;

/// The sum of `value` over the warp, in lane 0.
std::int64_t sum_warp(std::int64_t value) {
  for (unsigned step = tessera::warp_size / 2; step != 0; step /= 2)
    value += tessera::shfl_down(value, step);
  return value;
}

/// sums[b] = the sum of the elements that block b meets.
[[tessera::kernel]] void reduce(tessera::span<const std::int64_t> in,
                                tessera::span<std::int64_t> sums) {
  [[tessera::shared]] std::int64_t warp_sums[block_warps];
  const unsigned block = tessera::this_block::index().x;
  const std::size_t stride =
      std::size_t{block_threads} * tessera::this_grid::size().x;

  std::int64_t sum = 0;
  for (std::size_t i = tessera::this_thread::index_1d(); i < in.size();
       i += stride)
    sum += in[i];

  sum = sum_warp(sum);
  const unsigned lane = tessera::this_warp::lane();
  const unsigned warp = tessera::this_warp::index();
  if (lane == 0)
    warp_sums[warp] = sum;
  tessera::sync_threads();

  if (warp != 0)
    return;
  sum = sum_warp(lane < block_warps ? warp_sums[lane] : 0);
  if (lane == 0)
    sums[block] = sum;
}

int main(int argc, char **argv) {
  const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 100'000;
  std::vector<std::int64_t> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<std::int64_t>(i * 2654435761 % 1'000'003) - 500'000;

  tessera::stream s{tessera::device::best()};
  const unsigned blocks = 32;
  auto in = tessera::buffer<std::int64_t>::from_host(s, values);
  tessera::buffer<std::int64_t> sums(s, blocks), total(s, 1);
  tessera::launch(s, tessera::grid(blocks).block(block_threads), reduce, in,
                  sums);
  tessera::launch(s, tessera::grid(1).block(block_threads), reduce, sums,
                  total);

  const std::int64_t result = total.to_host(s).front();
  const std::int64_t expected =
      std::accumulate(values.begin(), values.end(), std::int64_t{0});
  std::printf("reduce: the sum of %zu elements is %lld%s\n", n,
              static_cast<long long>(result),
              result == expected ? "" : ", which is wrong");
  return result == expected ? 0 : 1;
}
