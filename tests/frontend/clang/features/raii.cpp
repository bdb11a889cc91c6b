// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Destructors run at every way out of a scope, in the reverse order.

#include "feature.h"

#include <utility>

/// Writes its digit at the end of `trace` when it dies.
class tracer {
public:
  tracer(long long &trace, int digit) : trace_(&trace), digit_(digit) {}
  tracer(tracer &&other)
      : trace_(std::exchange(other.trace_, nullptr)), digit_(other.digit_) {}
  tracer(const tracer &) = delete;
  ~tracer() {
    if (trace_)
      *trace_ = *trace_ * 10 + digit_;
  }

private:
  long long *trace_;
  int digit_;
};

void leave_early(long long &trace, int i) {
  tracer a(trace, 1);
  if (i % 3 == 0)
    return;
  tracer b(trace, 2);
  for (int k = 0; k < 5; ++k) {
    tracer c(trace, 3);
    if (k == i % 3)
      continue;
    if (k == 2)
      break;
    tracer d(trace, 4);
  }
  tracer e(trace, 5);
}
long long ways_out(int i) {
  long long trace = 0;
  leave_early(trace, i);
  return trace;
}

long long moved(int i) {
  long long trace = 0;
  {
    tracer a(trace, i % 10);
    tracer b(std::move(a));
    tracer c(trace, 7);
  }
  return trace;
}

struct pair_of_tracers {
  tracer first, second;
  int value;
};
pair_of_tracers make(long long &trace, int i) {
  return {tracer(trace, 1), tracer(trace, 2), i};
}
long long temporaries(int i) {
  long long trace = 0;
  const int value = (tracer(trace, 3), make(trace, i).value);
  return trace * 1000 + value;
}

int main() { return feature::compare<ways_out, moved, temporaries>(); }
