// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "guard/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace tessera;
using testing::HasSubstr;

constexpr const char *kernelPtx = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry scale(
  .param .f32 scale_param_0,
  .param .align 8 .b8 scale_param_1[16]
)
.reqntid 64
{
  .reg .b64 %rd<2>;
  ld.param.b64 %rd1, [scale_param_1];
  ret;
}
)";

/// An image whose table says about `kernelPtx` what is true.
image::Image matchingImage() {
  image::Kernel kernel;
  kernel.symbol = "scale";
  kernel.name = "scale<float>";
  kernel.location = {"scale.cpp", 3, 6};
  kernel.params = {
      {"factor", "float", image::ParamKind::value, 4, 4, 0, 0},
      {"out", "span<float>", image::ParamKind::slice, 16, 8, 8, 4}};
  kernel.paramBytes = 24;
  kernel.block = {64, 1, 1};
  image::Image image;
  image.kernels = {kernel};
  image.variants = {{{75, '\0'}, 70, kernelPtx}};
  return image;
}

guard::Report check(const image::Image &image) {
  return guard::check(image, image.variants.front());
}

TEST(Guard, AgreementHasNoFindings) {
  guard::Report report = check(matchingImage());
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.kernels, 1u);
  EXPECT_EQ(report.instructions, 2u);
}

TEST(Guard, MissingEntry) {
  image::Image image = matchingImage();
  image.kernels[0].symbol = "shift";
  guard::Report report = check(image);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].check, guard::Check::kernelTable);
  EXPECT_THAT(report.findings[0].message, HasSubstr("no entry 'shift'"));
  EXPECT_EQ(report.findings[0].location.line, 3u);
}

TEST(Guard, WrongParameterCount) {
  image::Image image = matchingImage();
  image.kernels[0].params.pop_back();
  guard::Report report = check(image);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].message,
              HasSubstr("1 parameters in the kernel table and 2 in the PTX"));
}

TEST(Guard, WrongParameterOffset) {
  image::Image image = matchingImage();
  image.kernels[0].params[1].offset = 4;
  guard::Report report = check(image);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].message,
              HasSubstr("parameter 'out' of kernel 'scale<float>' has 16 bytes "
                        "at offset 4 in the kernel table and 16 bytes at "
                        "offset 8 in the PTX"));
  EXPECT_EQ(report.findings[0].line, 6u);
}

TEST(Guard, WrongBlockShape) {
  image::Image image = matchingImage();
  image.kernels[0].block = {32, 2, 1};
  guard::Report report = check(image);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(
      report.findings[0].message,
      HasSubstr("(32, 2, 1) in the kernel table and (64, 1, 1) in the"));
}

TEST(Guard, TooMuchStaticSharedMemory) {
  image::Image image = matchingImage();
  image.kernels[0].staticShared = guard::maxStaticShared;
  EXPECT_TRUE(check(image).findings.empty());
  ++image.kernels[0].staticShared;
  guard::Report report = check(image);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].check, guard::Check::capacity);
  EXPECT_THAT(report.findings[0].message, HasSubstr("49153 bytes"));
}

TEST(Guard, TextThatIsNoPtx) {
  image::Image image = matchingImage();
  image.variants[0].ptx = ".version 7.0\n.target sm_75\n.entry {";
  guard::Report report = check(image);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].check, guard::Check::syntax);
  EXPECT_EQ(report.findings[0].line, 3u);
}

TEST(Guard, InvalidOperands) {
  image::Image image = matchingImage();
  std::string &ptx = image.variants[0].ptx;
  ptx.replace(ptx.find("ld.param.b64"), 12, "ld.param.b99");
  EXPECT_FALSE(check(image).findings.empty());
}

} // namespace
