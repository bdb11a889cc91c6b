// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A template kernel that two files instantiate with the same arguments.

#include <tessera/tessera.h>

template <class T>
[[tessera::kernel]] void store(tessera::span<T> out, T value) {
  out[tessera::this_thread::index_1d()] = value;
}

int launch_of_the_other_file();
