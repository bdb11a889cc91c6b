// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the driver's parts report what went wrong: one line for the user and the
// exit status that goes with it.

#ifndef TESSERA_TOOLS_TESSERA_ERROR_H
#define TESSERA_TOOLS_TESSERA_ERROR_H

#include <expected>
#include <string>
#include <utility>

namespace tessera::driver {

/// Exit statuses of the driver's own failures. A program that `run` started
/// passes on its own.
inline constexpr int exitFailure = 1;
inline constexpr int exitUsage = 2;

struct Error {
  std::string message; ///< one line, without a final stop or newline
  int exitCode = exitFailure;
};

template <typename T> using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(std::string message,
                                                 int exitCode = exitFailure) {
  return std::unexpected(Error{std::move(message), exitCode});
}

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_ERROR_H
