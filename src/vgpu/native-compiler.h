// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has functions compiled to native code while the interpreter runs them. The
// compiler is a library of its own, opened when it is first needed; without it
// everything is interpreted.

#ifndef TESSERA_VGPU_NATIVE_COMPILER_H
#define TESSERA_VGPU_NATIVE_COMPILER_H

#include "vgpu/native.h"
#include "vgpu/vgpu.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

namespace tessera::vgpu {

/// The compiler of a device.
///
/// Thread safety: may be used from several threads.
class NativeCompiler {
public:
  explicit NativeCompiler(const NativeOptions &options) : options(options) {}
  NativeCompiler(const NativeCompiler &) = delete;
  NativeCompiler &operator=(const NativeCompiler &) = delete;
  ~NativeCompiler();

  /// Called before a launch: has the kernel and what it may call compiled, at
  /// once or by and by.
  void prepare(const std::shared_ptr<const Program> &program,
               const Kernel &kernel, const LaunchConfig &config);

private:
  struct Job {
    std::shared_ptr<const Program> program;
    const Function *function;
    NativeShape shape;
  };

  /// The functions that may run when a kernel is launched.
  static std::vector<const Function *> reachable(const Program &program,
                                                 const Function &kernel);
  /// The library, or null.
  const NativeLibrary *library();
  void compile(const Job &job);
  void work();

  const NativeOptions options;
  std::once_flag opened;
  const NativeLibrary *found = nullptr;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  /// Asked for already. Programs are told by their number, since another one
  /// may come to lie where one was.
  std::set<std::tuple<std::uint64_t, std::uint32_t, NativeShape>> known;
  std::thread worker;
  bool isStopping = false;

  std::mutex installing;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_NATIVE_COMPILER_H
