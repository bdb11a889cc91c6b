// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/process.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::driver;
using testing::HasSubstr;

namespace {

Command shell(const std::string &script) {
  return {.words = {"sh", "-c", script}, .environment = {}};
}

TEST(Process, PassesOnTheExitStatus) {
  ExitStatus status = runAndWait(shell("exit 7")).value();
  EXPECT_FALSE(status.succeeded());
  EXPECT_EQ(status.shellCode(), 7);
  EXPECT_EQ(status.describe(), "exit status 7");
  EXPECT_TRUE(runAndWait(shell("true")).value().succeeded());
}

TEST(Process, ReportsSignals) {
  ExitStatus status = runAndWait(shell("kill -SEGV $$")).value();
  EXPECT_EQ(status.signal, SIGSEGV);
  EXPECT_EQ(status.shellCode(), 128 + SIGSEGV);
  EXPECT_THAT(status.describe(), HasSubstr("signal 11 (Segmentation fault)"));
}

TEST(Process, AMissingProgramIsAnError) {
  Result<ExitStatus> status =
      runAndWait({.words = {"/no/such/program"}, .environment = {}});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message,
              testing::AllOf(HasSubstr("/no/such/program"),
                             HasSubstr("No such file or directory")));
}

TEST(Process, CapturesBothStreams) {
  CapturedOutput captured =
      runAndCapture(shell("echo out; echo err >&2; exit 3")).value();
  EXPECT_EQ(captured.output, "out\nerr\n");
  EXPECT_EQ(captured.status.code, 3);
}

TEST(Process, CapturesMoreThanAPipeHolds) {
  CapturedOutput captured =
      runAndCapture(shell("head -c 300000 /dev/zero")).value();
  EXPECT_EQ(captured.output.size(), 300000u);
}

TEST(Process, AddsToTheEnvironmentAndReplaces) {
  Command command = shell("echo \"$TESSERA_PROBE/$HOME\"");
  command.environment = {{"TESSERA_PROBE", "a b"}, {"HOME", "/elsewhere"}};
  EXPECT_EQ(runAndCapture(command).value().output, "a b//elsewhere\n");
}

TEST(Process, AnInterruptFromTheTerminalIsTheChilds) {
  // The child sends to both, as a terminal does; the driver goes on.
  ExitStatus status =
      runAndWait(shell("kill -INT $PPID; kill -INT $$")).value();
  EXPECT_EQ(status.signal, SIGINT);
}

TEST(Process, ARequestToEndIsPassedOn) {
  ExitStatus status =
      runAndWait(shell("kill -TERM $PPID; exec sleep 10")).value();
  EXPECT_EQ(status.signal, SIGTERM);
}

TEST(Process, QuotesForTheShell) {
  EXPECT_EQ(quoted({.words = {"clang++", "-DX=1", "a b", "it's", ""},
                    .environment = {{"V", "$x"}}}),
            R"(V='$x' clang++ -DX=1 'a b' 'it'\''s' '')");
}

TEST(Process, TheShellReadsQuotedWordsBack) {
  Command command{.words = {"printf", "%s|", "a'b", "$HOME", "\\", "*", "é"},
                  .environment = {}};
  EXPECT_EQ(runAndCapture(shell(quoted(command))).value().output,
            "a'b|$HOME|\\|*|é|");
}

} // namespace
