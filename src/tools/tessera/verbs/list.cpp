// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/example_description.h"
#include "tools/tessera/verbs/verbs.h"

#include <algorithm>
#include <iostream>
#include <vector>

namespace tessera::driver {

Result<int> listExamples(const Layout &layout) {
  std::vector<std::string> names = layout.exampleNames();
  if (names.empty())
    return fail("there are no examples in '" + layout.examples.string() + "'");
  std::size_t width = std::ranges::max(names, {}, &std::string::size).size();
  for (const std::string &name : names)
    std::cout << name << std::string(width - name.size() + 2, ' ')
              << describeExample(layout.examples / name) << '\n';
  return 0;
}

} // namespace tessera::driver
