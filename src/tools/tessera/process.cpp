// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/process.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tessera::driver {

namespace {

/// The child that SIGTERM and SIGHUP are passed on to; 0 when there is none.
std::atomic<pid_t> foregroundChild = 0;
static_assert(std::atomic<pid_t>::is_always_lock_free,
              "signal handlers may only touch lock-free atomics");

void passOn(int signal) {
  if (pid_t child = foregroundChild.load(); child > 0)
    kill(child, signal);
}

/// While a child runs: the terminal's interrupts are the child's, requests to
/// end are passed on. Requests that come before the child is known wait until
/// it is. Puts the former dispositions back at the end.
class SignalGuard {
public:
  SignalGuard() {
    sigset_t requests;
    sigemptyset(&requests);
    sigaddset(&requests, SIGTERM);
    sigaddset(&requests, SIGHUP);
    sigprocmask(SIG_BLOCK, &requests, &formerMask);
    for (std::size_t i = 0; i < signals.size(); ++i) {
      struct sigaction action = {};
      bool fromTerminal = signals[i] == SIGINT || signals[i] == SIGQUIT;
      action.sa_handler = fromTerminal ? SIG_IGN : passOn;
      sigemptyset(&action.sa_mask);
      action.sa_flags = SA_RESTART;
      sigaction(signals[i], &action, &former[i]);
    }
  }
  ~SignalGuard() {
    foregroundChild = 0;
    sigprocmask(SIG_SETMASK, &formerMask, nullptr);
    for (std::size_t i = 0; i < signals.size(); ++i)
      sigaction(signals[i], &former[i], nullptr);
  }
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

  void watch(pid_t child) {
    foregroundChild = child;
    sigprocmask(SIG_SETMASK, &formerMask, nullptr);
  }

  /// What a child must get back: its signals' default actions, unless the
  /// driver itself was started with them ignored (nohup), and the mask.
  void restoreIn(posix_spawnattr_t &attributes) const {
    sigset_t defaults;
    sigemptyset(&defaults);
    for (std::size_t i = 0; i < signals.size(); ++i)
      if (former[i].sa_handler != SIG_IGN)
        sigaddset(&defaults, signals[i]);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &formerMask);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }

private:
  static constexpr std::array signals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> former = {};
  sigset_t formerMask = {};
};

/// The driver's environment with the command's additions in front; the first
/// entry of a name wins, so the driver's own of that name is left out.
std::vector<std::string> childEnvironment(const Command &command) {
  std::vector<std::string> entries;
  for (const auto &[name, value] : command.environment)
    entries.push_back(name + "=" + value);
  for (char **entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    std::string_view name = text.substr(0, text.find('='));
    bool replaced =
        std::ranges::any_of(command.environment, [&](const auto &addition) {
          return addition.first == name;
        });
    if (!replaced)
      entries.emplace_back(text);
  }
  return entries;
}

std::vector<char *> pointersTo(std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts the program; the guard then passes signals on to it.
Result<pid_t> spawn(const Command &command, SignalGuard &guard,
                    std::optional<int> outputDescriptor) {
  std::vector<std::string> words = command.words;
  std::vector<std::string> variables = childEnvironment(command);
  std::vector<char *> argv = pointersTo(words);
  std::vector<char *> envp = pointersTo(variables);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  guard.restoreIn(attributes);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (outputDescriptor) {
    posix_spawn_file_actions_adddup2(&actions, *outputDescriptor,
                                     STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, *outputDescriptor,
                                     STDERR_FILENO);
  }

  pid_t child = 0;
  int code = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(),
                          envp.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (code != 0)
    return fail("cannot start '" + command.words[0] +
                "': " + std::strerror(code));
  guard.watch(child);
  return child;
}

Result<ExitStatus> waitFor(pid_t child) {
  // The child is left unreaped until no signal can be passed on to it: its
  // number could by then be another process's.
  siginfo_t info = {};
  while (waitid(P_PID, child, &info, WEXITED | WNOWAIT) < 0)
    if (errno != EINTR)
      return fail(std::string("cannot wait for a child process: ") +
                  std::strerror(errno));
  foregroundChild = 0;
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return ExitStatus{.signal = WTERMSIG(status)};
  return ExitStatus{.code = WEXITSTATUS(status)};
}

bool isPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("_-./=+:,@%^").contains(c);
}

std::string quotedWord(const std::string &word) {
  if (!word.empty() && std::ranges::all_of(word, isPlain))
    return word;
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

} // namespace

std::string quoted(const Command &command) {
  std::string line;
  for (const auto &[name, value] : command.environment)
    line += name + "=" + quotedWord(value) + " ";
  for (const std::string &word : command.words)
    line += quotedWord(word) + " ";
  if (!line.empty())
    line.pop_back();
  return line;
}

std::string ExitStatus::describe() const {
  if (signal == 0)
    return "exit status " + std::to_string(code);
  return "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

Result<ExitStatus> runAndWait(const Command &command) {
  SignalGuard guard;
  Result<pid_t> child = spawn(command, guard, std::nullopt);
  if (!child)
    return std::unexpected(child.error());
  return waitFor(*child);
}

Result<CapturedOutput> runAndCapture(const Command &command) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(std::string("cannot make a pipe: ") + std::strerror(errno));
  SignalGuard guard;
  Result<pid_t> child = spawn(command, guard, ends[1]);
  close(ends[1]);
  if (!child) {
    close(ends[0]);
    return std::unexpected(child.error());
  }
  CapturedOutput captured;
  std::array<char, 4096> chunk;
  while (true) {
    ssize_t count = read(ends[0], chunk.data(), chunk.size());
    if (count > 0)
      captured.output.append(chunk.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
      break;
  }
  close(ends[0]);
  Result<ExitStatus> status = waitFor(*child);
  if (!status)
    return std::unexpected(status.error());
  captured.status = *status;
  return captured;
}

} // namespace tessera::driver
