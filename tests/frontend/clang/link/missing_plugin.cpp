// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx -std=c++20 -I%include %s %runtime -ldl -lpthread -o %t
// RUN: not %t 2>&1 | FileCheck %s
//
// A file that was compiled without the plugin says so when it launches.

#include <tessera/tessera.h>

#include <cstdio>

[[tessera::kernel]] void kernel(int *out) { *out = 1; }

int main() {
  try {
    tessera::stream s;
    auto out = tessera::buffer<int>::zeroed(s, 1);
    tessera::launch(s, tessera::threads(1), kernel, out);
  } catch (const tessera::error &error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
// CHECK: plugin
