// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled with -O3 -march=native. Written so that clang makes vectors of it
// where the algorithm allows that.

#include "plain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace tessera::bench::plain {
namespace {

/// Calls `work(part, begin, end)` for a part of `count` on each thread.
template <class Work>
void inParallel(unsigned threads, std::size_t count, Work work) {
  if (threads == 1)
    return work(0u, std::size_t(0), count);
  std::vector<std::thread> all;
  const std::size_t share = (count + threads - 1) / threads;
  for (unsigned i = 0; i < threads; ++i)
    all.emplace_back(work, i, std::min(count, i * share),
                     std::min(count, (i + 1) * share));
  for (std::thread &thread : all)
    thread.join();
}

/// 64 sums side by side, so that they fit vectors.
float sum(const float *in, std::size_t n) {
  constexpr std::size_t lanes = 64;
  float partial[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      partial[lane] += in[i + lane];
  float total = 0;
  for (; i < n; ++i)
    total += in[i];
  for (float part : partial)
    total += part;
  return total;
}

constexpr std::size_t tile = 32;

/// One tile of the product: c += a * b.
void multiplyTile(const float *__restrict a, const float *__restrict b,
                  float (&__restrict sums)[tile][tile], std::size_t n) {
  for (std::size_t y = 0; y < tile; ++y)
    for (std::size_t k = 0; k < tile; ++k)
      for (std::size_t x = 0; x < tile; ++x)
        sums[y][x] += a[y * n + k] * b[k * n + x];
}

} // namespace

void saxpy(unsigned threads, float a, const float *x, float *y, std::size_t n) {
  inParallel(threads, n, [=](unsigned, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      y[i] = a * x[i] + y[i];
  });
}

float reduce(unsigned threads, const float *in, std::size_t n) {
  std::vector<float> partial(threads);
  inParallel(threads, n,
             [&](unsigned part, std::size_t begin, std::size_t end) {
               partial[part] = sum(in + begin, end - begin);
             });
  return sum(partial.data(), partial.size());
}

void matmul(unsigned threads, const float *a, const float *b, float *c,
            std::size_t n) {
  inParallel(
      threads, n / tile, [=](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t line = begin * tile; line < end * tile; line += tile)
          for (std::size_t column = 0; column < n; column += tile) {
            float sums[tile][tile] = {};
            for (std::size_t k = 0; k < n; k += tile)
              multiplyTile(a + line * n + k, b + k * n + column, sums, n);
            for (std::size_t y = 0; y < tile; ++y)
              std::copy_n(sums[y], tile, c + (line + y) * n + column);
          }
      });
}

void nbody(unsigned threads, const Body *bodies, Body *forces, std::size_t n) {
  inParallel(threads, n, [=](unsigned, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Body own = bodies[i];
      float fx = 0, fy = 0, fz = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const Body &other = bodies[k];
        const float dx = other.x - own.x, dy = other.y - own.y,
                    dz = other.z - own.z;
        const float square = dx * dx + dy * dy + dz * dz + 1e-4f;
        const float inverse = 1 / std::sqrt(square);
        const float force = other.mass * inverse * inverse * inverse;
        fx += dx * force;
        fy += dy * force;
        fz += dz * force;
      }
      forces[i] = {fx, fy, fz, 0};
    }
  });
}

void softmax(unsigned threads, const float *in, float *out, std::size_t rows,
             std::size_t columns) {
  inParallel(threads, rows, [=](unsigned, std::size_t begin, std::size_t end) {
    for (std::size_t line = begin; line < end; ++line) {
      const float *from = in + line * columns;
      float *to = out + line * columns;
      float most = -std::numeric_limits<float>::infinity();
      for (std::size_t i = 0; i < columns; ++i)
        most = from[i] > most ? from[i] : most;
      for (std::size_t i = 0; i < columns; ++i)
        to[i] = std::exp(from[i] - most);
      const float scale = 1 / sum(to, columns);
      for (std::size_t i = 0; i < columns; ++i)
        to[i] *= scale;
    }
  });
}

void histogram(unsigned threads, const unsigned char *in, unsigned *bins,
               std::size_t n) {
  constexpr std::size_t count = 256;
  std::vector<unsigned> all(threads * count);
  inParallel(threads, n,
             [&](unsigned part, std::size_t begin, std::size_t end) {
               unsigned *own = all.data() + part * count;
               for (std::size_t i = begin; i < end; ++i)
                 ++own[in[i]];
             });
  for (std::size_t i = 0; i < all.size(); ++i)
    bins[i % count] += all[i];
}

} // namespace tessera::bench::plain
