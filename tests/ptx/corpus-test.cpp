// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX that compilers made from small programs: it must be read, be valid, and
// print to the same module.

#include "ptx/printer.h"
#include "ptx/validator.h"
#include "support.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tessera::ptx;

namespace {

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto &entry :
       std::filesystem::directory_iterator(TESSERA_PTX_CORPUS))
    if (entry.path().extension() == ".ptx")
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string contentsOf(const std::filesystem::path &path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class Corpus : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Corpus, IsReadValidAndPrintedBack) {
  std::string text = contentsOf(GetParam());
  auto module = parse(text);
  ASSERT_TRUE(module) << module.error()[0].render(text, GetParam().string());
  EXPECT_FALSE(module->functions.empty());
  for (const Diagnostic &diagnostic : validate(*module))
    ADD_FAILURE() << diagnostic.render(text, GetParam().string());
  std::string printed = print(*module);
  auto again = parse(printed);
  ASSERT_TRUE(again) << again.error()[0].render(printed, "printed");
  EXPECT_TRUE(*module == *again);
}

TEST_P(Corpus, EveryTruncationIsHandled) {
  std::string text = contentsOf(GetParam());
  std::size_t step = std::max<std::size_t>(1, text.size() / 40);
  for (std::size_t size = 0; size < text.size(); size += step)
    if (auto module = parse(std::string_view(text).substr(0, size)))
      EXPECT_TRUE(parse(print(*module)));
}

INSTANTIATE_TEST_SUITE_P(Files, Corpus, testing::ValuesIn(corpus()),
                         [](const auto &info) {
                           std::string name = info.param.stem().string();
                           std::ranges::replace_if(
                               name,
                               [](unsigned char c) { return !std::isalnum(c); },
                               '_');
                           return name;
                         });

} // namespace
