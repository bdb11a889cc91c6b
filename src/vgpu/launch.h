// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch: the blocks of a grid, from the first to the last.
//
// Blocks run in order, one at a time, until one spins: then later blocks join
// in, as many as the device says it holds, so that blocks may wait for each
// other as far as they may on a real device.
//
// Thread safety: a launch belongs to the thread that runs it.

#ifndef TESSERA_VGPU_LAUNCH_H
#define TESSERA_VGPU_LAUNCH_H

#include "vgpu/block.h"
#include "vgpu/fiber.h"
#include "vgpu/memory.h"
#include "vgpu/program.h"
#include "vgpu/vgpu.h"

#include <cstddef>
#include <cstdint>
#include <memory>
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
  // For blocks and warps
  //===--------------------------------------------------------------------===//

  /// Records a fault; the first one counts.
  void fail(Fault reason);
  [[nodiscard]] bool failed() const { return fault.has_value(); }
  /// The allocation that holds a global address, or null.
  [[nodiscard]] const Allocation *findAllocation(std::uint64_t address);
  [[nodiscard]] const MemoryView &memoryView() const { return *views.back(); }
  /// Device `printf`.
  void print(std::string_view text) const;
  /// The parameter block, each parameter at its offset.
  [[nodiscard]] std::byte *paramBlock() {
    return reinterpret_cast<std::byte *>(params.data());
  }

  const Options &options;
  const Program &program;
  const Kernel &kernel;
  const LaunchConfig config;
  const unsigned threadsPerBlock;
  const unsigned warpsPerBlock;
  const std::uint32_t dynamicShared; ///< its address in shared memory
  const std::uint32_t sharedEnd;     ///< of all shared memory

  /// The last range that a memory instruction found its addresses in.
  struct CachedRange {
    std::uint64_t base = 1, size = 0;
    bool isConstant = false;
  };
  std::vector<CachedRange> memoryCache; ///< by `Instr::cache`

private:
  std::unique_ptr<Block> admit();

  std::vector<Program::Line> params;
  std::vector<std::shared_ptr<const MemoryView>> views; ///< newest last
  std::vector<std::unique_ptr<Block>> idle;
  std::optional<Fault> fault;
  std::uint64_t nextBlock = 0;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_LAUNCH_H
