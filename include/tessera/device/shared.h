// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that the threads of one block share. Static shared memory is a local
// variable of a kernel, `[[tessera::shared]] float tile[32][33];`: one per
// block, uninitialised. Dynamic shared memory is what the launch asks for with
// `.shared(bytes)`.

#ifndef TESSERA_DEVICE_SHARED_H
#define TESSERA_DEVICE_SHARED_H

#include <cstddef>

#include <tessera/device/span.h>

namespace tessera {

/// Bytes of dynamic shared memory of this launch. Device only.
TESSERA_FORWARD std::size_t dynamic_shared_bytes() {
  return detail::dynamic_shared_bytes();
}

/// The block's dynamic shared memory as elements of type `T`, uninitialised;
/// as many as fit. Each call gives the same memory. Device only.
template <class T> TESSERA_FORWARD span<T> dynamic_shared() {
  static_assert(alignof(T) <= 16,
                "tessera: dynamic shared memory is aligned to 16 bytes");
  return {detail::dynamic_shared<T>(), dynamic_shared_bytes() / sizeof(T)};
}

} // namespace tessera

#endif // TESSERA_DEVICE_SHARED_H
