// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each file in `planted/` is a kernel with a bug in it. Lines that end with
// `//bug` belong to that version, lines that end with `//fix` to the corrected
// one. The tool that it names must find the bug; on the corrected version all
// tools are silent.
//
//   // tool: racecheck
//   // expect: race in shared memory       part of the finding's text
//   // grid: 1   block: 64   cluster: 1   shared: 0
//
// The kernel is called `planted`; its two parameters are buffers of 4096 words:
// the first one is full of ones, the second one has never been written.

#include "harness.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::HasSubstr;

namespace {

constexpr std::size_t words = 4096;

struct Case {
  std::string name, tool, expected, bug, fix;
  LaunchConfig config;
};

std::ostream &operator<<(std::ostream &to, const Case &planted) {
  return to << planted.name;
}

/// The version of which lines with `other` at their end are no part.
std::string without(const std::string &text, std::string_view other) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line); result += '\n')
    if (!line.ends_with(other))
      result += line;
  return result;
}

std::string directive(const std::string &text, const std::string &name) {
  const std::string mark = "// " + name + ": ";
  const std::size_t at = text.find(mark);
  if (at == text.npos)
    return {};
  const std::size_t begin = at + mark.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::uint32_t number(const std::string &text, const std::string &name,
                     std::uint32_t otherwise) {
  const std::string word = directive(text, name);
  return word.empty() ? otherwise : std::uint32_t(std::stoul(word));
}

Case readCase(const std::filesystem::path &path) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  Case planted{.name = path.stem().string(),
               .tool = directive(text, "tool"),
               .expected = directive(text, "expect"),
               .bug = without(text, "//fix"),
               .fix = without(text, "//bug"),
               .config = {}};
  planted.config.grid.x = number(text, "grid", 1);
  planted.config.block.x = number(text, "block", 32);
  planted.config.dynamicShared = number(text, "shared", 0);
  if (const std::uint32_t blocks = number(text, "cluster", 0))
    planted.config.cluster = {blocks, 1, 1};
  return planted;
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const auto &entry :
       std::filesystem::directory_iterator(TESSERA_PLANTED_BUGS))
    if (entry.path().extension() == ".ptx")
      cases.push_back(readCase(entry.path()));
  std::ranges::sort(cases, {}, &Case::name);
  return cases;
}

class Planted : public testing::TestWithParam<Case> {
protected:
  static Result<void> run(CheckedDevice &on, const std::string &ptx) {
    const std::uint64_t in = on.upload(words);
    const std::uint64_t out = on.allocate(words * 4);
    auto result = on.run(ptx, "planted", GetParam().config, {in, out});
    EXPECT_TRUE(on.device.free(in) && on.device.free(out));
    on.checks->finish();
    return result;
  }
};

} // namespace

TEST_P(Planted, IsFoundByItsTool) {
  const Case &planted = GetParam();
  const auto tools = check::toolsNamed(planted.tool);
  ASSERT_TRUE(tools) << planted.tool;
  ASSERT_NE(planted.bug, planted.fix);
  CheckedDevice device(*tools);
  const auto result = run(device, planted.bug);
  if (!result)
    EXPECT_NE(result.error().kind, FaultKind::invalidPtx)
        << result.error().message();
  const std::string report = device.report();
  EXPECT_THAT(report, HasSubstr(planted.expected));
  EXPECT_THAT(report, HasSubstr("PTX line"));
}

TEST_P(Planted, CorrectedIsSilent) {
  CheckedDevice device;
  const auto result = run(device, GetParam().fix);
  EXPECT_TRUE(result) << result.error().message();
  EXPECT_EQ(device.report(), "");
}

INSTANTIATE_TEST_SUITE_P(Bugs, Planted, testing::ValuesIn(allCases()),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(PlantedSuite, HasEnoughBugsOfEachKind) {
  for (const char *tool : {"memcheck", "racecheck"})
    EXPECT_GE(std::ranges::count(allCases(), tool, &Case::tool), 10) << tool;
}
