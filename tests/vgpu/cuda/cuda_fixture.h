// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of compiled CUDA share: each runs for several compilations of
// its source, interpreted and with native code.

#ifndef TESSERA_TESTS_VGPU_CUDA_FIXTURE_H
#define TESSERA_TESTS_VGPU_CUDA_FIXTURE_H

#include "../harness.h"

#include <random>
#include <tuple>

namespace tessera::vgpu::test {

/// The PTX file and how it is run.
using Compilation = std::tuple<const char *, NativeMode>;

class CudaTest : public VgpuTest,
                 public testing::WithParamInterface<Compilation> {
protected:
  explicit CudaTest(std::uint64_t heapBytes = Options().heapBytes)
      : VgpuTest([&] {
          Options options;
          options.maxInstructions = 100'000'000;
          options.heapBytes = heapBytes;
          options.native.mode = std::get<1>(GetParam());
          return options;
        }()) {}

  /// The module of this compilation; each is loaded once for each test.
  Module module = load(std::get<0>(GetParam()));

  static LaunchConfig shape(std::uint32_t blocks, std::uint32_t threads,
                            std::uint32_t shared = 0) {
    return {.grid = {blocks, 1, 1},
            .block = {threads, 1, 1},
            .dynamicShared = shared};
  }

  /// Values from `least` to `most`, always the same.
  template <class T>
  static std::vector<T> randoms(std::size_t count, double least, double most) {
    std::mt19937 generator(11);
    std::uniform_real_distribution<double> draw(least, most);
    std::vector<T> values(count);
    for (T &value : values)
      value = static_cast<T>(draw(generator));
    return values;
  }
};

inline std::string nameOf(const testing::TestParamInfo<Compilation> &info) {
  std::string name = std::get<0>(info.param);
  name.resize(name.find('.'));
  for (char &c : name)
    c = c == '-' ? '_' : c;
  return name + (std::get<1>(info.param) == NativeMode::off ? "_interpreted"
                                                            : "_native");
}

/// Runs the tests of `Fixture` for each file.
#define TESSERA_CUDA_SUITE(Fixture, ...)                                       \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      Ptx, Fixture,                                                            \
      testing::Combine(testing::Values(__VA_ARGS__),                           \
                       testing::Values(NativeMode::off, NativeMode::sync)),    \
      nameOf)

} // namespace tessera::vgpu::test

#endif // TESSERA_TESTS_VGPU_CUDA_FIXTURE_H
