// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of these tests are PTX for NVIDIA's assembler, too.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

std::string findPtxas() {
  for (const char *candidate : {"ptxas", "/usr/local/cuda/bin/ptxas"})
    if (std::system(
            (std::string(candidate) + " --version >/dev/null 2>&1").c_str()) ==
        0)
      return candidate;
  return "";
}

TEST(Ptxas, AcceptsTheKernels) {
  const std::string ptxas = findPtxas();
  if (ptxas.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  for (const auto &entry :
       std::filesystem::directory_iterator(TESSERA_VGPU_KERNELS)) {
    if (entry.path().extension() != ".ptx")
      continue;
    const std::string command =
        ptxas + " -arch=sm_90a -o /dev/null '" + entry.path().string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
}

} // namespace
