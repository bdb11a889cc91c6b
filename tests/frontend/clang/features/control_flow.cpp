// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// goto, switch with fall through, loops of every kind.

#include "feature.h"

long long gotos(int i) {
  int steps = 0;
again:
  if (i != 1) {
    i = i <= 0 ? 1 : i % 2 == 0 ? i / 2 : 3 * i + 1;
    ++steps;
    if (steps > 200)
      goto out;
    goto again;
  }
out:
  return steps;
}
long long switches(int i) {
  int result = 0;
  switch (const int k = i % 7; k) {
  case 0:
    result += 1;
    [[fallthrough]];
  case 1:
  case 2:
    result += 10;
    break;
  case 5:
    return -k;
  default:
    result += 100;
    [[fallthrough]];
  case 3:
    result += 1000;
  }
  return result;
}
long long loops(int i) {
  int result = 0;
  for (int a = 0; a < 6; ++a) {
    int b = a;
    while (true) {
      if (++b % 3 == 0)
        break;
      if (b % 2 == 0)
        continue;
      do
        result += a * b;
      while (--b > 4);
      if (result > 50 * i)
        goto done;
      break;
    }
  }
done:
  return result;
}
long long into_the_middle(int i) { // Duff's device
  int count = i, sum = 0, passes = (count + 3) / 4;
  if (count == 0)
    return 0;
  switch (count % 4) {
  case 0:
    do {
      sum += count--;
      [[fallthrough]];
    case 3:
      sum += 2 * count--;
      [[fallthrough]];
    case 2:
      sum += 3 * count--;
      [[fallthrough]];
    case 1:
      sum += 5 * count--;
    } while (--passes > 0);
  }
  return sum;
}
long long short_circuit(int i) {
  int calls = 0;
  auto call = [&](bool value) {
    ++calls;
    return value;
  };
  const bool result = (call(i % 2 == 0) && call(i % 3 == 0)) ||
                      (call(i % 5 == 0), !call(i % 7 == 0));
  return calls * 2 + result;
}

int main() {
  return feature::compare<gotos, switches, loops, into_the_middle,
                          short_circuit>();
}
