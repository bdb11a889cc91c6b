// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TESSERA_ARCH_H
#define TESSERA_TOOLS_TESSERA_ARCH_H

#include "tools/tessera/error.h"

#include <string>
#include <string_view>

namespace tessera::driver {

/// What `--arch` says, as the plugin wants it: "sm_80", or several with commas
/// between them, or empty for "the least that each kernel needs". `native`
/// asks the CUDA driver for the GPU of this machine; without one that is an
/// error.
Result<std::string> resolveArch(std::string_view text);

/// The newest architecture that the compiler knows and that a GPU of compute
/// capability `capability` (75 for 7.5) can run; an error for older GPUs.
Result<std::string> archForCapability(int capability);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_ARCH_H
