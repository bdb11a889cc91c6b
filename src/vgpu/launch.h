// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch: what all of its clusters share, and the host threads that run
// them.
//
// Thread safety: the parts that several workers use say so.

#ifndef TESSERA_VGPU_LAUNCH_H
#define TESSERA_VGPU_LAUNCH_H

#include "vgpu/memory.h"
#include "vgpu/program.h"
#include "vgpu/vgpu.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::vgpu {

class Launch {
public:
  /// `params` has been checked against the kernel, `config` against the device.
  Launch(const Options &options, const Program &program, const Kernel &kernel,
         const LaunchConfig &config, std::span<const std::byte> params);

  Result<void> run();

  //===--------------------------------------------------------------------===//
  // For workers, blocks and warps; from any thread
  //===--------------------------------------------------------------------===//

  /// Records a fault; the first one counts.
  void fail(Fault reason);
  [[nodiscard]] bool failed() const {
    return hasFailed.load(std::memory_order_relaxed);
  }
  /// The next cluster to run, by its number in the grid.
  [[nodiscard]] std::optional<std::uint64_t> takeCluster();
  /// Device `printf`.
  void print(std::string_view text);
  /// The parameter block, each parameter at its offset.
  [[nodiscard]] std::byte *paramBlock() {
    return reinterpret_cast<std::byte *>(params.data());
  }

  const Options &options;
  Monitor *const monitor; ///< null: nobody watches
  const Program &program;
  const Kernel &kernel;
  const LaunchConfig config;
  const Dim3 clusterShape; ///< blocks of a cluster
  const Dim3 grid;         ///< blocks
  const Dim3 clusterGrid;  ///< clusters
  const unsigned threadsPerBlock;
  const unsigned warpsPerBlock;
  const std::uint32_t dynamicShared; ///< its address in shared memory
  const std::uint32_t sharedEnd;     ///< of all shared memory

private:
  [[nodiscard]] unsigned workerCount() const;

  std::vector<Program::Line> params;
  std::atomic<std::uint64_t> nextCluster = 0;
  std::atomic<bool> hasFailed = false;
  std::mutex mutex; ///< of what follows, and of printing
  std::optional<Fault> fault;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_LAUNCH_H
