// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Engines and distributions of <random> that need no allocation.

#include "feature.h"

#include <random>

long long engines(int i) {
  std::minstd_rand a(static_cast<unsigned>(i + 1));
  a.discard(3);
  std::ranlux24_base b(static_cast<unsigned>(i));
  return static_cast<long long>(a()) * 100000 +
         static_cast<long long>(b() % 1000);
}
long long distributions(int i) {
  std::minstd_rand engine(static_cast<unsigned>(i + 1));
  std::uniform_int_distribution<int> dice(1, 6);
  long long result = 0;
  for (int k = 0; k < 10; ++k)
    result = result * 7 + dice(engine);
  return result;
}

int main() { return feature::compare<engines, distributions>(); }
