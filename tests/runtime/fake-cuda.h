// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA driver library for tests: device memory is host memory, kernels do
// not run, and every call is recorded and fails when told so.

#ifndef TESSERA_TESTS_RUNTIME_FAKE_CUDA_H
#define TESSERA_TESTS_RUNTIME_FAKE_CUDA_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

struct FakeCuda {
  // What the driver is like.
  int deviceCount = 1;
  int computeMajor = 9, computeMinor = 0;
  std::set<std::string> missing;      ///< entry points it lacks
  std::map<std::string, int> results; ///< what calls return, where not 0
  std::string compilerLog;            ///< written when a module fails to load
  std::set<const void *> pinned;      ///< host memory that the driver knows
  std::map<std::string, std::vector<std::byte>> globals; ///< of every module
  std::vector<std::size_t> paramSizes; ///< of every kernel's parameters

  // What has happened.
  std::vector<std::string> calls;
  struct Launch {
    std::string kernel;
    std::array<unsigned, 3> grid, block;
    std::array<unsigned, 3> cluster; ///< zeros: not asked for
    unsigned shared;
    std::vector<std::vector<std::byte>> params;
  };
  std::vector<Launch> launches;
  struct FunctionAttribute {
    int which, value;
  };
  std::vector<FunctionAttribute> functionAttributes;
  struct TensorMap {
    int type;
    unsigned rank;
    void *address;
    std::vector<std::uint64_t> sizes, strides;
    std::vector<unsigned> box, elementStrides;
    int interleave, swizzle, promotion, fill;
  };
  std::vector<TensorMap> tensorMaps;
  std::vector<std::string> modules; ///< the PTX of those that were loaded
  std::set<void *> memory;          ///< allocated and not freed
  int contextDepth = 0;             ///< of the thread that calls

  [[nodiscard]] int count(const std::string &name) const {
    int result = 0;
    for (const std::string &call : calls)
      result += call == name;
    return result;
  }
};

/// The state of the library at `path`, as new.
FakeCuda &resetFakeCuda(const char *path);

#endif // TESSERA_TESTS_RUNTIME_FAKE_CUDA_H
