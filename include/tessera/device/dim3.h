// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DEVICE_DIM3_H
#define TESSERA_DEVICE_DIM3_H

namespace tessera {

/// A three-dimensional extent or index; `x` runs fastest.
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  friend constexpr bool operator==(const dim3 &, const dim3 &) = default;
};

} // namespace tessera

#endif // TESSERA_DEVICE_DIM3_H
