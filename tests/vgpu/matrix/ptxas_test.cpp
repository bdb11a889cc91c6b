// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of these tests are PTX for NVIDIA's assembler, too.

#include "cases.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace tessera::vgpu::test;

namespace {

class Ptxas : public testing::Test {
protected:
  void SetUp() override {
    for (const char *candidate : {"ptxas", "/usr/local/cuda/bin/ptxas"})
      if (std::system((std::string(candidate) + " --version >/dev/null 2>&1")
                          .c_str()) == 0) {
        ptxas = candidate;
        return;
      }
    GTEST_SKIP() << "no ptxas on this machine";
  }
  void assemble(const std::filesystem::path &file) const {
    const std::string command =
        ptxas + " -arch=sm_90a -O0 -o /dev/null '" + file.string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }

  std::string ptxas;
};

TEST_F(Ptxas, AcceptsTheFilesOfKernels) {
  for (const auto &entry :
       std::filesystem::directory_iterator(TESSERA_VGPU_KERNELS))
    assemble(entry.path());
}

TEST_F(Ptxas, AcceptsTheGeneratedKernels) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "matrix-kernels.ptx";
  std::ofstream text(file);
  text << moduleHead();
  for (const MmaCase &mma : mmaCases())
    text << mma.entry;
  for (const WmmaCase &wmma : wmmaCases())
    text << wmma.product.entry;
  text.close();
  assemble(file);
  std::filesystem::remove(file);
}

} // namespace
