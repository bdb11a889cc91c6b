// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx -std=c++20 -Wall -Wextra -Werror -I%include %s %runtime -ldl -lpthread -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s
//
// User code is quiet without the plugin, and says what is missing when it runs.

#include <tessera/tessera.h>

[[tessera::constant]] const int table[] = {1, 2};

[[tessera::kernel, clang::annotate("tessera.launch_bounds", 256, 1)]] void
kernel(tessera::span<int> out) {
  [[tessera::shared]] int value[32];
  value[tessera::this_warp::lane()] = table[1];
  tessera::sync_threads();
  out[tessera::this_thread::index_1d()] = value[0];
}

int main() {
  int result[4];
  kernel(result);
}
// CHECK: laneid
