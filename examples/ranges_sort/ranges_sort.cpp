// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ordinary C++20 in a kernel: std::array, std::sort, ranges and lambdas, with
// printf and assert from the standard library.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdio>
#include <ranges>
#include <string>
#include <vector>

#include <tessera/tessera.h>

constexpr std::size_t row_length = 24;

struct summary {
  int median;
  int sum_of_odd_squares;
  bool operator==(const summary &) const = default;
};

/// Sorts each row of `values` and sums it up; one thread for each row.
[[tessera::kernel]] void sort_rows(tessera::span<int> values,
                                   tessera::disjoint_span<summary> summaries) {
  const auto row = tessera::this_thread::index_1d();
  summary *out = summaries.at(row);
  if (!out)
    return;

  const auto place = values.subspan(row * row_length, row_length);
  std::array<int, row_length> sorted;
  std::ranges::copy(place, sorted.begin());
  std::sort(sorted.begin(), sorted.end(), [](int a, int b) { return a > b; });
  assert(std::ranges::is_sorted(sorted, std::greater{}));
  std::ranges::copy(sorted, place.begin());

  out->median = sorted[row_length / 2];
  out->sum_of_odd_squares = 0;
  for (int square : sorted | std::views::filter([](int x) {
                      return x % 2 != 0;
                    }) | std::views::transform([](int x) { return x * x; }))
    out->sum_of_odd_squares += square;

  if (row == 0)
    std::printf("device: row 0 runs from %d to %d\n", sorted.front(),
                sorted.back());
}

int main(int argc, char **argv) {
  const std::size_t rows = argc > 1 ? std::stoul(argv[1]) : 128;
  std::vector<int> values(rows * row_length);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int>(i * 2654435761 % 1009);

  tessera::stream s{tessera::device::best()};
  auto data = tessera::buffer<int>::from_host(s, values);
  tessera::buffer<summary> summaries(s, rows);
  tessera::launch(s, tessera::threads(rows, 64), sort_rows, data, summaries);
  const std::vector<int> result = data.to_host(s);
  const std::vector<summary> sums = summaries.to_host(s);

  for (std::size_t row = 0; row < rows; ++row) {
    const auto from = values.begin() + static_cast<long>(row * row_length);
    std::stable_sort(from, from + row_length, std::greater{});
    summary expected{from[row_length / 2], 0};
    for (std::size_t i = 0; i < row_length; ++i)
      if (from[i] & 1)
        expected.sum_of_odd_squares += from[i] * from[i];
    if (sums[row] != expected) {
      std::printf("ranges_sort: the summary of row %zu is wrong\n", row);
      return 1;
    }
  }
  if (result != values) {
    std::printf("ranges_sort: a row is in the wrong order\n");
    return 1;
  }
  std::printf("ranges_sort: %zu rows of %zu are sorted\n", rows, row_length);
}
