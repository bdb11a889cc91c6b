// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest complete program: a kernel, a buffer, a launch, a result.

#include <cstdio>

#include <tessera/tessera.h>

// Every thread writes the same value to the same place.
[[tessera::kernel]] void hello_constant(int *out) { *out = 42; }

int main() {
  tessera::stream s{tessera::device::best()};
  auto out = tessera::buffer<int>::zeroed(s, 1);
  tessera::launch(s, tessera::threads(256), hello_constant, out);

  const int value = out.to_host(s).front();
  std::printf("Output: %d\n", value);
  return value == 42 ? 0 : 1;
}
