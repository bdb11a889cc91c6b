// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Kernels and functions in namespaces: anonymous, nested, inline.

#include "feature.h"

namespace outer::inner {
inline namespace version_2 {
int value(int i) { return i + 2; }
} // namespace version_2
namespace version_1 {
int value(int i) { return i + 1; }
} // namespace version_1
template <int N> [[tessera::kernel]] void named(int *out) { *out = value(N); }
} // namespace outer::inner

namespace {
int hidden(int i) { return i * 5; }
[[tessera::kernel]] void anonymous(int *out) { *out = hidden(4); }
} // namespace

static int internal(int i) { return i * 7; }
[[tessera::kernel]] static void local_to_the_file(int *out) {
  *out = internal(3);
}

struct owner {
  [[tessera::kernel]] static void member(int *out) { *out = 11; }
};

int main() {
  namespace alias = outer::inner;
  tessera::stream s;
  const auto once = [&](void (*kernel)(int *)) {
    auto out = tessera::buffer<int>::zeroed(s, 1);
    tessera::launch(s, tessera::threads(1), kernel, out);
    return out.to_host(s).front();
  };
  const bool good = once(alias::named<40>) == 42 && once(anonymous) == 20 &&
                    once(local_to_the_file) == 21 &&
                    once(owner::member) == 11 &&
                    alias::version_1::value(1) == 2;
  return good ? 0 : 1;
}
