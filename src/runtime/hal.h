// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kind of device must be able to do. The rest of the runtime knows
// devices through these interfaces alone.
//
// Thread safety: a device and its modules may be used from several threads, a
// stream from one at a time. Addresses are those that kernels see.

#ifndef TESSERA_RUNTIME_HAL_H
#define TESSERA_RUNTIME_HAL_H

#include "image/image.h"
#include "runtime/failure.h"

#include <tessera/device.h>
#include <tessera/tensor_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace tessera::runtime {

/// A variable of a module.
struct Region {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// Memory that host and device see at the same time.
struct HostMemory {
  void *host = nullptr;
  std::uint64_t device = 0;
};

using TensorMapBytes = std::array<std::byte, sizeof(tensor_map)>;

struct LaunchShape {
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t dynamicShared = 0; ///< bytes
  /// Blocks of a cluster; zeros: what the kernel requires.
  std::array<std::uint32_t, 3> cluster{};
};

/// Device code that has been loaded; unloaded by the destructor.
class ModuleBackend {
public:
  virtual ~ModuleBackend() = default;
  /// Empty where the module has no such variable.
  [[nodiscard]] virtual Result<std::optional<Region>>
  global(const std::string &name) = 0;
};

/// A queue of work. Errors of work may be returned by any later call. The
/// destructor does not wait.
class StreamBackend {
public:
  virtual ~StreamBackend() = default;
  [[nodiscard]] virtual Result<void> synchronize() = 0;
  /// `from` may be changed when the call returns.
  [[nodiscard]] virtual Result<void>
  copyToDevice(std::uint64_t to, std::span<const std::byte> from) = 0;
  /// Returns when the bytes have arrived.
  [[nodiscard]] virtual Result<void> copyToHost(std::span<std::byte> to,
                                                std::uint64_t from) = 0;
  [[nodiscard]] virtual Result<void> copy(std::uint64_t to, std::uint64_t from,
                                          std::uint64_t bytes) = 0;
  [[nodiscard]] virtual Result<void> fill(std::uint64_t to, std::byte value,
                                          std::uint64_t bytes) = 0;
  /// `params` is the block that `kernel` describes.
  [[nodiscard]] virtual Result<void> launch(ModuleBackend &module,
                                            const image::Kernel &kernel,
                                            const LaunchShape &shape,
                                            std::span<std::byte> params) = 0;
  [[nodiscard]] virtual void *nativeHandle() const = 0;
};

class DeviceBackend {
public:
  virtual ~DeviceBackend() = default;
  [[nodiscard]] virtual device_kind kind() const = 0;
  [[nodiscard]] virtual const device_properties &properties() const = 0;
  [[nodiscard]] virtual image::Arch arch() const = 0;
  /// The variant that the device had best run, null where it can run none.
  [[nodiscard]] virtual const image::Variant *
  selectVariant(const image::Image &image) const = 0;

  /// Whether a launch returns after the kernel has run.
  [[nodiscard]] virtual bool runsWithinCalls() const = 0;

  /// At least one byte, aligned to 256.
  [[nodiscard]] virtual Result<std::uint64_t> allocate(std::uint64_t bytes) = 0;
  /// Waits for all work that may use the memory.
  [[nodiscard]] virtual Result<void> free(std::uint64_t address) = 0;
  [[nodiscard]] virtual Result<HostMemory>
  allocateHost(std::uint64_t bytes) = 0;
  [[nodiscard]] virtual Result<void> freeHost(const HostMemory &memory) = 0;
  /// Writes device memory at once, outside any stream.
  [[nodiscard]] virtual Result<void> write(std::uint64_t to,
                                           std::span<const std::byte> from) = 0;

  [[nodiscard]] virtual Result<std::unique_ptr<StreamBackend>>
  createStream() = 0;
  /// What kernels of this device expect of a tensor map. `layout` has been
  /// checked.
  [[nodiscard]] virtual Result<TensorMapBytes>
  encodeTensorMap(const tensor_layout &layout) = 0;
  /// Compiles and loads PTX; the failure's message has the compiler's log.
  [[nodiscard]] virtual Result<std::unique_ptr<ModuleBackend>>
  load(const std::string &ptx) = 0;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_HAL_H
