// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that kernels allocate with `malloc` and `new`: one allocation of
// the device that is divided here. It lives as long as the device, so what one
// kernel allocates another may free.
//
// Thread safety: may be used from several threads.

#ifndef TESSERA_VGPU_HEAP_H
#define TESSERA_VGPU_HEAP_H

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace tessera::vgpu {

class GlobalMemory;

class Heap {
public:
  Heap(GlobalMemory &memory, std::uint64_t bytes)
      : memory(memory), bytes(bytes) {}

  /// At a multiple of 16; 0 when no gap is large enough, as on a GPU.
  std::uint64_t allocate(std::uint64_t size);
  enum class Freed : std::uint8_t { done, again, unknown };
  Freed free(std::uint64_t address);

private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>; ///< start, size

  /// Takes the heap's memory from the device.
  bool start();
  void giveBack(std::uint64_t start, std::uint64_t size);

  GlobalMemory &memory;
  const std::uint64_t bytes;
  std::mutex mutex;
  std::optional<std::uint64_t> base; ///< 0: the device had no room
  Ranges gaps, used;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_HEAP_H
