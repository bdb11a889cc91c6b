// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tessera/abi.h>

#include "runtime/registry.h"

#include <cstdio>
#include <cstdlib>

void __tessera_register_image(unsigned abi_version, const void *image,
                              unsigned long size,
                              const __tessera_kernel_entry *entries,
                              unsigned long count) noexcept {
  tessera::runtime::Registry::process().add(
      abi_version, {static_cast<const std::byte *>(image), size},
      {entries, count});
}

void __tessera_direct_call(const char *kernel_name) noexcept {
  std::fprintf(stderr,
               "tessera: the kernel '%s' was called like a function; use "
               "tessera::launch(stream, config, kernel, arguments...)\n",
               kernel_name);
  std::abort();
}

void __tessera_device_only(const char *intrinsic_name) noexcept {
  std::fprintf(stderr,
               "tessera: '%s' was called on the host; only device code can do "
               "it\n",
               intrinsic_name);
  std::abort();
}
