// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Moves, forwarding, copy elision, copy-and-swap.

#include "feature.h"

#include <utility>

/// Counts how it came to be.
struct counted {
  int value, copies = 0, moves = 0;
  explicit counted(int value) : value(value) {}
  counted(const counted &other)
      : value(other.value), copies(other.copies + 1), moves(other.moves) {}
  counted(counted &&other) noexcept
      : value(std::exchange(other.value, -1)), copies(other.copies),
        moves(other.moves + 1) {}
  counted &operator=(counted other) noexcept {
    std::swap(value, other.value);
    copies = other.copies;
    moves = other.moves;
    return *this;
  }
  long long digest() const { return value * 100ll + copies * 10 + moves; }
};

counted make(int i) { return counted(i); }
counted pass(counted c) { return c; }
template <class T> counted forward(T &&c) {
  return counted(std::forward<T>(c));
}

long long elision(int i) { return make(i).digest(); }
long long moves(int i) {
  counted a(i), b(std::move(a)), c(b);
  return a.digest() + 1000000 * (b.digest() + 100000 * c.digest());
}
long long forwarded(int i) {
  counted a(i);
  const counted b = forward(a), c = forward(std::move(a));
  return b.digest() * 100000 + c.digest() + a.value;
}
long long assigned(int i) {
  counted a(1), b(i);
  a = b;
  b = pass(std::move(a));
  return b.digest();
}

int main() { return feature::compare<elision, moves, forwarded, assigned>(); }
