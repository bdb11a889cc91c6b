// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Bases, several bases, empty bases, the curiously recurring template.

#include "feature.h"

struct named {
  int id = 5;
  int tag() const { return id * 2; }
};
struct sized {
  long long size;
  explicit sized(long long size) : size(size) {}
};
struct empty {};
class item : public named, public sized, empty {
public:
  item(int i) : sized(i * 3ll) { id += i; }
  using named::tag;
  long long total() const { return tag() + size; }
};

template <class Derived> struct doubled {
  int twice() const { return 2 * static_cast<const Derived *>(this)->value(); }
};
struct number : doubled<number> {
  int n;
  int value() const { return n; }
};

template <class T> struct wrapper : T {
  using T::T;
  int extra = 1;
};

long long bases(int i) {
  const item x(i);
  const sized &as_sized = x;
  const named *as_named = &x;
  return x.total() * 100 + as_sized.size + as_named->id +
         static_cast<const item &>(as_sized).id;
}
long long recurring(int i) {
  number n;
  n.n = i;
  return n.twice();
}
long long inherited_constructor(int i) {
  const wrapper<sized> w(i);
  return w.size + w.extra + static_cast<long long>(sizeof(w));
}

int main() {
  return feature::compare<bases, recurring, inherited_constructor>();
}
