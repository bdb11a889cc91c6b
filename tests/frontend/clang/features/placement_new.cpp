// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// Objects made in storage of the thread.

#include "feature.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

struct item {
  explicit item(int i, int *alive) : value(i * 3), alive(alive) { ++*alive; }
  ~item() { --*alive; }
  int value;
  int *alive;
};

long long single(int i) {
  int alive = 0;
  alignas(item) std::byte storage[sizeof(item)];
  auto *x = new (storage) item(i, &alive);
  const int during = x->value * 10 + alive;
  x->~item();
  return during * 10 + alive;
}

/// A vector of bounded length.
template <class T, int Capacity> class small_vector {
public:
  ~small_vector() {
    while (size_ > 0)
      std::destroy_at(data() + --size_);
  }
  template <class... Args> T &emplace_back(Args &&...args) {
    return *std::construct_at(data() + size_++, std::forward<Args>(args)...);
  }
  T *begin() { return data(); }
  T *end() { return data() + size_; }

private:
  T *data() { return std::launder(reinterpret_cast<T *>(storage_)); }
  alignas(T) std::byte storage_[sizeof(T) * Capacity];
  int size_ = 0;
};

long long many(int i) {
  int alive = 0, sum = 0;
  {
    small_vector<item, 8> items;
    for (int k = 0; k < i % 9; ++k)
      items.emplace_back(k + i, &alive);
    for (const item &x : items)
      sum += x.value;
    sum = sum * 10 + alive;
  }
  return sum * 10 + alive;
}

int main() { return feature::compare<single, many>(); }
