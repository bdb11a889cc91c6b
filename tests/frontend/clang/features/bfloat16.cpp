// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// bfloat16. The reference rounds bits by hand: host libraries of GCC 12 cannot
// convert to __bf16.

#include "feature.h"

#include <bit>
#include <cstdint>

struct result {
  std::uint16_t sum, product;
  int truncated;
  bool less;
  bool operator==(const result &) const = default;
};

[[tessera::kernel]] void compute(tessera::disjoint_span<result> out) {
  const auto i = tessera::this_thread::index_1d();
  result *place = out.at(i);
  if (!place)
    return;
  const auto a = static_cast<__bf16>(static_cast<float>(i) * 1.03125f);
  const __bf16 sum = a + static_cast<__bf16>(0.5f);
  const __bf16 product = a * sum;
  *place = {std::bit_cast<std::uint16_t>(sum),
            std::bit_cast<std::uint16_t>(product), static_cast<int>(product),
            a < product};
}

/// `x` rounded to the nearest bfloat16, ties to even; its bits.
std::uint16_t round_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
float widen(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

result expected(int i) {
  const float a = widen(round_bits(static_cast<float>(i) * 1.03125f));
  const std::uint16_t sum = round_bits(a + 0.5f),
                      product = round_bits(a * widen(sum));
  return {sum, product, static_cast<int>(widen(product)), a < widen(product)};
}

int main() {
  const int n = 90;
  tessera::stream s;
  tessera::buffer<result> out(s, n);
  tessera::launch(s, tessera::threads(n), compute, out);
  const std::vector<result> results = out.to_host(s);
  for (int i = 0; i < n; ++i)
    if (results[static_cast<std::size_t>(i)] != expected(i)) {
      std::printf("element %d is wrong\n", i);
      return 1;
    }
}
