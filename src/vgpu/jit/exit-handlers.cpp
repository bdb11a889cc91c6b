// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's static objects are never destroyed. A process may end while another
// thread compiles, and what LLVM makes on the way (tables that are filled when
// they are first needed) would be destroyed beneath it: handlers of `exit` run
// newest first, so that no handler of ours could be in time to wait.
//
// LLVM is linked into this library, and with it every registration of a
// destructor (Itanium C++ ABI, 3.3.6.3) ends here. The library is never
// unloaded.

extern "C" __attribute__((visibility("hidden"))) int
__cxa_atexit(void (*)(void *), void *, void *) noexcept {
  return 0;
}
