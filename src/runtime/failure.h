// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors inside the runtime are values; the public functions make exceptions
// of them.

#ifndef TESSERA_RUNTIME_FAILURE_H
#define TESSERA_RUNTIME_FAILURE_H

#include <tessera/error.h>

#include <expected>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera::runtime {

struct Failure {
  error_kind kind = error_kind::driver;
  std::string api; ///< the call that failed: "cuMemAlloc", "tessera::launch"
  int code = 0;    ///< the driver's result, 0 where there is none
  std::string codeName;
  std::string message;
  /// The device can do nothing more in this process.
  bool deviceLost = false;
  /// A kernel failed while it ran, on a device that runs it within the call:
  /// to be reported by a later call on the stream.
  bool isDeferred = false;
};

template <class T> using Result = std::expected<T, Failure>;

inline std::unexpected<Failure> fail(error_kind kind, std::string api,
                                     std::string message) {
  return std::unexpected(Failure{
      .kind = kind, .api = std::move(api), .message = std::move(message)});
}

/// What `make` returns, once `done` has succeeded.
template <class F>
Result<std::invoke_result_t<F>> after(Result<void> done, F make) {
  if (!done)
    return std::unexpected(std::move(done).error());
  return make();
}

[[noreturn]] void raise(Failure failure, std::source_location where);

/// The value, or a tessera::error at `where`.
template <class T>
T valueOrRaise(Result<T> result, std::source_location where) {
  if (!result)
    raise(std::move(result).error(), where);
  if constexpr (!std::is_void_v<T>)
    return *std::move(result);
}

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_FAILURE_H
