// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tessera::launch: runs a kernel with arguments that are checked against its
// parameters, at compile time for a kernel of this program and against the
// module's table for a kernel of a module.

#ifndef TESSERA_LAUNCH_H
#define TESSERA_LAUNCH_H

#include <tessera/buffer.h>
#include <tessera/detail/argument.h>
#include <tessera/module.h>
#include <tessera/stream.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tessera {

/// How many threads run a kernel, in what clusters, and with how much shared
/// memory. Made by
/// `threads` and `grid`; each function returns a changed copy. The numbers are
/// checked against the kernel and the device by the launch.
class launch_config {
public:
  /// Threads of a block in each dimension.
  [[nodiscard]] constexpr launch_config block(unsigned x, unsigned y = 1,
                                              unsigned z = 1) const noexcept {
    launch_config result = *this;
    result.block_ = {x, y, z};
    result.has_block_ = true;
    return result;
  }
  /// Blocks of a cluster in each dimension, which divide the grid's (with
  /// `threads`, the grid grows to a multiple). Without it the clusters are
  /// those that the kernel requires, if any. More than 8 blocks are possible
  /// where `device_properties::max_cluster_blocks` says so, but not portable.
  [[nodiscard]] constexpr launch_config cluster(unsigned x, unsigned y = 1,
                                                unsigned z = 1) const noexcept {
    launch_config result = *this;
    result.cluster_ = {x, y, z};
    result.has_cluster_ = true;
    return result;
  }
  /// Bytes of dynamic shared memory.
  [[nodiscard]] constexpr launch_config
  shared(std::uint64_t bytes) const noexcept {
    launch_config result = *this;
    result.shared_ = bytes;
    return result;
  }

  friend constexpr launch_config threads(std::uint64_t count) noexcept;
  friend constexpr launch_config threads(std::uint64_t count,
                                         unsigned block) noexcept;
  friend constexpr launch_config grid(std::uint64_t x, std::uint64_t y,
                                      std::uint64_t z) noexcept;

  /// For the library itself: the extents, the block and the cluster where they
  /// were given, and whether the extents count threads (of one dimension)
  /// instead of blocks.
  [[nodiscard]] constexpr const std::array<std::uint64_t, 3> &
  extents() const noexcept {
    return extents_;
  }
  [[nodiscard]] constexpr const std::array<unsigned, 3> &
  block_shape() const noexcept {
    return block_;
  }
  [[nodiscard]] constexpr bool has_block() const noexcept { return has_block_; }
  [[nodiscard]] constexpr const std::array<unsigned, 3> &
  cluster_shape() const noexcept {
    return cluster_;
  }
  [[nodiscard]] constexpr bool has_cluster() const noexcept {
    return has_cluster_;
  }
  [[nodiscard]] constexpr bool counts_threads() const noexcept {
    return counts_threads_;
  }
  [[nodiscard]] constexpr std::uint64_t shared_bytes() const noexcept {
    return shared_;
  }

private:
  constexpr launch_config(std::array<std::uint64_t, 3> extents,
                          bool counts_threads) noexcept
      : extents_(extents), counts_threads_(counts_threads) {}

  std::array<std::uint64_t, 3> extents_;
  std::array<unsigned, 3> block_{1, 1, 1};
  std::array<unsigned, 3> cluster_{1, 1, 1};
  std::uint64_t shared_ = 0;
  bool has_block_ = false;
  bool has_cluster_ = false;
  bool counts_threads_;
};

/// At least `count` threads in one dimension: as many blocks as cover them. The
/// block is the kernel's own where it fixes one, otherwise 256 threads or as
/// many as the kernel allows. No threads at all launch nothing.
[[nodiscard]] constexpr launch_config threads(std::uint64_t count) noexcept {
  return launch_config({count, 1, 1}, true);
}
/// The same with blocks of `block` threads.
[[nodiscard]] constexpr launch_config threads(std::uint64_t count,
                                              unsigned block) noexcept {
  return launch_config({count, 1, 1}, true).block(block);
}
/// `x` × `y` × `z` blocks; `.block(…)` gives their shape, which is otherwise
/// the kernel's own where it fixes one, and else one thread.
[[nodiscard]] constexpr launch_config grid(std::uint64_t x, std::uint64_t y = 1,
                                           std::uint64_t z = 1) noexcept {
  return launch_config({x, y, z}, false);
}

namespace detail {

/// A stream together with the place of the call that passes it: the default
/// argument is evaluated where the conversion happens, in the user's code.
struct located_stream {
  located_stream(stream &on,
                 std::source_location where = std::source_location::current())
      : on(on), where(where) {}
  stream &on;
  std::source_location where;
};

/// Launches the kernel that was registered under `host_address`. `type` is the
/// kernel's function type, for messages.
void launch_registered(located_stream call, const launch_config &config,
                       const void *host_address, std::string_view type,
                       std::span<const argument> arguments);
void launch_from_module(located_stream call, const launch_config &config,
                        const kernel &which,
                        std::span<const argument> arguments);

template <class... Params>
void launch_values(
    located_stream call, const launch_config &config, void (*which)(Params...),
    const std::array<const runtime::DeviceState *, sizeof...(Params)> &owners,
    const std::type_identity_t<Params> &...values) {
  [[maybe_unused]] std::size_t next = 0;
  const std::array<argument, sizeof...(Params)> list{
      describe(values, owners[next++])...};
  launch_registered(call, config, reinterpret_cast<const void *>(which),
                    type_name<void(Params...)>(), list);
}

template <class... T>
void launch_untyped(located_stream call, const launch_config &config,
                    const kernel &which, const untyped_argument<T> &...args) {
  const std::array<argument, sizeof...(T)> list{describe_untyped(args)...};
  launch_from_module(call, config, which, list);
}

} // namespace detail

/// Queues `which` on the stream with `args...` for its parameters, and returns.
///
/// Each argument must convert to its parameter; what does not is an error at
/// compile time that names the position and both types (the rules are those of
/// `detail::argument_check`). An integer whose type does not fit into the
/// parameter's is accepted when its value does, so that literals work: a value
/// that would change throws.
///
/// Throws tessera::error, located at the call: the kernel is not registered,
/// its image has no code for the device, the configuration or an argument does
/// not fit the kernel's table, or a driver call fails. Errors of the kernel
/// itself surface at a later call on the stream.
template <class... Params, class... Args>
void launch(detail::located_stream on, const launch_config &config,
            void (*which)(Params...), Args &&...args) {
  static_assert(sizeof...(Args) == sizeof...(Params),
                "tessera::launch: the number of arguments differs from the "
                "number of the kernel's parameters");
  if constexpr (sizeof...(Args) == sizeof...(Params)) {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      (detail::argument_check<Index + 1, Params, Args>::check(), ...);
      if constexpr ((detail::is_argument_for<Params, Args> && ...))
        detail::launch_values<Params...>(
            on, config, which, {detail::owner_of(args)...},
            detail::to_parameter<Params>(Index + 1, args, on.where)...);
    }(std::index_sequence_for<Args...>{});
  }
}

/// A kernel returns nothing.
template <class Result, class... Params, class... Args>
  requires(!std::is_void_v<Result>)
void launch(detail::located_stream, const launch_config &,
            Result (*)(Params...), Args &&...) {
  static_assert(std::is_void_v<Result>,
                "tessera::launch: a kernel returns void; results go to a "
                "buffer");
}

/// Queues a kernel of a module. Arguments are passed as what they are: a buffer
/// as an address, or as address and length where the parameter has 16 bytes;
/// everything else byte by byte. Number and sizes are checked against the
/// module's table: no conversion takes place, so an `int` does not fit a
/// parameter of eight bytes. Throws as the other form does.
template <class... Args>
void launch(detail::located_stream on, const launch_config &config,
            const kernel &which, Args &&...args) {
  detail::launch_untyped(on, config, which, detail::untyped(args)...);
}

} // namespace tessera

#endif // TESSERA_LAUNCH_H
