// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the virtual GPU share.

#ifndef TESSERA_TESTS_VGPU_HARNESS_H
#define TESSERA_TESTS_VGPU_HARNESS_H

#include "vgpu/vgpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::vgpu::test {

/// Bytes of a parameter block: arguments at their natural alignment.
class Arguments {
public:
  template <class T> Arguments &add(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t offset =
        (bytes.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    bytes.resize(offset + sizeof(T));
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
    return *this;
  }
  std::vector<std::byte> bytes;
};

inline std::string readKernels(const std::string &name) {
  std::ifstream file(std::string(TESSERA_VGPU_KERNELS) + "/" + name);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class VgpuTest : public testing::Test {
protected:
  static Options testOptions() {
    Options options;
    options.maxInstructions = 10'000'000; // a hang becomes a failure
    // CTest runs the tests once more with native code.
    const char *native = std::getenv("TESSERA_VGPU_JIT");
    options.native = {.mode = native ? NativeMode::sync : NativeMode::off,
                      .isVerbose = native != nullptr};
    return options;
  }

  explicit VgpuTest(Options options = testOptions())
      : device([&] {
          options.print = [this](std::string_view text) { printed += text; };
          return options;
        }()) {}

  Module load(const std::string &fileName) {
    auto module = device.load(readKernels(fileName));
    if (!module) {
      ADD_FAILURE() << fileName << ": " << module.error().message();
      return {};
    }
    return *module;
  }

  template <class T> std::uint64_t upload(const std::vector<T> &values) {
    auto address = device.allocate(values.size() * sizeof(T));
    if (!address) {
      ADD_FAILURE() << address.error().message();
      return 0;
    }
    auto written = device.write(*address, std::as_bytes(std::span(values)));
    EXPECT_TRUE(written.has_value());
    return *address;
  }

  template <class T>
  std::vector<T> download(std::uint64_t address, std::size_t count) {
    std::vector<T> values(count);
    auto read = device.read(std::as_writable_bytes(std::span(values)), address);
    EXPECT_TRUE(read.has_value());
    return values;
  }

  template <class... Args>
  Result<void> tryLaunch(const Module &module, std::string_view kernel,
                         LaunchConfig config, const Args &...args) {
    Arguments arguments;
    (arguments.add(args), ...);
    return device.launch(module, kernel, config, arguments.bytes);
  }

  template <class... Args>
  void launch(const Module &module, std::string_view kernel,
              LaunchConfig config, const Args &...args) {
    auto done = tryLaunch(module, kernel, config, args...);
    EXPECT_TRUE(done.has_value()) << done.error().message();
  }

  /// Runs one block of `threads` threads of a kernel whose last parameter is an
  /// array of `count` results.
  template <class T, class... Args>
  std::vector<T> run(const std::string &fileName, std::string_view kernel,
                     std::uint32_t threads, std::size_t count,
                     const Args &...args) {
    const Module module = load(fileName);
    const std::uint64_t out = upload(std::vector<T>(count));
    launch(module, kernel, {.grid = {1, 1, 1}, .block = {threads, 1, 1}},
           args..., out);
    return download<T>(out, count);
  }

  std::string printed;
  Device device;
};

} // namespace tessera::vgpu::test

#endif // TESSERA_TESTS_VGPU_HARNESS_H
