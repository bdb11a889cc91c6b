// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user's environment asks of the runtime.

#ifndef TESSERA_RUNTIME_OPTIONS_H
#define TESSERA_RUNTIME_OPTIONS_H

#include "vgpu/vgpu.h"

#include <string>

namespace tessera::runtime {

struct Options {
  /// `TESSERA_DEVICE`: the device that `device::best()` is; empty: the first
  /// GPU, else the virtual GPU.
  std::string device;
  /// `TESSERA_LIBCUDA`: the driver library, by name or path.
  std::string cudaLibrary = "libcuda.so.1";
  /// `TESSERA_QUIET`, when neither empty nor "0": no remarks on standard error.
  /// Errors that no call can report are written all the same.
  bool quiet = false;
  /// `TESSERA_VGPU_JIT`: `off`, `on` (the default), or `sync`; with `,verbose`
  /// after it, remarks on standard error.
  vgpu::NativeOptions native;

  [[nodiscard]] static Options fromEnvironment();
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_OPTIONS_H
