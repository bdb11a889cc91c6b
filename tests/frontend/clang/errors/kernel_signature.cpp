// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// What a kernel may look like.

#include <tessera/tessera.h>

#include <vector>

struct polymorphic {
  virtual ~polymorphic() = default;
};

// CHECK-DAG: kernel_signature.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}void
[[tessera::kernel]] int returns() { return 1; }

// CHECK-DAG: kernel_signature.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}number of arguments
[[tessera::kernel]] void variable(int, ...) {}

// CHECK-DAG: kernel_signature.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}reference
[[tessera::kernel]] void by_reference(const int &x, int *out) { *out = x; }

// CHECK-DAG: kernel_signature.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}trivially copyable
[[tessera::kernel]] void not_trivial(std::vector<int> values, int *out) {
  *out = static_cast<int>(values.size());
}

// CHECK-DAG: kernel_signature.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}trivially copyable
[[tessera::kernel]] void with_vtable(polymorphic p) {}

struct owner {
  int x;
  // CHECK-DAG: kernel_signature.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}static
  [[tessera::kernel]] void member(int *out) { *out = x; }
};
