// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t | FileCheck %s
//
// A thread's index along x is unique in launches along x only: a kernel that
// writes to a disjoint span cannot be launched over a plane.

#include <tessera/tessera.h>

#include <cstdio>

[[tessera::kernel]] void writes(tessera::disjoint_span<int> out) {
  if (int *own = out.at(tessera::this_thread::index_1d()))
    *own = 1;
}

// Reading by that index does no harm.
[[tessera::kernel]] void reads(tessera::span<const int> in, int *sum) {
  if (tessera::this_thread::index_1d() < in.size())
    *sum = in[tessera::this_thread::index_1d()];
}

template <class Launch> void attempt(const char *what, Launch launch) {
  try {
    launch();
    std::printf("%s: launched\n", what);
  } catch (const tessera::error &error) {
    std::printf("%s: %s\n", what, error.what());
  }
}

int main() {
  tessera::stream s;
  auto data = tessera::buffer<int>::zeroed(s, 64);
  // CHECK: line: launched
  attempt("line", [&] { launch(s, tessera::grid(2).block(32), writes, data); });
  // CHECK: blocks: {{.*}}'writes'{{.*}}along x only{{.*}}(2, 2, 1)
  attempt("blocks",
          [&] { launch(s, tessera::grid(2, 2).block(16), writes, data); });
  // CHECK: threads: {{.*}}'writes'{{.*}}along x only{{.*}}(8, 4, 1)
  attempt("threads",
          [&] { launch(s, tessera::grid(1).block(8, 4), writes, data); });
  // CHECK: reads: launched
  attempt("reads",
          [&] { launch(s, tessera::grid(2, 2).block(16), reads, data, data); });
}
