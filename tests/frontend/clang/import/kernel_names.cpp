// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx -fsyntax-only -fplugin-arg-tessera-emit=mir:- %s | FileCheck %s
//
// A kernel keeps its name where that is enough to tell it from others; the
// table has the name that the user wrote in any case.

#include <tessera/tessera.h>

// CHECK-DAG: mir.kernel @plain({{.*}}source_name = "plain"
[[tessera::kernel]] void plain(int *) {}

// CHECK-DAG: mir.kernel @_Z10overloadedPi({{.*}}source_name = "overloaded"
// CHECK-DAG: mir.kernel @_Z10overloadedPf({{.*}}source_name = "overloaded"
[[tessera::kernel]] void overloaded(int *) {}
[[tessera::kernel]] void overloaded(float *) {}

// CHECK-DAG: mir.kernel @_ZN5space6kernelEPi({{.*}}source_name = "space::kernel"
namespace space {
[[tessera::kernel]] void kernel(int *) {}
} // namespace space

// CHECK-DAG: mir.kernel @_ZN12_GLOBAL__N_16hiddenEPi({{.*}}source_name = "(anonymous namespace)::hidden"
namespace {
[[tessera::kernel]] void hidden(int *) {}
} // namespace

// CHECK-DAG: mir.kernel @_ZN6holder6memberEPi({{.*}}source_name = "holder::member"
struct holder {
  [[tessera::kernel]] static void member(int *) {}
};

// CHECK-DAG: mir.kernel @_Z9templatedIfLi4EEvPT_({{.*}}source_name = "templated<float, 4>"
// CHECK-DAG: mir.kernel @_Z9templatedIiLi2EEvPT_({{.*}}source_name = "templated<int, 2>"
template <class T, int N> [[tessera::kernel]] void templated(T *) {}
template void templated<float, 4>(float *);
auto used = &templated<int, 2>;

// A declaration's attribute holds for the definition.
// CHECK-DAG: mir.kernel @later(
[[tessera::kernel]] void later(int *);
void later(int *) {}

// Declared only: another file has it.
[[tessera::kernel]] void elsewhere(int *);

// Nothing else is a kernel.
// CHECK-NOT: mir.kernel
