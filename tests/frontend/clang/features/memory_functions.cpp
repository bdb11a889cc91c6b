// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// memcpy and its like, and what the compiler makes of large copies.

#include "feature.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

struct block {
  unsigned char bytes[100];
};
block filled(int i) {
  block b;
  for (int k = 0; k < 100; ++k)
    b.bytes[k] = static_cast<unsigned char>(i * 7 + k);
  return b;
}
long long digest(const block &b) {
  unsigned hash = 17;
  for (unsigned char byte : b.bytes)
    hash = hash * 31 + byte;
  return hash;
}

long long copies(int i) {
  const block a = filled(i);
  block b;
  std::memset(&b, i, sizeof b);
  std::memcpy(b.bytes + 3, a.bytes + i, 13);
  return digest(b);
}
long long overlapping(int i) {
  block a = filled(i);
  std::memmove(a.bytes + 5, a.bytes, static_cast<std::size_t>(i));
  std::memmove(a.bytes, a.bytes + 1, 20);
  return digest(a);
}
long long comparisons(int i) {
  const block a = filled(i);
  block b = a;
  b.bytes[50] = static_cast<unsigned char>(b.bytes[50] + i % 3 - 1);
  const int order = std::memcmp(&a, &b, sizeof a);
  return (order > 0) - (order < 0) +
         10 * std::equal(a.bytes, a.bytes + 51, b.bytes);
}
long long assignments(int i) {
  std::array<block, 3> blocks{filled(1), filled(i), filled(2)};
  std::swap(blocks[0], blocks[1]);
  blocks[2] = blocks[0];
  std::fill_n(blocks[1].bytes, 40, static_cast<unsigned char>(i));
  std::copy(blocks[0].bytes, blocks[0].bytes + 10, blocks[1].bytes + 90);
  return digest(blocks[0]) + 3 * digest(blocks[1]) + 5 * digest(blocks[2]);
}

int main() {
  return feature::compare<copies, overlapping, comparisons, assignments>();
}
