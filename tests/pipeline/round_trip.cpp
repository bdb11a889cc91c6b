// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -fsyntax-only %s -fplugin-arg-tessera-emit=mir:%t.mir -fplugin-arg-tessera-emit=mir-opt:%t.opt -fplugin-arg-tessera-emit=llvm-dialect:%t.llvm -fplugin-arg-tessera-emit=ll:%t.ll -fplugin-arg-tessera-emit=ptx:%t.ptx
// RUN: %tessera-opt %t.mir -o %t.mir2 && diff %t.mir %t.mir2
// RUN: %tessera-opt %t.opt -o %t.opt2 && diff %t.opt %t.opt2
// RUN: %tessera-opt %t.llvm -o %t.llvm2 && diff %t.llvm %t.llvm2
// RUN: opt -passes=verify -disable-output %t.ll
//
// Every printed IR is read back, and prints the same again.

#include <tessera/tessera.h>

#include <cassert>
#include <cmath>
#include <cstdio>

struct point {
  float x, y;
};
[[tessera::constant]] const float table[2] = {1, 2};

[[tessera::kernel]] void everything(tessera::span<const float> in,
                                    tessera::disjoint_span<float> out,
                                    point p) {
  [[tessera::shared]] float tile[64];
  auto i = tessera::this_thread::index_1d();
  assert(in.size() > 0);
  tile[i % 64] = std::sin(in[i]) + table[i % 2] + p.x;
  tessera::sync_threads();
  auto scratch = tessera::dynamic_shared<int>();
  if (float *own = out.at(i))
    *own =
        tile[63 - i % 64] + float(scratch.size()) + tessera::shfl_xor(p.y, 1);
  if (i == 0)
    std::printf("%d %f\n", int(i), double(p.x));
}
