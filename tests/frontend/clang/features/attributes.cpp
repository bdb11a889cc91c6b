// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Attributes of kernels and hints for the compiler.

#include "feature.h"

[[tessera::kernel, clang::annotate("tessera.launch_bounds", 128, 2)]] void
bounded(tessera::span<int> out) {
  out[tessera::this_thread::index_1d()] = 1;
}
[[tessera::kernel, clang::annotate("tessera.block", 8, 4, 1)]] void
fixed(tessera::span<int> out) {
  out[tessera::this_thread::rank_in_block()] =
      static_cast<int>(tessera::this_block::size().y);
}

struct empty {};
struct compact {
  [[no_unique_address]] empty e;
  int x;
};

int hinted(int i) {
  if (i > 20) [[likely]]
    return 1;
  else [[unlikely]]
    return 2;
}
[[gnu::always_inline]] inline int inlined(int i) { return i * 3; }
[[gnu::noinline, gnu::pure]] int kept(int i) {
  __builtin_assume(i >= 0);
  [[maybe_unused]] const int unused = i;
  return i / 4;
}

[[tessera::kernel]] void hints(tessera::span<int> out) {
  const int i = static_cast<int>(tessera::this_thread::index_1d());
  const compact c{{}, i};
  out[static_cast<std::size_t>(i)] = hinted(i) + inlined(c.x) * 10 +
                                     kept(i) * 1000 +
                                     static_cast<int>(sizeof(compact)) * 100000;
}

int main() {
  using feature::output_of, feature::expect;
  tessera::stream s;
  bool good = expect(output_of<int>(s, 256, tessera::threads(256), bounded),
                     std::vector<int>(256, 1), "launch bounds");
  good &= expect(output_of<int>(s, 32, tessera::grid(1), fixed),
                 std::vector<int>(32, 4), "fixed block");
  std::vector<int> hinted_values(64);
  for (int i = 0; i < 64; ++i)
    hinted_values[static_cast<std::size_t>(i)] =
        (i > 20 ? 1 : 2) + i * 30 + i / 4 * 1000 + 400000;
  good &= expect(output_of<int>(s, 64, tessera::threads(64, 64), hints),
                 hinted_values, "hints");

  try {
    output_of<int>(s, 256, tessera::threads(256, 256), bounded);
    std::printf("a block above the launch bounds was launched\n");
    good = false;
  } catch (const tessera::error &error) {
    good &= error.kind() == tessera::error_kind::invalid_launch;
  }
  return good ? 0 : 1;
}
