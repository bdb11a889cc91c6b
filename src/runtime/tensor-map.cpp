// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tessera/tensor_map.h>

#include "runtime/device-state.h"
#include "runtime/vgpu/tensor-layout.h"

#include <utility>

namespace tessera {

using namespace runtime;

namespace {

/// The driver says only that something is wrong; the virtual GPU has the same
/// rules, and says which was broken.
void check(const tensor_layout &layout, std::source_location where) {
  auto encoded = vgpu::encodeTensorMap(virtualLayout(layout));
  if (!encoded)
    raise({.kind = error_kind::invalid_argument,
           .api = "tessera::tensor_map::tiled",
           .message = encoded.error().what},
          where);
}

} // namespace

tensor_map tensor_map::tiled(device on, const tensor_layout &layout,
                             std::source_location where) {
  check(layout, where);
  DeviceState &state = on.state();
  auto encoded = state.backend().encodeTensorMap(layout);
  if (!encoded)
    raise(state.explain(std::move(encoded).error()), where);
  return tensor_map(*encoded);
}

} // namespace tessera
