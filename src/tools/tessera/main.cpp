// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver. It compiles nothing itself: it finds the plugin and the runtime,
// composes clang's command line, waits, and runs what came out.

#include "tools/tessera/builder.h"
#include "tools/tessera/command_line.h"
#include "tools/tessera/layout.h"
#include "tools/tessera/verbs/verbs.h"

#include <exception>
#include <iostream>
#include <variant>

namespace {

using namespace tessera::driver;

Result<int> perform(const Invocation &invocation, const Layout &layout) {
  switch (invocation.verb) {
  case Verb::run:
    return runProgram(invocation, layout);
  case Verb::build:
    return buildProgram(invocation, layout);
  case Verb::inspect:
    return inspectProgram(invocation, layout);
  case Verb::pipeline:
    return showPipeline(invocation, layout);
  case Verb::list:
    return listExamples(layout);
  case Verb::create:
    return createProgram(invocation.name);
  case Verb::doctor:
    return examineMachine(layout);
  case Verb::clean:
    return removeBuild(layout);
  case Verb::ptx:
    return runPtx(invocation.ptx);
  case Verb::test:
    return runTests(invocation.filter, layout);
  }
  return fail("unknown verb", exitUsage);
}

Result<int> drive(const std::vector<std::string> &words) {
  auto read = readCommandLine({words.begin() + 1, words.end()});
  if (!read)
    return std::unexpected(read.error());
  if (const auto *information = std::get_if<Information>(&*read)) {
    std::cout << information->text;
    return 0;
  }
  const auto &invocation = std::get<Invocation>(*read);
  Result<Layout> layout = Layout::ofThisProgram();
  if (!layout)
    return std::unexpected(layout.error());
  announce(invocation.compile, 'A', {.words = words, .environment = {}});
  return perform(invocation, *layout);
}

} // namespace

int main(int argc, char **argv) {
  try {
    Result<int> status = drive({argv, argv + argc});
    if (status)
      return *status;
    std::cerr << "tessera: error: " << status.error().message << '\n';
    return status.error().exitCode;
  } catch (const std::exception &failure) {
    std::cerr << "tessera: error: " << failure.what() << '\n';
    return exitFailure;
  }
}
