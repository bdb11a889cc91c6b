// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Virtual calls on objects that the device made, virtual destructors and
// virtual bases.

#include "feature.h"

struct shape {
  virtual int area() const = 0;
  virtual int corners() const { return 0; }
  virtual ~shape() = default;
};
struct square : shape {
  explicit square(int side) : side(side) {}
  int area() const override { return side * side; }
  int corners() const override { return 4; }
  int side;
};
struct circle final : shape {
  explicit circle(int radius) : radius(radius) {}
  int area() const override { return 3 * radius * radius; }
  int radius;
};

int measure(const shape &s) { return s.area() * 10 + s.corners(); }

long long dispatch(int i) {
  const square a(i);
  const circle b(i + 1);
  const shape *chosen = i % 3 == 0 ? static_cast<const shape *>(&a) : &b;
  return measure(*chosen);
}

struct recorder {
  explicit recorder(int *place) : place(place) {}
  int *place;
  virtual ~recorder() { *place = *place * 10 + 1; }
};
struct late_recorder : recorder {
  explicit late_recorder(int *place) : recorder(place) {}
  ~late_recorder() override { *place = *place * 10 + 2; }
};
long long destructors(int i) {
  int trace = i;
  {
    const late_recorder r(&trace);
  }
  return trace;
}

struct origin {
  int x;
};
struct left : virtual origin {
  int l() const { return x + 1; }
};
struct right : virtual origin {
  int r() const { return x + 2; }
};
struct both : left, right {};
long long virtual_bases(int i) {
  both b;
  b.x = i;
  return b.l() * 1000 + b.r();
}

int main() { return feature::compare<dispatch, destructors, virtual_bases>(); }
