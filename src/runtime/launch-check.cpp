// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch-check.h"

#include "runtime/device-state.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace tessera::runtime {
namespace {

constexpr char axes[] = "xyz";
constexpr std::uint64_t defaultBlock = 256;

template <class T> std::string shapeText(const std::array<T, 3> &shape) {
  return "(" + std::to_string(shape[0]) + ", " + std::to_string(shape[1]) +
         ", " + std::to_string(shape[2]) + ")";
}

/// The least multiple of `step` that is not below `value`, or the greatest one
/// that there is.
std::uint64_t roundUp(std::uint64_t value, std::uint64_t step) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t missing = (step - value % step) % step;
  return missing > most - value ? most / step * step : value + missing;
}

std::unexpected<Failure> refuse(const image::Kernel &kernel,
                                std::string message) {
  return fail(error_kind::invalid_launch, "tessera::launch",
              "kernel '" + kernel.name + "': " + std::move(message));
}

/// The block that a launch without one gets.
std::array<std::uint32_t, 3> defaultShape(const image::Kernel &kernel,
                                          bool countsThreads,
                                          const device_properties &device) {
  if (kernel.block.isFixed())
    return {kernel.block.x, kernel.block.y, kernel.block.z};
  if (!countsThreads)
    return {1, 1, 1};
  std::uint64_t threads =
      std::min<std::uint64_t>(defaultBlock, device.max_threads_per_block);
  if (kernel.maxThreads != 0)
    threads = std::min<std::uint64_t>(threads, kernel.maxThreads);
  return {static_cast<std::uint32_t>(threads), 1, 1};
}

Result<void> checkBlock(const image::Kernel &kernel,
                        const std::array<std::uint32_t, 3> &block,
                        const device_properties &device) {
  const std::array<std::uint32_t, 3> required{kernel.block.x, kernel.block.y,
                                              kernel.block.z};
  const std::uint64_t most =
      kernel.maxThreads != 0 ? kernel.maxThreads : device.max_threads_per_block;
  std::uint64_t threads = 1;
  for (int i = 0; i != 3; ++i) {
    if (block[i] == 0)
      return refuse(kernel,
                    "the block " + shapeText(block) + " has no threads");
    if (block[i] > device.max_block[i])
      return refuse(kernel, "the block " + shapeText(block) + " has " +
                                std::to_string(block[i]) + " threads in " +
                                axes[i] + ", and the device allows " +
                                std::to_string(device.max_block[i]));
    threads *= block[i];
  }
  if (kernel.block.isFixed() && block != required)
    return refuse(kernel, "the block is " + shapeText(block) +
                              ", and the kernel requires " +
                              shapeText(required));
  if (threads > device.max_threads_per_block)
    return refuse(kernel, "the block " + shapeText(block) + " has " +
                              std::to_string(threads) +
                              " threads, and the device allows " +
                              std::to_string(device.max_threads_per_block));
  if (threads > most)
    return refuse(kernel,
                  "the block " + shapeText(block) + " has " +
                      std::to_string(threads) +
                      " threads, and the kernel's launch bounds allow " +
                      std::to_string(most));
  return {};
}

/// The cluster of the launch: the caller's, else the kernel's; zeros without
/// either.
std::array<std::uint32_t, 3> clusterOf(const image::Kernel &kernel,
                                       const launch_config &config) {
  if (config.has_cluster())
    return config.cluster_shape();
  return {kernel.cluster.x, kernel.cluster.y, kernel.cluster.z};
}

/// Of the cluster that the caller asks for; one that only the kernel asks for
/// is checked when its code is loaded.
Result<void> checkCluster(const image::Kernel &kernel,
                          const launch_config &config,
                          const device_properties &device) {
  if (!config.has_cluster())
    return {};
  const std::array<std::uint32_t, 3> &cluster = config.cluster_shape();
  const std::array<std::uint32_t, 3> required{
      kernel.cluster.x, kernel.cluster.y, kernel.cluster.z};
  if (std::ranges::count(cluster, 0u) != 0)
    return refuse(kernel,
                  "the cluster " + shapeText(cluster) + " has no blocks");
  if (kernel.cluster.isFixed() && cluster != required)
    return refuse(kernel, "the cluster is " + shapeText(cluster) +
                              ", and the kernel requires " +
                              shapeText(required));
  if (cluster == std::array<std::uint32_t, 3>{1, 1, 1})
    return {};
  const std::uint64_t most = device.max_cluster_blocks;
  if (most == 0)
    return refuse(kernel, "the cluster is " + shapeText(cluster) +
                              ", and the device has no clusters, which came "
                              "with compute capability 9.0");
  // Not the product alone, which may not fit into 64 bits.
  std::uint64_t blocks = 1;
  for (std::uint32_t extent : cluster)
    blocks *= std::min<std::uint64_t>(extent, most + 1);
  if (blocks > most)
    return refuse(kernel, "the cluster " + shapeText(cluster) +
                              " has more blocks than the " +
                              std::to_string(most) + " that the device allows");
  return {};
}

Result<void> checkGrid(const image::Kernel &kernel,
                       const std::array<std::uint64_t, 3> &grid,
                       const std::array<std::uint32_t, 3> &cluster,
                       const device_properties &device) {
  for (int i = 0; i != 3; ++i) {
    if (grid[i] > device.max_grid[i])
      return refuse(kernel, "the grid " + shapeText(grid) + " has " +
                                std::to_string(grid[i]) + " blocks in " +
                                axes[i] + ", and the device allows " +
                                std::to_string(device.max_grid[i]));
    if (cluster[i] != 0 && grid[i] % cluster[i] != 0)
      return refuse(kernel, "the grid " + shapeText(grid) +
                                " is no multiple of the cluster " +
                                shapeText(cluster));
  }
  return {};
}

/// Witnesses that a kernel makes of its index along x are unique in launches
/// along x only.
Result<void> checkLinear(const image::Kernel &kernel,
                         const std::array<std::uint64_t, 3> &grid,
                         const std::array<std::uint32_t, 3> &block) {
  if (!kernel.linearLaunch)
    return {};
  if (grid[1] == 1 && grid[2] == 1 && block[1] == 1 && block[2] == 1)
    return {};
  return refuse(kernel, "the kernel writes to a disjoint span at its index "
                        "along x, which is unique in launches along x only, "
                        "but the grid is " +
                            shapeText(grid) + " and the block " +
                            shapeText(block));
}

Result<void> checkShared(const image::Kernel &kernel, std::uint64_t dynamic,
                         const device_properties &device) {
  const std::uint64_t available = device.shared_memory_per_block;
  if (kernel.staticShared > available ||
      dynamic > available - kernel.staticShared)
    return refuse(kernel,
                  "a block needs " + std::to_string(kernel.staticShared) +
                      " bytes of static and " + std::to_string(dynamic) +
                      " of dynamic shared memory, and the device has " +
                      std::to_string(available));
  return {};
}

std::string_view text(image::ParamKind kind) {
  switch (kind) {
  case image::ParamKind::value:
    return "a value";
  case image::ParamKind::pointer:
    return "a pointer";
  case image::ParamKind::slice:
    return "a span";
  case image::ParamKind::disjointSlice:
    return "a disjoint_span";
  }
  std::unreachable();
}

/// The kind in the table that an argument has; a buffer has none of its own.
std::optional<image::ParamKind> kindOf(detail::argument_kind kind) {
  switch (kind) {
  case detail::argument_kind::value:
    return image::ParamKind::value;
  case detail::argument_kind::pointer:
    return image::ParamKind::pointer;
  case detail::argument_kind::slice:
    return image::ParamKind::slice;
  case detail::argument_kind::disjoint_slice:
    return image::ParamKind::disjointSlice;
  case detail::argument_kind::buffer:
    return std::nullopt;
  }
  std::unreachable();
}

/// Tables made from PTX know most parameters as bytes only, hence a value on
/// either side agrees with everything of its size.
bool kindsAgree(image::ParamKind param, detail::argument_kind argument) {
  const auto kind = kindOf(argument);
  return !kind || *kind == param || *kind == image::ParamKind::value ||
         param == image::ParamKind::value;
}

/// The bytes that the argument passes for the parameter; none where its size
/// is another.
std::span<const std::byte> bytesFor(const image::Param &param,
                                    const detail::argument &argument) {
  const bool addressAlone = argument.kind == detail::argument_kind::buffer &&
                            param.size == sizeof(void *);
  const std::size_t size = addressAlone ? sizeof(void *) : argument.size;
  if (size != param.size)
    return {};
  return {static_cast<const std::byte *>(argument.bytes), size};
}

Result<void> checkArgument(const image::Kernel &kernel,
                           const image::Param &param, std::size_t position,
                           const detail::argument &argument,
                           const DeviceState &device) {
  auto mismatch = [&](std::string reason) {
    return refuse(kernel, "argument " + std::to_string(position) + " ('" +
                              std::string(argument.type) +
                              "') for parameter '" + param.name +
                              "': " + std::move(reason));
  };
  if (argument.owner && argument.owner != &device)
    return mismatch("the buffer is on device " + argument.owner->id +
                    ", and the stream on " + device.id);
  if (!kindsAgree(param.kind, argument.kind))
    return mismatch("the kernel takes " + std::string(text(param.kind)));
  if (bytesFor(param, argument).size() != param.size)
    return mismatch("the argument has " + std::to_string(argument.size) +
                    " bytes, and the parameter " + std::to_string(param.size));
  if (param.elementSize != 0 && argument.element_size != 0 &&
      param.elementSize != argument.element_size)
    return mismatch(
        "the elements have " + std::to_string(argument.element_size) +
        " bytes, and the parameter's " + std::to_string(param.elementSize));
  return {};
}

} // namespace

Result<LaunchShape> checkShape(const image::Kernel &kernel,
                               const launch_config &config,
                               const device_properties &device) {
  LaunchShape shape;
  shape.block = config.has_block()
                    ? config.block_shape()
                    : defaultShape(kernel, config.counts_threads(), device);
  if (auto good = checkBlock(kernel, shape.block, device); !good)
    return std::unexpected(std::move(good).error());

  if (auto good = checkCluster(kernel, config, device); !good)
    return std::unexpected(std::move(good).error());
  const std::array<std::uint32_t, 3> cluster = clusterOf(kernel, config);
  std::array<std::uint64_t, 3> grid = config.extents();
  if (config.counts_threads()) {
    if (shape.block[1] != 1 || shape.block[2] != 1)
      return refuse(kernel, "the block " + shapeText(shape.block) +
                                " has more than one dimension; use "
                                "tessera::grid instead of tessera::threads");
    grid[0] = roundUp(roundUp(grid[0], shape.block[0]) / shape.block[0],
                      std::max(cluster[0], 1u));
  } else if (std::ranges::count(grid, 0u) != 0) {
    return refuse(kernel, "the grid " + shapeText(grid) + " has no blocks");
  }
  if (auto good = checkLinear(kernel, grid, shape.block); !good)
    return std::unexpected(std::move(good).error());
  if (auto good = checkGrid(kernel, grid, cluster, device); !good)
    return std::unexpected(std::move(good).error());
  if (auto good = checkShared(kernel, config.shared_bytes(), device); !good)
    return std::unexpected(std::move(good).error());

  for (int i = 0; i != 3; ++i)
    shape.grid[i] = static_cast<std::uint32_t>(grid[i]);
  shape.dynamicShared = static_cast<std::uint32_t>(config.shared_bytes());
  if (config.has_cluster())
    shape.cluster = config.cluster_shape();
  return shape;
}

Result<std::vector<std::byte>>
packArguments(const image::Kernel &kernel,
              std::span<const detail::argument> arguments,
              const DeviceState &device) {
  if (arguments.size() != kernel.params.size())
    return refuse(kernel, "the launch has " + std::to_string(arguments.size()) +
                              " arguments, and the kernel " +
                              std::to_string(kernel.params.size()) +
                              " parameters");
  std::vector<std::byte> block(kernel.paramBytes);
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    const image::Param &param = kernel.params[i];
    if (auto good = checkArgument(kernel, param, i + 1, arguments[i], device);
        !good)
      return std::unexpected(std::move(good).error());
    std::ranges::copy(bytesFor(param, arguments[i]),
                      block.begin() + param.offset);
  }
  return block;
}

} // namespace tessera::runtime
