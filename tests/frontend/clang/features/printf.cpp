// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t | FileCheck %s
//
// printf on the device: every conversion, and one call of each thread in order.

#include "feature.h"

#include <cstdio>

[[tessera::kernel]] void print() {
  const int i = static_cast<int>(tessera::this_thread::index_1d());
  if (i == 0) {
    std::printf("plain text, 100%%\n");
    std::printf("%d %i %u %x %X %o %c\n", -5, 6, 7u, 255u, 255u, 8u, 'q');
    std::printf("%lld %llu %ld %zu %hhd\n", -(1ll << 40), 1ull << 63, 3l,
                sizeof(int), static_cast<char>(-1));
    std::printf("%f %.2f %e %g %5.1f|\n", 1.5, 2.345f, 12345.678, 0.0001,
                3.14159);
    std::printf("[%5d] [%-5d] [%05d] [%+d] [%*d]\n", 42, 42, 42, 42, 6, 42);
    std::printf("%s and %10s and %.2s\n", "text", "right", "cut off");
  }
  tessera::sync_threads();
  if (i == 33)
    std::printf("thread %d of warp %u\n", i, tessera::this_warp::index());
}
// CHECK: plain text, 100%
// CHECK-NEXT: -5 6 7 ff FF 10 q
// CHECK-NEXT: -1099511627776 9223372036854775808 3 4 -1
// CHECK-NEXT: 1.500000 2.35 1.234568e+04 0.0001   3.1|
// CHECK-NEXT: [   42] [42   ] [00042] [+42] [    42]
// CHECK-NEXT: text and      right and cu
// CHECK-NEXT: thread 33 of warp 1
// CHECK-NEXT: the host, after all

int main() {
  tessera::stream s;
  tessera::launch(s, tessera::threads(64, 64), print);
  s.synchronize();
  std::printf("the host, after all\n");
}
