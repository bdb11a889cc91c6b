// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %tessera-cxx %s -o %t && %t
//
// std::string_view and string literals.

#include "feature.h"

#include <string_view>

constexpr std::string_view names[] = {"zero", "one", "two", "three", "four"};

long long literals(int i) {
  const char *text = i % 2 != 0 ? "odd" : "even number";
  long long result = 0;
  for (; *text != '\0'; ++text)
    result = result * 31 + *text;
  return result;
}
long long views(int i) {
  const std::string_view name = names[i % 5];
  return static_cast<long long>(name.size()) * 1000 + name[name.size() - 1] +
         name.starts_with('t') + name.ends_with("ee") + (name == "two");
}
long long searches(int i) {
  std::string_view text = "a kernel, a warp, a block";
  text.remove_prefix(static_cast<std::size_t>(i % 8));
  const auto comma = text.find(',');
  return static_cast<long long>(comma) * 100 +
         static_cast<long long>(text.rfind('a')) +
         (text.substr(comma + 2, 6) == "a warp") + (text.compare("kernel") > 0);
}

int main() { return feature::compare<literals, views, searches>(); }
