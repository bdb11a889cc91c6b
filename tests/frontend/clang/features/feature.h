// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of this folder share: functions that run on the device and,
// as the expectation, on the host.

#ifndef TESSERA_TESTS_FEATURE_H
#define TESSERA_TESTS_FEATURE_H

#include <cstddef>
#include <cstdio>
#include <iostream>
#include <utility>
#include <vector>

#include <tessera/tessera.h>

namespace feature {

/// Threads that run each function: two warps and a part of a third.
inline constexpr int threads = 80;

template <auto Function>
[[tessera::kernel]] void call(tessera::disjoint_span<long long> results) {
  const auto i = tessera::this_thread::index_1d();
  if (long long *result = results.at(i))
    *result = Function(static_cast<int>(i));
}

/// Runs `Function(i)` for i = 0 … threads - 1 on the device and on the host;
/// says where they first differ.
template <auto Function> bool agrees(tessera::stream &s, int number) {
  tessera::buffer<long long> results(s, threads);
  tessera::launch(s, tessera::threads(threads, 64), call<Function>, results);
  const std::vector<long long> device = results.to_host(s);
  for (int i = 0; i < threads; ++i)
    if (const long long host = Function(i);
        device[static_cast<std::size_t>(i)] != host) {
      std::printf("function %d of the test, argument %d: the device says %lld, "
                  "the host %lld\n",
                  number, i, device[static_cast<std::size_t>(i)], host);
      return false;
    }
  return true;
}

/// The exit code of a test: 0 when device and host agree on all `Functions`,
/// each of which takes an int and returns an integer.
template <auto... Functions> int compare() {
  tessera::stream s;
  int number = 0;
  bool good = true;
  ((good = agrees<Functions>(s, ++number) && good), ...);
  return good ? 0 : 1;
}

/// What `kernel(out, args...)` leaves in an array of `size` zeros.
template <class T, class... Params, class... Args>
std::vector<T> output_of(tessera::stream &s, std::size_t size,
                         const tessera::launch_config &config,
                         void (*kernel)(Params...), Args &&...args) {
  auto out = tessera::buffer<T>::zeroed(s, size);
  tessera::launch(s, config, kernel, out, std::forward<Args>(args)...);
  return out.to_host(s);
}

/// Whether the arrays are equal; says where they first differ.
template <class T>
bool expect(const std::vector<T> &got, const std::vector<T> &expected,
            const char *what) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (got[i] != expected[i]) {
      std::cout << what << ": element " << i << " is " << got[i] << ", not "
                << expected[i] << '\n';
      return false;
    }
  return true;
}

} // namespace feature

#endif // TESSERA_TESTS_FEATURE_H
