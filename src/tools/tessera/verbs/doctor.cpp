// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/compiler.h"
#include "tools/tessera/gpu.h"
#include "tools/tessera/process.h"
#include "tools/tessera/temp_folder.h"
#include "tools/tessera/verbs/verbs.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

/// One line of the report.
struct Check {
  std::string what;
  bool present = false;
  std::string detail;    ///< what was found, or why it was not
  std::string remedy;    ///< the command that mends it
  bool optional = false; ///< things work without it
};

std::string aptInstall(const std::string &packages) {
  return "apt-get install " + packages;
}

Check checkCompiler() {
  Check check{.what = "clang++ 22", .remedy = aptInstall("clang-22")};
  Result<Compiler> compiler = findCompiler({});
  check.present = compiler.has_value();
  check.detail = compiler ? compiler->version + ", " + compiler->path
                          : compiler.error().message;
  return check;
}

/// `folder` is where Debian's LLVM keeps what is not on the loader's path.
Check checkSharedLibrary(const char *what, const fs::path &folder,
                         const char *name, const char *package) {
  Check check{.what = what, .remedy = aptInstall(package)};
  std::string path = (folder / name).string();
  void *library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  check.present = library != nullptr;
  check.detail = library ? path : dlerror();
  if (library)
    dlclose(library);
  return check;
}

/// The command that makes a file of ours again.
std::string rebuild(const Layout &layout, const std::string &target) {
  if (layout.isBuildTree())
    return "cmake --build " + layout.buildRoot.string() + " --target " + target;
  return "install Tessera again: " + layout.plugin.parent_path().string() +
         " is incomplete";
}

Check checkFile(const std::string &what, const fs::path &path,
                std::string remedy) {
  std::error_code ignored;
  return {.what = what,
          .present = fs::exists(path, ignored),
          .detail = path.string(),
          .remedy = std::move(remedy)};
}

/// Lets clang load the plugin, all its symbols included: that it exists is not
/// enough.
Check checkPlugin(const Layout &layout) {
  Check check =
      checkFile("plugin", layout.plugin, rebuild(layout, "tessera-plugin"));
  Result<Compiler> compiler = findCompiler({});
  if (!check.present || !compiler)
    return check;
  Result<CapturedOutput> loaded = runAndCapture(
      {.words = {compiler->path, "-fplugin=" + layout.plugin.string(),
                 "-fsyntax-only", "-x", "c++", "/dev/null"},
       .environment = {{"LD_BIND_NOW", "1"}}});
  check.present = loaded && loaded->status.succeeded();
  if (!check.present)
    check.detail = "clang cannot load it: " +
                   (loaded ? loaded->output.substr(0, loaded->output.find('\n'))
                           : loaded.error().message);
  return check;
}

Check checkDeviceMath() {
  std::optional<fs::path> file = findDeviceMath();
  return {.what = "libclc",
          .present = file.has_value(),
          .detail = file ? file->string() : "device mathematics: not found",
          .remedy = aptInstall("libclc-22")};
}

Check checkTemporaryFolder() {
  Result<TempFolder> folder = TempFolder::create();
  return {.what = "temporary folder",
          .present = folder.has_value(),
          .detail = folder ? folder->path().parent_path().string()
                           : folder.error().message,
          .remedy = "export TMPDIR=<a writable folder>"};
}

Check checkGpu() {
  Result<Gpu> gpu = findGpu();
  return {.what = "GPU",
          .present = gpu.has_value(),
          .detail = gpu ? gpu->name + ", CUDA driver " + gpu->driverVersion
                        : gpu.error().message,
          .remedy = "programs run on the virtual GPU",
          .optional = true};
}

Check checkAssembler() {
  Check check{.what = "ptxas",
              .detail = "not on PATH",
              .remedy = "tests that assemble PTX are skipped",
              .optional = true};
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::error_code ignored;
        fs::exists(fs::path(folder) / "ptxas", ignored))
      return {.what = "ptxas",
              .present = true,
              .detail = (fs::path(folder) / "ptxas").string(),
              .remedy = {},
              .optional = true};
  return check;
}

/// The packages that a build needs: the first word of each line.
std::vector<std::string> readPackages(const fs::path &list) {
  std::vector<std::string> packages;
  std::ifstream file(list);
  for (std::string line; std::getline(file, line);)
    if (std::string name; std::istringstream(line) >> name && name[0] != '#')
      packages.push_back(name);
  return packages;
}

/// The packages of the list that dpkg does not know as installed; nothing on a
/// machine without dpkg.
std::optional<std::vector<std::string>>
missingPackages(const std::vector<std::string> &packages) {
  Command query{
      .words = {"dpkg-query", "-W", "-f=${db:Status-Status} ${Package}\\n"},
      .environment = {}};
  query.words.insert(query.words.end(), packages.begin(), packages.end());
  Result<CapturedOutput> answer = runAndCapture(query);
  if (!answer)
    return std::nullopt;
  std::set<std::string> installed;
  std::istringstream lines(answer->output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("installed "))
      installed.insert(line.substr(std::string_view("installed ").size()));
  std::vector<std::string> missing;
  for (const std::string &package : packages)
    if (!installed.contains(package))
      missing.push_back(package);
  return missing;
}

Check checkPackages(const Layout &layout) {
  Check check{.what = "packages", .present = true};
  std::vector<std::string> packages =
      readPackages(layout.sourceRoot / "cmake/packages.txt");
  std::optional<std::vector<std::string>> missing = missingPackages(packages);
  if (!missing) {
    check.detail = "not a Debian machine: not checked";
    return check;
  }
  std::string names;
  for (const std::string &package : *missing)
    names += (names.empty() ? "" : " ") + package;
  check.present = names.empty();
  check.detail = names.empty() ? "all " + std::to_string(packages.size()) +
                                     " of the build are installed"
                               : "of the build: " + names;
  check.remedy = aptInstall(names);
  return check;
}

std::vector<Check> allChecks(const Layout &layout) {
  std::vector<Check> checks = {
      checkCompiler(),
      checkSharedLibrary("LLVM", TESSERA_LLVM_LIBDIR, "libLLVM.so.22.1",
                         "libllvm22"),
      checkSharedLibrary("MLIR", TESSERA_LLVM_LIBDIR, "libMLIR.so.22.1",
                         "libmlir-22"),
      checkPlugin(layout),
      checkFile("runtime", layout.runtime, rebuild(layout, "tessera-runtime")),
      checkFile("headers", layout.include / "tessera/tessera.h",
                layout.isBuildTree() ? "git checkout -- include"
                                     : rebuild(layout, {})),
      checkDeviceMath(),
      checkTemporaryFolder(),
  };
  if (layout.isBuildTree())
    checks.push_back(checkPackages(layout));
  checks.push_back(checkGpu());
  checks.push_back(checkAssembler());
  return checks;
}

void print(const Check &check) {
  const char *mark = check.present    ? "ok       "
                     : check.optional ? "optional "
                                      : "MISSING  ";
  std::cout << mark << check.what << ": " << check.detail << '\n';
  if (!check.present)
    std::cout << "         -> " << check.remedy << '\n';
}

} // namespace

Result<int> examineMachine(const Layout &layout) {
  int missing = 0;
  for (const Check &check : allChecks(layout)) {
    print(check);
    missing += !check.present && !check.optional;
  }
  if (missing == 0) {
    std::cout << "Everything that is needed is there.\n";
    return 0;
  }
  std::cout << (missing == 1 ? "One thing is"
                             : std::to_string(missing) + " things are")
            << " missing.\n";
  return exitFailure;
}

} // namespace tessera::driver
