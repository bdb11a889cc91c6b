// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream and the error that its work left behind.

#ifndef TESSERA_RUNTIME_STREAM_STATE_H
#define TESSERA_RUNTIME_STREAM_STATE_H

#include "runtime/device-state.h"
#include "runtime/hal.h"
#include "runtime/loaded-module.h"

#include <concepts>
#include <memory>
#include <optional>
#include <source_location>
#include <utility>

namespace tessera::runtime {

/// For one thread at a time. The destructor waits for the work, and writes an
/// error that no call has reported to standard error.
class StreamState {
public:
  StreamState(DeviceState &device, std::unique_ptr<StreamBackend> stream)
      : device(device), stream(std::move(stream)) {}
  ~StreamState();

  /// Calls `operation(backend)` unless a kernel has failed before: then that
  /// failure is the result.
  template <std::invocable<StreamBackend &> F>
  [[nodiscard]] Result<void> run(F operation) {
    if (pending)
      return std::unexpected(*std::exchange(pending, std::nullopt));
    Result<void> result = operation(*stream);
    if (!result)
      result = std::unexpected(device.explain(std::move(result).error()));
    return result;
  }

  /// Queues a kernel. `where` is the launch in the user's code.
  [[nodiscard]] Result<void> launch(LoadedModule &module,
                                    const image::Kernel &kernel,
                                    const LaunchShape &shape,
                                    std::span<std::byte> params,
                                    std::source_location where);

  [[nodiscard]] void *nativeHandle() const { return stream->nativeHandle(); }

  DeviceState &device;

private:
  std::unique_ptr<StreamBackend> stream;
  std::optional<Failure> pending; ///< of a kernel that ran within its launch
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_STREAM_STATE_H
