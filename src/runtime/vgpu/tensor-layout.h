// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNTIME_VGPU_TENSOR_LAYOUT_H
#define TESSERA_RUNTIME_VGPU_TENSOR_LAYOUT_H

#include "vgpu/vgpu.h"

#include <tessera/tensor_map.h>

namespace tessera::runtime {

/// The layout as the virtual GPU takes it; not checked.
[[nodiscard]] vgpu::TensorMapLayout virtualLayout(const tensor_layout &layout);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_VGPU_TENSOR_LAYOUT_H
