// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// The approximations of tessera::fast, and rsqrt.

#include "feature.h"

#include <cmath>
#include <functional>

[[tessera::kernel]] void compute(tessera::span<const float> in,
                                 tessera::span<float> out) {
  const auto i = tessera::this_thread::index_1d();
  if (i >= in.size())
    return;
  const float x = in[i];
  float *results = &out[i * 10];
  results[0] = tessera::rsqrt(x);
  results[1] = static_cast<float>(tessera::rsqrt(static_cast<double>(x)));
  results[2] = tessera::fma(x, x, -1.0f);
  results[3] = tessera::fast::sin(x);
  results[4] = tessera::fast::cos(x);
  results[5] = tessera::fast::exp2(x);
  results[6] = tessera::fast::log2(x + 1);
  results[7] = tessera::fast::exp(x);
  results[8] = tessera::fast::log(x + 1);
  results[9] = tessera::fast::divide(x, 7) * tessera::fast::sqrt(x);
}

int main() {
  tessera::stream s;
  std::vector<float> in;
  for (float x = 0.0625f; x < 3; x += 0.0625f)
    in.push_back(x);
  const auto d_in = tessera::buffer<float>::from_host(s, in);
  tessera::buffer<float> d_out(s, in.size() * 10);
  tessera::launch(s, tessera::threads(in.size()), compute, d_in, d_out);
  const std::vector<float> out = d_out.to_host(s);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double x = in[i];
    const double expected[] = {
        1 / std::sqrt(x), 1 / std::sqrt(x),    x * x - 1,        std::sin(x),
        std::cos(x),      std::exp2(x),        std::log2(x + 1), std::exp(x),
        std::log(x + 1),  x / 7 * std::sqrt(x)};
    for (std::size_t k = 0; k < 10; ++k)
      if (const double got = out[i * 10 + k];
          !(std::abs(got - expected[k]) <=
            2e-6 * (1 + std::abs(expected[k])))) {
        std::printf("function %zu of %g is %.9g, not %.9g\n", k, x, got,
                    expected[k]);
        return 1;
      }
  }
}
