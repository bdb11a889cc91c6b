// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tessera::device: a GPU, or the virtual GPU.

#ifndef TESSERA_DEVICE_H
#define TESSERA_DEVICE_H

#include <tessera/error.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

namespace runtime {
class DeviceState;
}

enum class device_kind {
  cuda, ///< an NVIDIA GPU, through its driver
  vgpu, ///< the virtual GPU: the same device code, on the CPU
};

/// What a device is and can do. Sizes are in bytes.
struct device_properties {
  std::string name;           ///< "NVIDIA H200"
  unsigned compute_major = 0; ///< 9 of compute capability 9.0
  unsigned compute_minor = 0;
  unsigned multiprocessors = 0;
  unsigned warp_size = 32;
  unsigned max_threads_per_block = 0;
  std::array<unsigned, 3> max_block{};
  std::array<unsigned, 3> max_grid{};
  std::size_t shared_memory_per_block = 0; ///< static and dynamic, at most
  /// Blocks of a cluster, at most; 0 where the device has no clusters. Every
  /// device that has them allows 8.
  unsigned max_cluster_blocks = 0;
  std::uint64_t total_memory = 0;
  unsigned driver_version = 0; ///< 12040 is 12.4; 0 for the virtual GPU
};

/// A handle on a device; cheap to copy. Devices live as long as the program.
/// Thread-safe.
class device {
public:
  /// The device that `TESSERA_DEVICE` names; otherwise the first GPU; otherwise
  /// the virtual GPU, which one line on standard error then says once.
  /// Throws where `TESSERA_DEVICE` names no device that is there.
  [[nodiscard]] static device
  best(std::source_location where = std::source_location::current());
  /// NVIDIA GPU number `index`, in the driver's order. Throws where there is no
  /// such device, with the reason.
  [[nodiscard]] static device
  cuda(unsigned index = 0,
       std::source_location where = std::source_location::current());
  [[nodiscard]] static device
  vgpu(unsigned index = 0,
       std::source_location where = std::source_location::current());
  /// The device called `id`, "cuda:1" say. Throws an error that lists the
  /// devices where there is none.
  [[nodiscard]] static device
  from_name(std::string_view id,
            std::source_location where = std::source_location::current());
  /// All devices, GPUs first. Never empty: the virtual GPU is always there.
  [[nodiscard]] static std::vector<device> all();

  [[nodiscard]] const std::string &id() const noexcept;   ///< "cuda:0"
  [[nodiscard]] const std::string &name() const noexcept; ///< "NVIDIA H200"
  [[nodiscard]] std::string arch() const;                 ///< "sm_90"
  [[nodiscard]] device_kind kind() const noexcept;
  [[nodiscard]] std::uint64_t total_memory() const noexcept; ///< bytes
  [[nodiscard]] const device_properties &properties() const noexcept;

  friend bool operator==(const device &, const device &) = default;

  /// For the library itself.
  explicit device(runtime::DeviceState &state) noexcept : state_(&state) {}
  [[nodiscard]] runtime::DeviceState &state() const noexcept { return *state_; }

private:
  runtime::DeviceState *state_;
};

} // namespace tessera

#endif // TESSERA_DEVICE_H
