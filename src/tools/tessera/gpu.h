// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_GPU_H
#define TESSERA_TOOLS_TESSERA_GPU_H

#include "tools/tessera/error.h"

#include <string>

namespace tessera::driver {

/// The first NVIDIA GPU, as the runtime library sees it.
struct Gpu {
  std::string name;
  int capability = 0;        ///< 90 for compute capability 9.0
  std::string driverVersion; ///< of CUDA, "12.4"
};

/// Asks the CUDA driver; an error with the reason when there is no usable GPU.
Result<Gpu> findGpu();

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_GPU_H
