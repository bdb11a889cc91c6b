// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/example_description.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace tessera::driver;

namespace {

std::string describe(const char *text) {
  std::istringstream stream(text);
  return describeSource(stream);
}

TEST(ExampleDescription, IsTheFirstSentenceAfterTheLicence) {
  EXPECT_EQ(describe("// SPDX-License-Identifier: X\n//\n"
                     "// Adds two arrays of\n// any length. And more.\n\n"
                     "#include <x>\n"),
            "Adds two arrays of any length");
}

TEST(ExampleDescription, EndsAtAColon) {
  EXPECT_EQ(describe("// A stencil: it reads\n"), "A stencil");
}

TEST(ExampleDescription, IsEmptyWithoutAComment) {
  EXPECT_EQ(describe("#include <x>\n// not this\n"), "");
  EXPECT_EQ(describe(""), "");
}

TEST(ExampleDescription, DoesNotReadOnAfterTheComment) {
  EXPECT_EQ(describe("// Short.\n\n// Another comment.\n"), "Short");
}

} // namespace
