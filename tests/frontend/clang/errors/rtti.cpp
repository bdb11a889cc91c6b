// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Run-time type information.

#include <tessera/tessera.h>

#include <typeinfo>

struct base {
  virtual int f() const { return 1; }
};
struct derived : base {
  int f() const override { return 2; }
};

int cast(const base &b) {
  // CHECK-DAG: rtti.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}dynamic_cast
  return dynamic_cast<const derived *>(&b) != nullptr;
}
bool same(const base &b) {
  // CHECK-DAG: rtti.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}typeid
  return typeid(b) == typeid(derived);
}
[[tessera::kernel]] void casts(int *out) {
  const derived d;
  *out = cast(d) + same(d);
}
