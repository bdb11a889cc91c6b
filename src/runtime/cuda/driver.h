// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver library, found when the program runs.

#ifndef TESSERA_RUNTIME_CUDA_DRIVER_H
#define TESSERA_RUNTIME_CUDA_DRIVER_H

#include "runtime/cuda/driver-api.h"
#include "runtime/failure.h"

#include <memory>
#include <string>

namespace tessera::runtime::cuda {

/// The driver's functions. Never unloaded: contexts live as long as the
/// process. Thread-safe.
class Driver {
public:
  /// Opens `library`, finds every entry point and initialises the driver. The
  /// failure says why no GPU can be used: library not found, driver too old
  /// (with what it lacks), or what `cuInit` returned.
  [[nodiscard]] static Result<std::shared_ptr<const Driver>>
  open(const std::string &library);

#define TESSERA_DECLARE(name, parameters) CUresult(*name) parameters = nullptr;
  TESSERA_CUDA_ENTRY_POINTS(TESSERA_DECLARE)
#undef TESSERA_DECLARE
  /// Null where the driver is older.
#define TESSERA_DECLARE(name, version, parameters)                             \
  CUresult(*name) parameters = nullptr;
  TESSERA_CUDA_NEWER_ENTRY_POINTS(TESSERA_DECLARE)
#undef TESSERA_DECLARE

  /// A failed call as a value; `message` precedes the driver's own words.
  [[nodiscard]] Failure failure(const char *api, CUresult status,
                                std::string message = {}) const;
  /// Success, or the failure of the call `api`.
  [[nodiscard]] Result<void> check(const char *api, CUresult status) const {
    if (status == success)
      return {};
    return std::unexpected(failure(api, status));
  }
};

} // namespace tessera::runtime::cuda

#endif // TESSERA_RUNTIME_CUDA_DRIVER_H
