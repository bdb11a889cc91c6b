// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of the virtual GPU: which host bytes a kernel may touch, and
// where the windows of the generic address space lie.
//
// Thread safety: `GlobalMemory` may be used from several threads. A
// `MemoryView` is immutable and keeps the memory it shows alive.

#ifndef TESSERA_VGPU_MEMORY_H
#define TESSERA_VGPU_MEMORY_H

#include "vgpu/heap.h"
#include "vgpu/vgpu.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tessera::vgpu {

/// Generic addresses of the shared, local and parameter windows. Bits 56 to
/// 63 of an address in user space are zero on every supported host.
namespace window {
inline constexpr std::uint64_t size = std::uint64_t(1) << 56;
inline constexpr std::uint64_t shared = 0x51 * size;
inline constexpr std::uint64_t local = 0x52 * size;
inline constexpr std::uint64_t param = 0x53 * size;
inline constexpr std::uint64_t code = 0x54 * size; ///< nothing can be read
/// Whether `address` lies in the window that begins at `base`.
constexpr bool contains(std::uint64_t base, std::uint64_t address) {
  return address >= base && address - base < size;
}
} // namespace window

class Monitor;

/// How memory is laid out so that wrong accesses cannot pass for right ones.
struct MemoryGuard {
  /// Bytes before and after each allocation that nothing else gets.
  std::uint32_t redZone = 0;
  /// Bytes of freed allocations whose addresses are not given away again.
  std::uint64_t quarantine = 0;
  /// Bytes between shared variables.
  std::uint32_t sharedGap = 0;
};

/// A range of host bytes that kernels may access.
struct Allocation {
  enum class Kind : std::uint8_t {
    device,   ///< of the host's calls
    host,     ///< the host's own memory
    global,   ///< a module's variable
    constant, ///< a module's constant
    heap,     ///< what kernels allocate from
  };

  std::uint64_t base = 0;
  std::uint64_t size = 0;
  Kind kind = Kind::device;
  std::string name;         ///< of a module variable
  std::uint64_t number = 0; ///< counts the allocations of the device, from 1

  Allocation(std::uint64_t base, std::uint64_t size, Kind kind,
             std::string name)
      : base(base), size(size), kind(kind), name(std::move(name)) {}
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;
  ~Allocation();

  [[nodiscard]] bool contains(std::uint64_t address,
                              std::uint64_t bytes) const {
    return address >= base && address - base <= size &&
           bytes <= size - (address - base);
  }
  /// "the allocation of 1024 bytes at 0x7f..." or "variable 'table' ...".
  [[nodiscard]] std::string describe() const;

  std::byte *owned = nullptr; ///< what the destructor gives back
  std::size_t mappedBytes = 0;
};

/// What could be accessed at one moment, ordered by address.
class MemoryView {
public:
  using Entries = std::vector<std::shared_ptr<const Allocation>>;

  MemoryView() = default;
  MemoryView(Entries entries,
             std::vector<std::pair<std::uint64_t, std::uint64_t>> freed)
      : entries(std::move(entries)), freed(std::move(freed)) {}

  /// The allocation that holds `address`, or null.
  [[nodiscard]] const Allocation *find(std::uint64_t address) const;
  /// Why `bytes` bytes at `address` cannot be accessed, for a message:
  /// "null pointer", "12 bytes past the end of the allocation of ...".
  [[nodiscard]] std::string explain(std::uint64_t address,
                                    std::uint64_t bytes) const;

private:
  Entries entries;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> freed; ///< base, size
};

/// The table of allocations of one device.
class GlobalMemory {
public:
  GlobalMemory(std::uint64_t limit, std::uint64_t heapBytes,
               std::shared_ptr<Monitor> monitor = nullptr);
  GlobalMemory(const GlobalMemory &) = delete;
  GlobalMemory &operator=(const GlobalMemory &) = delete;

  /// Zeroed memory at a 256-byte boundary. Zero bytes give an address of their
  /// own that nothing may be read from. Fails with `outOfMemory`.
  Result<std::uint64_t> allocate(std::uint64_t bytes, Allocation::Kind kind,
                                 std::string name);
  Result<void> free(std::uint64_t address);
  Result<void> mapHost(void *base, std::uint64_t bytes);
  Result<void> unmapHost(void *base);

  /// Keeps what it shows alive, also when it is freed meanwhile.
  [[nodiscard]] std::shared_ptr<const MemoryView> view() const;
  /// What kernels allocate from.
  [[nodiscard]] Heap &heap() { return deviceHeap; }

  /// Bytes that are left free between shared variables.
  [[nodiscard]] std::uint32_t sharedGap() const { return guard.sharedGap; }

private:
  Result<void> enter(std::shared_ptr<Allocation> allocation);
  void remove(std::uint64_t base);

  mutable std::mutex mutex;
  std::map<std::uint64_t, std::shared_ptr<const Allocation>> table;
  std::deque<std::pair<std::uint64_t, std::uint64_t>> freed;
  mutable std::shared_ptr<const MemoryView> current; ///< null when stale
  std::uint64_t limit;
  std::uint64_t used = 0;
  std::uint64_t count = 0; ///< allocations that there were
  const std::shared_ptr<Monitor> monitor;
  const MemoryGuard guard;
  std::deque<std::shared_ptr<const Allocation>> quarantined; ///< oldest first
  std::uint64_t quarantinedBytes = 0;
  Heap deviceHeap;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_MEMORY_H
