// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/vgpu/tensor-layout.h"

#include <cstdint>

namespace tessera::runtime {

// The enumerations have the same order.
static_assert(static_cast<int>(tensor_element::f64) ==
              static_cast<int>(vgpu::TensorType::f64));
static_assert(static_cast<int>(tensor_element::bf16) ==
              static_cast<int>(vgpu::TensorType::bf16));
static_assert(static_cast<int>(tensor_swizzle::bytes128) ==
              static_cast<int>(vgpu::TensorSwizzle::bytes128));
static_assert(static_cast<int>(tensor_fill::nan) ==
              static_cast<int>(vgpu::TensorFill::nan));

vgpu::TensorMapLayout virtualLayout(const tensor_layout &layout) {
  return {.type = static_cast<vgpu::TensorType>(layout.element),
          .swizzle = static_cast<vgpu::TensorSwizzle>(layout.swizzle),
          .fill = static_cast<vgpu::TensorFill>(layout.fill),
          .rank = layout.rank,
          .address = reinterpret_cast<std::uintptr_t>(layout.address),
          .sizes = layout.sizes,
          .strides = layout.strides,
          .box = layout.box,
          .elementStrides = layout.element_strides};
}

} // namespace tessera::runtime
