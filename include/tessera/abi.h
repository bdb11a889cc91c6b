// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler puts into a host object refers to exactly these names.
// Not for users; the compiler and the runtime agree on it through
// `abi_version`.

#ifndef TESSERA_ABI_H
#define TESSERA_ABI_H

/// The version of the functions below that a host object is made for.
inline constexpr unsigned __tessera_abi_version = 1;

extern "C" {

/// One kernel of a translation unit: the address that the host program has for
/// it, and the symbol of the kernel in the image.
struct __tessera_kernel_entry {
  const void *host_address;
  const char *symbol;
};

/// Called by a constructor of each translation unit with kernels. The image,
/// the entries and their symbols must live as long as the program. Registering
/// one address twice is legal (a template kernel that two files instantiate):
/// the first registration wins. `abi_version` is `__tessera_abi_version`. Never
/// fails: an image that cannot be read is reported by the first launch of one
/// of its kernels. Thread-safe, and usable before any other constructor has
/// run.
void __tessera_register_image(unsigned abi_version, const void *image,
                              unsigned long size,
                              const __tessera_kernel_entry *entries,
                              unsigned long count) noexcept;

/// The body of every kernel's host stub: says that a kernel was called like a
/// function, and aborts.
[[noreturn]] void __tessera_direct_call(const char *kernel_name) noexcept;

/// The host body of every function that only a device can run: says so, and
/// aborts.
[[noreturn]] void __tessera_device_only(const char *intrinsic_name) noexcept;

} // extern "C"

#endif // TESSERA_ABI_H
