// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image for PTX that comes without one.

#ifndef TESSERA_RUNTIME_KERNEL_TABLE_H
#define TESSERA_RUNTIME_KERNEL_TABLE_H

#include "image/image.h"
#include "runtime/failure.h"

#include <string>

namespace tessera::runtime {

/// Reads kernels, parameters and limits from the PTX's own declarations; the
/// image's one variant is the text. `source` names the text in errors.
[[nodiscard]] Result<image::Image> imageFromPtx(std::string ptx,
                                                const std::string &source);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_KERNEL_TABLE_H
