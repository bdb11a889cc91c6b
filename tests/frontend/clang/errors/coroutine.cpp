// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not %tessera-cxx -c %s -o %t.o 2>&1 | FileCheck %s
//
// Coroutines keep their state on the heap.

#include <tessera/tessera.h>

#include <coroutine>

struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

// CHECK: coroutine.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{coroutine|allocate memory}}
task run(int *out) {
  *out = 1;
  co_return;
}
[[tessera::kernel]] void starts(int *out) { run(out); }
