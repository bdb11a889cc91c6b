// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -O0 -I%S/Inputs %s %S/Inputs/other_file.cpp -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %tessera-cxx -O2 -I%S/Inputs %s %S/Inputs/other_file.cpp -o %t.O2 && %t.O2 | FileCheck %s
// RUN: %tessera-cxx -O2 -flto=thin -I%S/Inputs %s %S/Inputs/other_file.cpp -o %t.thin && %t.thin | FileCheck %s
// RUN: %tessera-cxx -O2 -flto=full -I%S/Inputs %s %S/Inputs/other_file.cpp -o %t.full && %t.full | FileCheck %s
// RUN: %tessera-cxx -O2 -ffunction-sections -Wl,--icf=all -Wl,--gc-sections -I%S/Inputs %s %S/Inputs/other_file.cpp -o %t.icf && %t.icf | FileCheck %s
// RUN: %tessera-cxx -O2 -flto=thin -Wl,--icf=all -I%S/Inputs %s %S/Inputs/other_file.cpp -o %t.all && %t.all | FileCheck %s
//
// Two files with kernels in one program: kernels of the same name in anonymous
// namespaces, static kernels, the same template kernel in both, a kernel that
// the other file defines. Each host address must lead to its own kernel, even
// where the linker folds identical functions.

#include "shared_kernels.h"

#include <cstdio>

namespace {
[[tessera::kernel]] void same(tessera::span<int> out) { out[0] += 3; }
} // namespace

[[tessera::kernel]] static void twin(tessera::span<int> out) { out[0] += 500; }

[[tessera::kernel]] void defined_in_other(tessera::span<int> out);

int main() {
  tessera::stream s;
  auto out = tessera::buffer<int>::zeroed(s, 1);
  tessera::launch(s, tessera::grid(1).block(1), store<int>, out, 10);
  tessera::launch(s, tessera::grid(1).block(1), same, out);
  tessera::launch(s, tessera::grid(1).block(1), twin, out);
  tessera::launch(s, tessera::grid(1).block(1), defined_in_other, out);
  // CHECK: here 613, there 1024
  std::printf("here %d, there %d\n", out.to_host(s)[0],
              launch_of_the_other_file());
}
