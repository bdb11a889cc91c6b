// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/native-compiler.h"
#include "vgpu/text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

using namespace tessera::vgpu;

namespace {

/// How long kernels run before the compiler is opened.
constexpr std::chrono::milliseconds patience(5);

constexpr char libraryName[] = "libtessera-jit.so";

/// Where the library may lie, the likeliest first.
std::vector<std::string> candidates(const NativeOptions &options) {
  if (!options.library.empty())
    return {options.library};
  std::vector<std::string> paths;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error)
    for (const char *folder : {".", "../lib", "../lib/tessera"})
      paths.push_back(program.parent_path() / folder / libraryName);
  paths.push_back(std::string(TESSERA_JIT_FOLDER) + "/" + libraryName);
  paths.emplace_back(libraryName);
  return paths;
}

/// The end of the process. What compilers do in the background outside their
/// library must not go on then, since static objects are destroyed; the library
/// itself has none that are (src/vgpu/jit/exit-handlers.cpp), so that nobody
/// waits for it.
class ProcessEnd {
public:
  /// To be called before work begins.
  static void watch() {
    static const int isWatched [[maybe_unused]] = std::atexit([] {
      const std::lock_guard lock(state().mutex);
      state().hasBegun = true;
    });
  }
  /// Runs `work` unless the process ends; whether it did.
  template <class Work> static bool unlessBegun(Work work) {
    const std::lock_guard lock(state().mutex);
    if (state().hasBegun)
      return false;
    work();
    return true;
  }

private:
  struct State {
    std::mutex mutex;
    bool hasBegun = false;
  };
  static State &state() {
    static auto *made = new State; // used until the very end
    return *made;
  }
};

const NativeLibrary *open(const std::string &path, std::string &problem) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    problem = dlerror();
    return nullptr;
  }
  const auto get = reinterpret_cast<NativeLibraryFunction>(
      dlsym(handle, nativeLibrarySymbol));
  const NativeLibrary *library = get ? get() : nullptr;
  if (library && library->stamp == nativeStamp())
    return library;
  problem = concat(path, " is of another version");
  return nullptr;
}

} // namespace

NativeCompiler::~NativeCompiler() {
  {
    const std::lock_guard lock(mutex);
    isStopping = true;
  }
  changed.notify_all();
  if (worker.joinable())
    worker.join();
}

std::vector<const Function *>
NativeCompiler::reachable(const Program &program, const Function &kernel) {
  std::vector<const Function *> found{&kernel};
  const auto add = [&](const Function &function) {
    if (!std::ranges::count(found, &function))
      found.push_back(&function);
  };
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const CallSite &site : found[i]->calls) {
      if (site.callee)
        add(*site.callee);
      else if (site.builtin == Builtin::none) // through a pointer
        for (const auto &function : program.functions)
          if (!function->ast->isEntry)
            add(*function);
    }
  return found;
}

const NativeLibrary *NativeCompiler::library() {
  std::call_once(opened, [this] {
    std::string problems;
    for (const std::string &path : candidates(options)) {
      std::string problem;
      found = open(path, problem);
      if (found)
        return;
      problems += concat("\n  ", problem);
    }
    if (options.isVerbose)
      std::fprintf(stderr,
                   "tessera: the virtual GPU interprets, because its "
                   "compiler was not found:%s\n",
                   problems.c_str());
  });
  return found;
}

void NativeCompiler::prepare(const std::shared_ptr<const Program> &program,
                             const Kernel &kernel, const LaunchConfig &config) {
  if (options.mode == NativeMode::off)
    return;
  const NativeShape shape = nativeShape(config);
  std::vector<Job> fresh;
  std::unique_lock lock(mutex);
  for (const Function *function : reachable(*program, *kernel.function))
    if (known.emplace(program->number, function->id, shape).second)
      fresh.push_back({program, function, shape});
  if (fresh.empty())
    return;
  ProcessEnd::watch();
  if (options.mode == NativeMode::sync) {
    lock.unlock();
    for (const Job &job : fresh)
      compile(job);
    return;
  }
  jobs.insert(jobs.end(), fresh.begin(), fresh.end());
  if (!worker.joinable())
    worker = std::thread([this] { work(); });
  lock.unlock();
  changed.notify_one();
}

void NativeCompiler::work() {
  std::unique_lock lock(mutex);
  // What is over soon needs no compiler.
  changed.wait_for(lock, patience, [this] { return isStopping; });
  for (;;) {
    changed.wait(lock, [this] { return isStopping || !jobs.empty(); });
    if (isStopping)
      return;
    const Job job = std::move(jobs.front());
    jobs.pop_front();
    lock.unlock();
    compile(job);
    lock.lock();
  }
}

void NativeCompiler::compile(const Job &job) {
  const NativeLibrary *compiler = library();
  if (!compiler)
    return;
  const auto begin = std::chrono::steady_clock::now();
  const std::lock_guard lock(installing);
  const Function &function = *job.function;
  std::shared_ptr<NativeCode> code;
  std::vector<NativeFacts> facts;
  const auto prepare = [&] {
    auto &all = job.program->nativeCode;
    all.resize(job.program->functions.size());
    if (!all[function.id])
      all[function.id] = std::make_shared<NativeCode>(function);
    code = all[function.id];
    facts = nativeFacts(function, *code);
  };
  if (!ProcessEnd::unlessBegun(prepare))
    return;
  NativeVersion version;
  std::string problem;
  const bool isMade = compiler->compile(
      {job.program.get(), &function, &facts, job.shape}, version, problem);
  const auto install = [&] {
    if (!isMade)
      return;
    function.native.store(code.get(), std::memory_order_release);
    code->install(function, job.shape, std::move(version));
  };
  if (!ProcessEnd::unlessBegun(install))
    return;
  if (!options.isVerbose)
    return;
  const std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr, "tessera: '%s' %s in %.1f ms%s%s\n",
               function.name.c_str(), isMade ? "compiled" : "stays interpreted",
               time.count(), isMade ? "" : ": ", problem.c_str());
}
