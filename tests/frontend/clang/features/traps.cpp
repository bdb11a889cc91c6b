// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t
// RUN: %t bounds | FileCheck %s --check-prefix=BOUNDS
// RUN: %t range | FileCheck %s --check-prefix=RANGE
// RUN: %t assertion | FileCheck %s --check-prefix=ASSERTION
// RUN: %t check | FileCheck %s --check-prefix=MESSAGE
// RUN: %t trap | FileCheck %s --check-prefix=TRAP
// RUN: %t library | FileCheck %s --check-prefix=LIBRARY
// RUN: %t value | FileCheck %s --check-prefix=VALUE
// RUN: %t none | FileCheck %s --check-prefix=NONE
//
// What stops a kernel reaches the host as an exception with place and reason.

#include "feature.h"

#include <array>
#include <cassert>
#include <optional>
#include <string>

[[tessera::kernel]] void traps(std::size_t which, tessera::span<int> values) {
  const auto i = tessera::this_thread::index_1d();
  if (i != 77) // of block 1
    return;
  switch (which) {
  case 0:
    // BOUNDS: traps.cpp:[[@LINE+1]]:{{.*}} index 300 is out of range for a span of length 256 (values[300]) in kernel 'traps', block (1,0,0), thread (13,0,0)
    values[300] = 1;
    break;
  case 1:
    // RANGE: traps.cpp:[[@LINE+1]]:{{.*}} 261 {{.*}} 256 {{.*}}in kernel 'traps', block (1,0,0), thread (13,0,0)
    values.subspan(250, 11)[0] = 1;
    break;
  case 2:
    // ASSERTION: traps.cpp:[[@LINE+1]]:{{.*}}values.size() == 3{{.*}}in kernel 'traps', block (1,0,0), thread (13,0,0)
    assert(values.size() == 3);
    break;
  case 3:
    // MESSAGE: traps.cpp:[[@LINE+1]]:{{.*}}the size is three{{.*}}in kernel 'traps'
    tessera::check(values.size() == 3, "the size is three");
    break;
  case 4:
    // TRAP: traps.cpp:[[@LINE+1]]:{{.*}}nobody comes here{{.*}}in kernel 'traps'
    tessera::trap("nobody comes here");
  case 5: {
    std::array<int, 3> few{};
    // LIBRARY: in kernel 'traps', block (1,0,0), thread (13,0,0)
    values[0] = few.at(values.size());
    break;
  }
  case 6: {
    std::optional<int> none;
    if (values.size() == 3)
      none = 1;
    // VALUE: in kernel 'traps', block (1,0,0), thread (13,0,0)
    values[0] = none.value();
    break;
  }
  default:
    // NONE: no error, 5
    assert(values.size() == 256);
    tessera::check(true, "never");
    values[255] = 5;
  }
}

int main(int argc, char **argv) {
  const std::string names[] = {"bounds", "range",   "assertion", "check",
                               "trap",   "library", "value",     "none"};
  std::size_t which = 0;
  while (argc > 1 && which < std::size(names) && names[which] != argv[1])
    ++which;
  tessera::stream s;
  auto values = tessera::buffer<int>::zeroed(s, 256);
  try {
    tessera::launch(s, tessera::threads(128, 64), traps, which, values);
    std::printf("no error, %d\n", values.to_host(s)[255]);
  } catch (const tessera::error &error) {
    std::printf("%s: %s\n",
                error.kind() == tessera::error_kind::trap ? "trap"
                                                          : "another error",
                error.what());
  }
}
