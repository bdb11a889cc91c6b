// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies that attract each other: ordinary structs with operators on the
// device, positions shared by the threads of a block, and rsqrt.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <tessera/tessera.h>

constexpr unsigned block_threads = 64;
constexpr float time_step = 0.01f;
constexpr float softening = 0.05f; // keeps close encounters finite

template <class T> struct vec3 {
  T x, y, z;
  friend vec3 operator+(vec3 a, vec3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend vec3 operator-(vec3 a, vec3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend vec3 operator*(T s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
  friend T dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

template <class T> struct body {
  vec3<T> position, velocity;
  T mass;
};

/// One time step for each thread's body, from `now` to `next`.
[[tessera::kernel]] void step(tessera::span<const body<float>> now,
                              tessera::disjoint_span<body<float>> next) {
  [[tessera::shared]] vec3<float> positions[block_threads];
  [[tessera::shared]] float masses[block_threads];
  const unsigned rank = tessera::this_thread::rank_in_block();
  const auto i = tessera::this_thread::index_1d();
  const std::size_t n = now.size();
  body<float> self = i < n ? now[i] : body<float>{};

  vec3<float> acceleration{};
  for (std::size_t from = 0; from < n; from += block_threads) {
    const bool inside = from + rank < n;
    positions[rank] = inside ? now[from + rank].position : vec3<float>{};
    masses[rank] = inside ? now[from + rank].mass : 0; // attracts nobody
    tessera::sync_threads();
    for (unsigned k = 0; k < block_threads; ++k) {
      const vec3<float> d = positions[k] - self.position;
      const float inverse = tessera::rsqrt(dot(d, d) + softening * softening);
      acceleration = acceleration + masses[k] * inverse * inverse * inverse * d;
    }
    tessera::sync_threads();
  }

  self.velocity = self.velocity + time_step * acceleration;
  self.position = self.position + time_step * self.velocity;
  if (auto *place = next.at(i))
    *place = self;
}

/// The same step in double precision.
void step_on_host(std::vector<body<double>> &bodies) {
  for (auto &self : bodies)
    for (const auto &other : bodies) {
      const auto d = other.position - self.position;
      const double r2 = dot(d, d) + double(softening) * softening;
      self.velocity =
          self.velocity + time_step * other.mass / (r2 * std::sqrt(r2)) * d;
    }
  for (auto &self : bodies)
    self.position = self.position + time_step * self.velocity;
}

int main(int argc, char **argv) {
  const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 200;
  const unsigned steps = 4;
  std::vector<body<float>> start(n);
  std::vector<body<double>> expected(n);
  for (std::size_t i = 0; i < n; ++i) { // a spiral, turning
    const float angle = 0.3f * static_cast<float>(i);
    const float radius = 0.2f + static_cast<float>(i) / static_cast<float>(n);
    const float x = radius * std::cos(angle), y = radius * std::sin(angle);
    const float z = 0.1f * std::sin(7 * angle);
    const float mass = 1 / static_cast<float>(n);
    start[i] = {{x, y, z}, {-y, x, 0}, mass};
    expected[i] = {{x, y, z}, {-y, x, 0}, mass};
  }

  tessera::stream s{tessera::device::best()};
  auto now = tessera::buffer<body<float>>::from_host(s, start);
  tessera::buffer<body<float>> next(s, n);
  for (unsigned i = 0; i < steps; ++i) {
    tessera::launch(s, tessera::threads(n, block_threads), step, now, next);
    std::swap(now, next);
    step_on_host(expected);
  }
  const std::vector<body<float>> result = now.to_host(s);

  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto [x, y, z] = result[i].position;
    const auto d = vec3<double>{x, y, z} - expected[i].position;
    worst = std::max(worst, std::sqrt(dot(d, d)));
  }
  const bool good = worst < 1e-5;
  std::printf("nbody: %zu bodies after %u steps are %s\n", n, steps,
              good ? "where they should be" : "in the wrong places");
  return good ? 0 : 1;
}
