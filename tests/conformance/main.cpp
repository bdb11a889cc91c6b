// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction conformance suite.
//
//   conformance list [RECORDING]         all forms, and which are recorded
//   conformance record --out FILE [--note TEXT] [FORM…]
//                                        runs forms, writes the answers
//   conformance check RECORDING [FORM…]  runs forms, compares with the answers
//   conformance table RECORDING          the page docs/conformance.md
//   conformance ptx [FORM…]              the module that is run
//
// The device is the one that TESSERA_DEVICE names.

#include "compare.h"
#include "inputs.h"
#include "kernel-text.h"
#include "runner.h"
#include "table.h"

#include <tessera/runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <unistd.h>

using namespace tessera::conformance;

namespace {

int complain(const std::string &what) {
  std::fprintf(stderr, "conformance: %s\n", what.c_str());
  return 2;
}

using Forms = std::vector<const Form *>;

/// The forms of the given names; all without any. Empty when a name is unknown.
Forms chosenForms(const std::vector<std::string> &names) {
  Forms forms;
  for (const Form &form : allForms())
    if (names.empty() || std::ranges::find(names, form.name) != names.end())
      forms.push_back(&form);
  if (!names.empty() && forms.size() != names.size())
    forms.clear();
  return forms;
}

RunResult runShowingProgress(tessera::device on, const Forms &forms) {
  auto begin = std::chrono::steady_clock::now();
  bool isShown = isatty(STDERR_FILENO) != 0;
  RunResult result = runForms(on, forms, [&](std::size_t done) {
    if (isShown)
      std::fprintf(stderr, "%zu of %zu forms\r", done, forms.size());
  });
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr, "%zu of %zu forms in %.1f s\n", result.answers.size(),
               forms.size(), time.count());
  if (!result.failure.empty())
    std::fprintf(stderr, "conformance: the device failed: %s\n",
                 result.failure.c_str());
  return result;
}

std::string today() {
  std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
  return text;
}

//===-- Verbs -------------------------------------------------------------===//

int list(const std::vector<std::string> &arguments) {
  Recording recording;
  if (!arguments.empty()) {
    auto read = readRecording(arguments[0]);
    if (!read)
      return complain(read.error());
    recording = *std::move(read);
  }
  for (const Form &form : allForms()) {
    auto found = recording.answers.find(form.name);
    const Answer *answer =
        found == recording.answers.end() ? nullptr : &found->second;
    const char *state = !answer                                    ? "-"
                        : answer->fingerprint != fingerprint(form) ? "outdated"
                        : !answer->refusal.empty()                 ? "refused"
                                                                   : "recorded";
    std::printf("%-10s %s\n", state, form.name.c_str());
  }
  return 0;
}

int record(const std::vector<std::string> &arguments) {
  if (arguments.size() < 2 || arguments[0] != "--out")
    return complain("record needs --out FILE");
  const bool hasNote = arguments.size() >= 4 && arguments[2] == "--note";
  const Forms forms =
      chosenForms({arguments.begin() + (hasNote ? 4 : 2), arguments.end()});
  if (forms.empty())
    return complain("a form is unknown; 'list' lists them");
  auto on = tessera::device::best();
  const auto &properties = on.properties();
  RunResult result = runShowingProgress(on, forms);
  std::size_t refused = std::ranges::count_if(result.answers, [](auto &entry) {
    return !entry.second.refusal.empty();
  });
  for (const auto &[name, answer] : result.answers)
    if (!answer.refusal.empty())
      std::printf("refused: %s: %s\n", name.c_str(), answer.refusal.c_str());
  Recording recording;
  recording.header = {
      "What a device answers to tests/conformance.",
      "device: " + on.name() + " (" + on.arch() + ")",
      "driver: CUDA " + std::to_string(properties.driver_version / 1000) + "." +
          std::to_string(properties.driver_version % 1000 / 10),
      "date: " + today(),
      "forms: " + std::to_string(result.answers.size() - refused) +
          " answered, " + std::to_string(refused) + " refused"};
  if (hasNote)
    recording.header.insert(recording.header.end() - 1, arguments[3]);
  recording.answers = std::move(result.answers);
  if (auto written = writeRecording(arguments[1], recording); !written)
    return complain(written.error());
  std::printf("%s: %s\n", arguments[1].c_str(),
              recording.header.back().c_str());
  return result.failure.empty() ? 0 : 1;
}

void printWords(const char *what, const std::uint64_t *words,
                std::size_t count) {
  std::printf("  %s", what);
  for (std::size_t i = 0; i < count; ++i)
    std::printf(" %llx", static_cast<unsigned long long>(words[i]));
}

void printDifferences(const Form &form, const Comparison &comparison,
                      const Answer &recorded, const Answer &answer) {
  constexpr std::size_t most = 6;
  auto inputs = inputsOf(form);
  std::size_t sources = form.sources.size(), results = form.results.size();
  std::printf("%s: %zu of %u results differ\n", form.name.c_str(),
              comparison.threads.size(), threadsOf(form));
  for (std::size_t i = 0; i < std::min(most, comparison.threads.size()); ++i) {
    unsigned thread = comparison.threads[i];
    std::printf("  %3u:", thread);
    printWords("inputs", &inputs[thread * sources], sources);
    printWords("expected", &recorded.results[thread * results], results);
    printWords("got", &answer.results[thread * results], results);
    std::printf("\n");
  }
}

const Answer *answerOf(const std::map<std::string, Answer, std::less<>> &map,
                       const Form &form) {
  auto found = map.find(form.name);
  return found == map.end() ? nullptr : &found->second;
}

int check(const std::vector<std::string> &arguments) {
  if (arguments.empty())
    return complain("check needs a recording");
  auto recording = readRecording(arguments[0]);
  if (!recording)
    return complain(recording.error());
  Forms forms = chosenForms({arguments.begin() + 1, arguments.end()});
  if (forms.empty())
    return complain("a form of that name does not exist; see 'list'");
  RunResult result = runShowingProgress(tessera::device::best(), forms);
  std::size_t wrong = 0, right = 0, refused = 0, unrecorded = 0;
  bool isNamed = arguments.size() > 1;
  for (const Form *form : forms) {
    const Answer *recorded = answerOf(recording->answers, *form);
    const Answer *answer = answerOf(result.answers, *form);
    Comparison comparison = compare(*form, recorded, answer);
    switch (comparison.verdict) {
    case Verdict::matches:
      ++right;
      continue;
    case Verdict::refused:
      ++refused;
      continue;
    case Verdict::differs:
      printDifferences(*form, comparison, *recorded, *answer);
      break;
    case Verdict::notExecuted:
      std::printf("%s: not executed: %s\n", form->name.c_str(),
                  answer ? answer->refusal.c_str() : "the device failed");
      break;
    case Verdict::notRecorded:
      ++unrecorded;
      if (!isNamed)
        continue;
      std::printf("%s: not recorded\n", form->name.c_str());
      break;
    }
    ++wrong;
  }
  std::printf("%zu forms match, %zu do not; %zu were refused when recorded, "
              "%zu are not recorded\n",
              right, wrong, refused, unrecorded);
  return wrong == 0 ? 0 : 1;
}

int table(const std::vector<std::string> &arguments) {
  if (arguments.size() != 1)
    return complain("table needs a recording");
  auto recording = readRecording(arguments[0]);
  if (!recording)
    return complain(recording.error());
  RunResult result =
      runShowingProgress(tessera::device::best(), chosenForms({}));
  std::vector<Verdict> verdicts;
  for (const Form &form : allForms())
    verdicts.push_back(compare(form, answerOf(recording->answers, form),
                               answerOf(result.answers, form))
                           .verdict);
  std::fputs(conformancePage(recording->header, verdicts).c_str(), stdout);
  return 0;
}

int ptx(const std::vector<std::string> &names) {
  Forms forms = chosenForms(names);
  if (forms.empty())
    return complain("a form of that name does not exist; see 'list'");
  std::fputs(moduleText(forms).c_str(), stdout);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  struct Verb {
    const char *name;
    int (*run)(const std::vector<std::string> &);
  };
  constexpr Verb verbs[] = {{"list", list},
                            {"record", record},
                            {"check", check},
                            {"table", table},
                            {"ptx", ptx}};
  try {
    for (const Verb &verb : verbs)
      if (argc > 1 && std::strcmp(argv[1], verb.name) == 0)
        return verb.run({argv + 2, argv + argc});
  } catch (const tessera::error &problem) {
    return complain(problem.what());
  }
  return complain("usage: conformance list|record|check|table|ptx …");
}
