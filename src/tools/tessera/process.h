// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Child processes, without a shell. Not thread-safe: one foreground child at a
// time, as the driver needs.

#ifndef TESSERA_TOOLS_TESSERA_PROCESS_H
#define TESSERA_TOOLS_TESSERA_PROCESS_H

#include "tools/tessera/error.h"

#include <string>
#include <utility>
#include <vector>

namespace tessera::driver {

/// A program with its arguments. `words[0]` is a path, or a name that is
/// looked up on PATH.
struct Command {
  std::vector<std::string> words;
  /// Variables that the child gets in addition to the driver's environment.
  std::vector<std::pair<std::string, std::string>> environment;
};

/// The command as one line that a POSIX shell reads back as the same words.
std::string quoted(const Command &command);

/// How a child ended.
struct ExitStatus {
  int code = 0;   ///< its exit status; meaningless when `signal` is set
  int signal = 0; ///< the signal that ended it, or 0

  bool succeeded() const { return signal == 0 && code == 0; }
  /// The status that a shell would report: 128 + n for signal n.
  int shellCode() const { return signal ? 128 + signal : code; }
  /// "exit status 3" or "signal 11 (Segmentation fault)".
  std::string describe() const;
};

/// Starts a program with the driver's standard streams and waits for it. An
/// interrupt from the terminal reaches the child alone, so that the driver can
/// still clean up; SIGTERM and SIGHUP are passed on. Fails when the program
/// cannot be started.
Result<ExitStatus> runAndWait(const Command &command);

struct CapturedOutput {
  ExitStatus status;
  std::string output; ///< standard output followed, in order, by standard error
};

/// As runAndWait, but collects what the program prints.
Result<CapturedOutput> runAndCapture(const Command &command);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_PROCESS_H
