// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// tessera::atomic_ref: every operation, type and scope.

#include "feature.h"

#include <cstdint>

using tessera::atomic_ref;
using tessera::thread_scope;
constexpr auto relaxed = std::memory_order_relaxed;

template <class T> [[tessera::kernel]] void numbers(T *out) {
  const T i = static_cast<T>(tessera::this_thread::index_1d());
  if (i >= 100)
    return;
  atomic_ref(out[0]).fetch_add(i);
  atomic_ref<T, thread_scope::system>(out[1]).fetch_sub(i, relaxed);
  atomic_ref<T, thread_scope::block>(out[2]).fetch_max(
      i, std::memory_order_acq_rel);
  atomic_ref(out[3]).fetch_min(static_cast<T>(5 - i), relaxed);
}

template <class T> [[tessera::kernel]] void bits(T *out) {
  const unsigned i = static_cast<unsigned>(tessera::this_thread::index_1d());
  atomic_ref(out[0]).fetch_or(static_cast<T>(T{1} << (i % 31)));
  atomic_ref(out[1]).fetch_xor(static_cast<T>(i), relaxed);
  atomic_ref(out[2]).fetch_or(static_cast<T>(~T{0}), std::memory_order_release);
  tessera::sync_threads();
  atomic_ref(out[2]).fetch_and(static_cast<T>(~i));
}

struct alignas(8) pair {
  int a, b;
};
[[tessera::kernel]] void exchanges(long long *out, pair *pairs) {
  const int i = static_cast<int>(tessera::this_thread::index_1d());
  if (i >= 100)
    return;
  // Adds by compare-and-swap, to two numbers at once.
  atomic_ref target(pairs[0]);
  pair expected = target.load(relaxed);
  while (
      !target.compare_exchange_weak(expected, {expected.a + 1, expected.b + i}))
    ;
  // Every thread passes on what it found: the sum of all is kept.
  const long long found = atomic_ref(out[0]).exchange(i + 1);
  atomic_ref(out[1]).fetch_add(found);
  // Only one thread finds zero.
  long long zero = 0;
  if (atomic_ref(out[2]).compare_exchange_strong(
          zero, 7, std::memory_order_acq_rel, relaxed))
    atomic_ref(out[3]).fetch_add(1);
}

/// A lock in shared memory, taken by one thread of each warp after another.
[[tessera::kernel]] void lock(int *out) {
  [[tessera::shared]] int taken;
  if (tessera::this_thread::rank_in_block() == 0)
    atomic_ref(taken).store(0, relaxed);
  tessera::sync_threads();
  if (tessera::this_warp::lane() == 0) {
    atomic_ref<int, thread_scope::block> flag(taken);
    while (flag.exchange(1, std::memory_order_acquire) != 0)
      ;
    *out = *out * 2 + 1;
    flag.store(0, std::memory_order_release);
  }
}

/// Messages between blocks: the last block to arrive sees what all wrote.
[[tessera::kernel]] void last_block(int *out, int *parts, unsigned *arrived) {
  [[tessera::shared]] bool last;
  if (tessera::this_thread::rank_in_block() == 0) {
    parts[tessera::this_block::index().x] =
        static_cast<int>(tessera::this_block::index().x) + 1;
    last = atomic_ref(*arrived).fetch_add(1, std::memory_order_acq_rel) ==
           tessera::this_grid::size().x - 1;
  }
  tessera::sync_threads();
  if (last && tessera::this_thread::rank_in_block() == 0)
    for (unsigned block = 0; block < tessera::this_grid::size().x; ++block)
      *out += parts[block];
}

template <class T> bool check_numbers(tessera::stream &s, const char *type) {
  const std::vector<T> expected{T(4950), static_cast<T>(T(0) - T(4950)), T(99),
                                std::is_signed_v<T> ||
                                        std::is_floating_point_v<T>
                                    ? static_cast<T>(T(5) - T(99))
                                    : T(0)};
  return feature::expect(
      feature::output_of<T>(s, 4, tessera::threads(100, 64), numbers<T>),
      expected, type);
}
template <class T> bool check_bits(tessera::stream &s, const char *type) {
  unsigned found = 0, all = ~0u;
  for (unsigned i = 0; i < 64; ++i) {
    found ^= i;
    all &= ~i;
  }
  const std::vector<T> expected{static_cast<T>(0x7fffffff),
                                static_cast<T>(found), static_cast<T>(all)};
  return feature::expect(
      feature::output_of<T>(s, 3, tessera::grid(1).block(64), bits<T>),
      expected, type);
}

int main() {
  tessera::stream s;
  bool good = check_numbers<int>(s, "int");
  good &= check_numbers<unsigned>(s, "unsigned");
  good &= check_numbers<long long>(s, "long long");
  good &= check_numbers<std::uint64_t>(s, "uint64_t");
  good &= check_numbers<float>(s, "float");
  good &= check_numbers<double>(s, "double");
  good &= check_bits<int>(s, "int bits");
  good &= check_bits<std::uint64_t>(s, "uint64_t bits");

  auto pairs = tessera::buffer<pair>::zeroed(s, 1);
  const auto exchanged = feature::output_of<long long>(
      s, 4, tessera::threads(100, 64), exchanges, pairs);
  good &= feature::expect(std::vector<long long>{exchanged[0] + exchanged[1],
                                                 exchanged[2], exchanged[3]},
                          {5050, 7, 1}, "exchanges");
  const pair sums = pairs.to_host(s).front();
  good &= feature::expect(std::vector<int>{sums.a, sums.b}, {100, 4950},
                          "compare and exchange");

  good &= feature::expect(
      feature::output_of<int>(s, 1, tessera::grid(1).block(256), lock), {255},
      "lock");

  auto parts = tessera::buffer<int>::zeroed(s, 20);
  auto arrived = tessera::buffer<unsigned>::zeroed(s, 1);
  good &=
      feature::expect(feature::output_of<int>(s, 1, tessera::grid(20).block(32),
                                              last_block, parts, arrived),
                      {210}, "last block");
  return good ? 0 : 1;
}
