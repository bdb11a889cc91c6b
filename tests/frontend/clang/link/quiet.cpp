// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -Wall -Wextra -Werror -c %s -o %t.o 2>&1 | count 0
// RUN: llvm-nm %t.o | FileCheck %s
// RUN: %tessera-cxx -Wall -Wextra -Werror -fpass-plugin=%plugin -c %s -o %t.twice.o 2>&1 | count 0
// RUN: llvm-nm %t.twice.o | FileCheck %s
//
// A file without kernels compiles as without the plugin: no output, nothing of
// ours in the object. Loading the plugin as a pass plugin as well is the same.
//
// CHECK-NOT: tessera

#include <vector>

std::vector<int> function(int n) { return std::vector<int>(n); }
