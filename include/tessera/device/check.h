// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stopping a kernel on purpose. `assert` of <cassert> works in kernels as well.

#ifndef TESSERA_DEVICE_CHECK_H
#define TESSERA_DEVICE_CHECK_H

#include <cstdio>
#include <cstdlib>

#include <tessera/device/detail.h>

namespace tessera {

/// Stops the kernel; the host gets `message`, the user's line, block and
/// thread in a `tessera::error`. `message` must be a string literal. On the
/// host it prints the message and aborts.
TESSERA_ANNOTATE("tessera.op", "mir.trap")
[[noreturn]] inline void trap(const char *message) {
  std::fprintf(stderr, "tessera: trap: %s\n", message);
  std::abort();
}

/// Traps with `message` unless `condition` holds. Unlike `assert` it does not
/// depend on NDEBUG.
TESSERA_ANNOTATE("tessera.op", "mir.assert")
inline void check(bool condition, const char *message) {
  if (condition)
    return;
  std::fprintf(stderr, "tessera: check failed: %s\n", message);
  std::abort();
}

} // namespace tessera

#endif // TESSERA_DEVICE_CHECK_H
