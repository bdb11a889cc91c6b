// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/verbs/verbs.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>
#include <system_error>

namespace fs = std::filesystem;

namespace tessera::driver {

namespace {

constexpr std::string_view sourceTemplate =
    R"cpp(// @NAME@: y = a * x + y, on every device.

#include <tessera/tessera.h>

#include <cstdio>
#include <vector>

[[tessera::kernel]] void saxpy(float a, tessera::span<const float> x,
                               tessera::disjoint_span<float> y) {
  auto i = tessera::this_thread::index_1d();
  if (float *out = y.at(i))
    *out += a * x[i];
}

int main() {
  constexpr unsigned n = 1000;
  tessera::stream stream{tessera::device::best()};
  auto x = tessera::buffer<float>::from_host(stream, std::vector<float>(n, 1));
  auto y = tessera::buffer<float>::from_host(stream, std::vector<float>(n, 2));
  tessera::launch(stream, tessera::threads(n), saxpy, 3.0f, x, y);

  for (float value : y.to_host(stream))
    if (value != 5.0f) {
      std::printf("wrong: %f\n", value);
      return 1;
    }
  std::printf("%u elements are right\n", n);
}
)cpp";

constexpr std::string_view readmeTemplate = R"md(# @NAME@

    tessera run .                     # compile and run
    tessera build . -o @NAME@         # keep the program
    tessera inspect . --emit=ptx      # what the GPU gets
    tessera pipeline .                # every phase on the way there

`TESSERA_DEVICE=vgpu:0` runs it on the virtual GPU, `TESSERA_DEVICE=cuda:0` on
the first NVIDIA GPU.
)md";

std::string filledIn(std::string_view text, const std::string &name) {
  constexpr std::string_view mark = "@NAME@";
  std::string result(text);
  for (std::size_t at = 0; (at = result.find(mark, at)) != std::string::npos;
       at += name.size())
    result.replace(at, mark.size(), name);
  return result;
}

bool isNameCharacter(unsigned char c) {
  return std::isalnum(c) || c == '_' || c == '-' || c == '.';
}

Result<void> checkName(const std::string &name) {
  if (name.empty() || name.starts_with("-") || name.starts_with(".") ||
      !std::ranges::all_of(name, isNameCharacter))
    return fail("'" + name +
                    "' is no name for a program (letters, digits, '_', '-' "
                    "and '.')",
                exitUsage);
  return {};
}

Result<void> writeFile(const fs::path &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file)
    return fail("cannot write '" + path.string() +
                "': " + std::strerror(errno));
  return {};
}

} // namespace

Result<int> createProgram(const std::string &path) {
  fs::path folder = path;
  std::string name = folder.filename();
  if (Result<void> valid = checkName(name); !valid)
    return std::unexpected(valid.error());
  std::error_code error;
  if (fs::exists(folder, error))
    return fail("'" + path + "' exists already");
  if (!fs::create_directory(folder, error))
    return fail("cannot make the folder '" + path + "': " + error.message());
  for (const auto &[file, text] :
       {std::pair(name + ".cpp", sourceTemplate),
        std::pair(std::string("README.md"), readmeTemplate)})
    if (Result<void> written = writeFile(folder / file, filledIn(text, name));
        !written)
      return std::unexpected(written.error());
  std::cout << "made " << path << "; try: tessera run " << path << '\n';
  return 0;
}

} // namespace tessera::driver
