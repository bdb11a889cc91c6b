// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Shuffles of every size, votes, matches, reductions, barriers that count.

#include "feature.h"

#include <algorithm>
#include <cstdint>

struct triple {
  std::uint8_t a, b, c;
};
struct wide {
  double x;
  int y, z;
};

[[tessera::kernel]] void shuffles(tessera::span<long long> out) {
  const unsigned i = tessera::this_thread::rank_in_block();
  const int lane = static_cast<int>(tessera::this_warp::lane());
  const auto moved = tessera::shfl(triple{static_cast<std::uint8_t>(lane), 2,
                                          static_cast<std::uint8_t>(lane * 3)},
                                   31 - static_cast<unsigned>(lane));
  const wide w = tessera::shfl_xor(wide{lane * 0.5, lane, -lane}, 5);
  out[i] = tessera::shfl_up(lane, 3) +
           100 * tessera::shfl_down(static_cast<short>(lane), 4) +
           10000 * (moved.a + moved.b + moved.c) +
           10000000ll * (static_cast<int>(w.x * 2) + w.y - w.z) +
           10000000000ll * tessera::shfl(static_cast<long long>(i), 7);
}

[[tessera::kernel]] void votes(tessera::span<unsigned> out) {
  const unsigned i = tessera::this_thread::rank_in_block();
  const unsigned lane = tessera::this_warp::lane();
  unsigned result = tessera::ballot(lane % 3 == 0);
  result ^= tessera::any(lane == 9) * 2u + tessera::any(lane == 99) * 4u +
            tessera::all(lane < 32) * 8u + tessera::all(lane < 31) * 16u;
  result ^= tessera::match_any(lane / 4) << 1;
  result ^= tessera::match_any(lane % 2 == 0 ? 1.0 : 2.0);
  if (lane < 10) // the others are elsewhere
    result ^= tessera::ballot(lane % 2 == 0, 0x3ff) << 20 ^
              tessera::active_mask() << 5;
  tessera::sync_warp();
  out[i] = result;
}

[[tessera::kernel]] void reductions(tessera::span<double> out) {
  const unsigned i = tessera::this_thread::rank_in_block();
  const int most = tessera::reduce(static_cast<int>(i * 37 % 64),
                                   [](int a, int b) { return a < b ? b : a; });
  out[i] = tessera::reduce_add(i) + 10000.0 * tessera::reduce_add(i * 0.25) +
           1e8 * most;
}

[[tessera::kernel]] void barriers(tessera::span<int> out) {
  const unsigned i = tessera::this_thread::rank_in_block();
  const int count = tessera::sync_threads_count(i % 5 == 0);
  const bool all = tessera::sync_threads_and(i < 64),
             not_all = tessera::sync_threads_and(i < 63);
  const bool one = tessera::sync_threads_or(i == 50),
             none = tessera::sync_threads_or(i > 64);
  tessera::fence_block();
  tessera::fence_device();
  tessera::fence_system();
  out[i] = count * 10000 + all * 1000 + not_all * 100 + one * 10 + none;
}

int main() {
  using feature::output_of, feature::expect;
  tessera::stream s;
  const unsigned n = 64;
  const auto block = tessera::grid(1).block(n);
  std::vector<long long> shuffled(n);
  std::vector<unsigned> voted(n);
  std::vector<double> reduced(n);
  for (unsigned i = 0; i < n; ++i) {
    const int lane = static_cast<int>(i % 32), warp = static_cast<int>(i / 32);
    const int other = 31 - lane, partner = lane ^ 5;
    const int up = lane < 3 ? lane : lane - 3,
              down = lane > 27 ? lane : lane + 4;
    shuffled[i] = up + 100 * down + 10000 * (other + 2 + other * 3) +
                  10000000ll * (3 * partner) + 10000000000ll * (warp * 32 + 7);
    unsigned thirds = 0;
    for (unsigned k = 0; k < 32; k += 3)
      thirds |= 1u << k;
    voted[i] = thirds ^ 10u ^ (0xfu << (lane / 4 * 4)) << 1 ^
               (lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau);
    if (lane < 10)
      voted[i] ^= 0x155u << 20 ^ 0x3ffu << 5;
    int sum = 0, most = 0;
    for (int k = warp * 32; k < warp * 32 + 32; ++k) {
      sum += k;
      most = std::max(most, k * 37 % 64);
    }
    reduced[i] = sum + 10000.0 * (sum * 0.25) + 1e8 * most;
  }
  bool good =
      expect(output_of<long long>(s, n, block, shuffles), shuffled, "shuffles");
  good &= expect(output_of<unsigned>(s, n, block, votes), voted, "votes");
  good &=
      expect(output_of<double>(s, n, block, reductions), reduced, "reductions");
  good &= expect(output_of<int>(s, n, block, barriers),
                 std::vector<int>(n, 13 * 10000 + 1010), "barriers");
  return good ? 0 : 1;
}
