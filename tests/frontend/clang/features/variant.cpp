// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// std::variant and std::visit.

#include "feature.h"

#include <variant>

struct circle {
  int radius;
};
struct rectangle {
  int width, height;
};
struct nothing {};
using shape = std::variant<nothing, circle, rectangle>;

shape make(int i) {
  if (i % 3 == 0)
    return nothing{};
  if (i % 3 == 1)
    return circle{i};
  return rectangle{i, 2};
}

template <class... F> struct overloaded : F... {
  using F::operator()...;
};

long long visit(int i) {
  return std::visit(overloaded{[](nothing) { return 0; },
                               [](circle c) { return 3 * c.radius * c.radius; },
                               [](rectangle r) { return r.width * r.height; }},
                    make(i));
}
long long alternatives(int i) {
  const shape s = make(i);
  if (const auto *c = std::get_if<circle>(&s))
    return c->radius;
  if (std::holds_alternative<rectangle>(s))
    return std::get<rectangle>(s).width * 10;
  return static_cast<long long>(s.index());
}
long long two_at_once(int i) {
  std::variant<int, double> a = i, b = 2.5;
  if (i % 2 != 0)
    a = 0.5 * i;
  return std::visit([](auto x, auto y) { return static_cast<int>(x * y * 4); },
                    a, b);
}

int main() { return feature::compare<visit, alternatives, two_at_once>(); }
