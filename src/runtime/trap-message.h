// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trap record in words.

#ifndef TESSERA_RUNTIME_TRAP_MESSAGE_H
#define TESSERA_RUNTIME_TRAP_MESSAGE_H

#include "image/image.h"

#include <string>

namespace tessera::runtime {

/// "vecadd.cpp:12:18: index 300 is out of range for a span of length 256 (y[i])
/// in kernel 'vecadd', block (1,0,0), thread (44,0,0)". `kernel` is the one
/// that ran, null where that is not known.
[[nodiscard]] std::string describeTrap(const image::Image &image,
                                       const image::TrapRecord &record,
                                       const image::Kernel *kernel);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_TRAP_MESSAGE_H
