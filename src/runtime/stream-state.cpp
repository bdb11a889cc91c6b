// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/stream-state.h"

#include <cstdio>
#include <string>

namespace tessera::runtime {
namespace {

bool comesFromKernel(const Failure &failure) {
  return failure.kind == error_kind::trap ||
         failure.kind == error_kind::device_fault;
}

} // namespace

StreamState::~StreamState() {
  // Calls after a loss have all reported it.
  const bool wasLost = device.isLost();
  auto result = run([](StreamBackend &stream) { return stream.synchronize(); });
  if (!result && !wasLost && comesFromKernel(result.error()))
    std::fprintf(stderr, "tessera: a kernel failed on device %s: %s\n",
                 device.id.c_str(), result.error().message.c_str());
}

Result<void> StreamState::launch(LoadedModule &module,
                                 const image::Kernel &kernel,
                                 const LaunchShape &shape,
                                 std::span<std::byte> params,
                                 std::source_location where) {
  std::unique_lock lock(device.launching, std::defer_lock);
  if (device.backend().runsWithinCalls())
    lock.lock();
  auto result = run([&](StreamBackend &stream) {
    auto launched = stream.launch(module.backend(), kernel, shape, params);
    if (launched || !launched.error().isDeferred)
      return launched;
    Failure failure = std::move(launched).error();
    if (auto trap = module.takeTrap(&kernel)) {
      failure.kind = error_kind::trap;
      failure.message = *std::move(trap);
    }
    failure.message += std::string(", launched at ") + where.file_name() + ":" +
                       std::to_string(where.line());
    pending = std::move(failure);
    return Result<void>();
  });
  return result;
}

} // namespace tessera::runtime
