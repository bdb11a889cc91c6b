// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Constant memory: tables that the device reads.

#include "feature.h"

[[tessera::constant]] const float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};

struct entry {
  int key;
  short value[2];
};
[[tessera::constant]] const entry entries[] = {{1, {2, 3}}, {4, {5, 6}}};

[[tessera::kernel]] void read(tessera::span<int> out) {
  const auto i = tessera::this_thread::index_1d();
  if (i >= out.size())
    return;
  const entry &e = entries[i % 2];
  out[i] = static_cast<int>(weights[i % 4] * 2) + 10 * e.key +
           100 * e.value[i / 2 % 2];
}

int main() {
  tessera::stream s;
  std::vector<int> expected(40);
  for (int i = 0; i < 40; ++i)
    expected[i] = 1 + i % 4 * 2 + (i % 2 == 0 ? 10 : 40) +
                  100 * (i % 2 * 3 + 2 + i / 2 % 2);
  return feature::expect(
             feature::output_of<int>(s, 40, tessera::threads(40), read),
             expected, "constants")
             ? 0
             : 1;
}
