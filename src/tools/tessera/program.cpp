// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/program.h"

#include "tools/tessera/suggest.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

constexpr std::array<std::string_view, 5> sourceExtensions = {
    ".cpp", ".cc", ".cxx", ".c++", ".C"};
constexpr std::array<std::string_view, 3> objectExtensions = {".o", ".a",
                                                              ".so"};

template <typename Range, typename Value>
bool contains(const Range &range, const Value &value) {
  return std::ranges::find(range, value) != std::ranges::end(range);
}

bool isSource(const fs::path &path) {
  return contains(sourceExtensions, path.extension().string());
}

bool isObject(const fs::path &path) {
  return contains(objectExtensions, path.extension().string());
}

bool isFolder(const fs::path &path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

Result<Program> programOfFolder(const fs::path &folder) {
  Program program;
  fs::path whole = fs::absolute(folder).lexically_normal();
  program.name =
      whole.has_filename() ? whole.filename() : whole.parent_path().filename();
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (isSource(entry.path()) && entry.is_regular_file(error))
      program.sources.push_back(entry.path());
  if (error)
    return fail("cannot read the folder '" + folder.string() +
                "': " + error.message());
  if (program.sources.empty())
    return fail("the folder '" + folder.string() +
                "' holds no C++ source (*.cpp)");
  std::ranges::sort(program.sources);
  return program;
}

Result<void> addFile(Program &program, const fs::path &file) {
  std::error_code error;
  fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    return fail("no such file: '" + file.string() + "'");
  if (fs::is_directory(status))
    return fail("'" + file.string() +
                "' is a folder; give one folder, or files");
  if (isSource(file))
    program.sources.push_back(file);
  else if (isObject(file))
    program.objects.push_back(file);
  else
    return fail("'" + file.string() +
                "' is neither a C++ source (.cpp, .cc, .cxx) nor an object, "
                "archive or shared library");
  return {};
}

Result<Program> programOfFiles(const std::vector<std::string> &words) {
  Program program;
  for (const std::string &word : words)
    if (Result<void> added = addFile(program, word); !added)
      return std::unexpected(added.error());
  if (program.sources.empty())
    return fail("no C++ source is given");
  program.name = program.sources.front().stem();
  return program;
}

} // namespace

Result<Program> resolveProgram(const std::vector<std::string> &words,
                               const Layout &layout) {
  if (words.size() != 1 || isSource(words[0]) || isObject(words[0]))
    return programOfFiles(words);
  const std::string &word = words[0];
  if (isFolder(word))
    return programOfFolder(word);
  std::vector<std::string> names = layout.exampleNames();
  if (contains(names, word))
    return programOfFolder(layout.examples / word);
  if (std::error_code ignored; fs::exists(word, ignored))
    return programOfFiles(words);
  return fail("there is no example, folder or file '" + word + "'" +
              didYouMean(word, names));
}

Result<void> checkOutput(const fs::path &output, const Program &program) {
  std::error_code error;
  fs::path folder = output.has_parent_path() ? output.parent_path() : ".";
  if (!fs::is_directory(folder, error))
    return fail("cannot write '" + output.string() + "': there is no folder '" +
                folder.string() + "'");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return fail("cannot write '" + output.string() + "': the folder '" +
                folder.string() + "' is not writable (-o names another place)");
  if (fs::is_directory(output, error))
    return fail("cannot write '" + output.string() +
                "': it is a folder (-o names another place)");
  for (const auto *inputs : {&program.sources, &program.objects})
    for (const fs::path &input : *inputs)
      if (fs::equivalent(input, output, error))
        return fail("the output '" + output.string() + "' is also an input");
  return {};
}

} // namespace tessera::driver
