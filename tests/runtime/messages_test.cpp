// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traps in words, errors, options, and tables made from PTX.

#include "runtime/kernel-table.h"
#include "runtime/options.h"
#include "runtime/trap-message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using namespace tessera;
using namespace tessera::runtime;
using image::TrapKind;
using testing::ElementsAre;
using testing::HasSubstr;

std::string trapText(TrapKind kind, std::string expression, std::uint64_t a = 0,
                     std::uint64_t b = 0) {
  image::Image image;
  image.trapSites.push_back({5, kind, {"f.cpp", 1, 2}, expression, "helper"});
  return describeTrap(image, {.valid = 1, .site = 5, .a = a, .b = b}, nullptr);
}

TEST(TrapMessage, EachKindHasItsWords) {
  const std::string end =
      " in function 'helper', block (0,0,0), thread (0,0,0)";
  EXPECT_EQ(trapText(TrapKind::bounds, "x[i]", 7, 5),
            "f.cpp:1:2: index 7 is out of range for a span of length 5 (x[i])" +
                end);
  EXPECT_EQ(trapText(TrapKind::bounds, "", ~0ull, 5),
            "f.cpp:1:2: index -1 is out of range for a span of length 5" + end);
  EXPECT_EQ(trapText(TrapKind::range, "", 9, 5),
            "f.cpp:1:2: a subspan up to element 9 exceeds a span of length 5" +
                end);
  EXPECT_EQ(trapText(TrapKind::assertion, "n > 0"),
            "f.cpp:1:2: assertion failed: n > 0" + end);
  EXPECT_THAT(trapText(TrapKind::unreachable, ""), HasSubstr("must not be"));
  EXPECT_THAT(trapText(TrapKind::exception, "bad()"), HasSubstr("(bad())"));
  EXPECT_THAT(trapText(TrapKind::alignment, "", 0xff, 16),
              HasSubstr("address 0xff is not aligned to 16 bytes"));
  EXPECT_EQ(trapText(TrapKind::user, "too deep"), "f.cpp:1:2: too deep" + end);
  EXPECT_EQ(trapText(TrapKind::user, ""), "f.cpp:1:2: trap" + end);
}

TEST(TrapMessage, NamesTheKernelWhereItIsKnown) {
  image::Image image;
  image.trapSites.push_back({1, TrapKind::user, {}, "stop", "f"});
  const image::TrapRecord record{
      .valid = 1, .site = 1, .block = {1, 2, 3}, .thread = {4, 5, 6}};
  image::Kernel kernel;
  kernel.name = "k<int>";
  EXPECT_EQ(describeTrap(image, record, &kernel),
            "stop in kernel 'k<int>', block (1,2,3), thread (4,5,6)");
  image.kernels.push_back(kernel);
  EXPECT_THAT(describeTrap(image, record, nullptr), HasSubstr("'k<int>'"));
  image.kernels.push_back(kernel);
  EXPECT_THAT(describeTrap(image, record, nullptr), HasSubstr("function 'f'"));
}

TEST(TrapMessage, UnknownSite) {
  EXPECT_THAT(describeTrap({}, {.valid = 1, .site = 77}, nullptr),
              HasSubstr("trap site 77, which the image does not describe"));
}

TEST(Options, ComeFromTheEnvironment) {
  setenv("TESSERA_DEVICE", "cuda:1", 1);
  setenv("TESSERA_QUIET", "1", 1);
  setenv("TESSERA_LIBCUDA", "/x/libcuda.so", 1);
  const Options set = Options::fromEnvironment();
  EXPECT_EQ(set.device, "cuda:1");
  EXPECT_TRUE(set.quiet);
  EXPECT_EQ(set.cudaLibrary, "/x/libcuda.so");
  setenv("TESSERA_QUIET", "0", 1);
  setenv("TESSERA_LIBCUDA", "", 1);
  unsetenv("TESSERA_DEVICE");
  const Options unset = Options::fromEnvironment();
  EXPECT_EQ(unset.device, "");
  EXPECT_FALSE(unset.quiet);
  EXPECT_EQ(unset.cudaLibrary, "libcuda.so.1");
}

TEST(Error, CopiesShareTheirParts) {
  const error original(error_kind::driver, "cuX", 3, "CUDA_ERROR_X",
                       std::source_location::current(), "bad");
  const error copy = original;
  EXPECT_STREQ(copy.what(), original.what());
  EXPECT_EQ(copy.message(), "bad");
  EXPECT_EQ(copy.api(), "cuX");
  EXPECT_THAT(copy.what(), HasSubstr("bad (cuX: CUDA_ERROR_X (3), at "));
  const error plain(error_kind::driver, "tessera::launch", 0, "", {}, "bad");
  EXPECT_STREQ(plain.what(), "bad (tessera::launch)");
}

constexpr const char *ptx = R"(
.version 7.8
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.shared .align 4 .b8 table[100];
.shared .align 4 .b8 unused[1000];
.func helper() {
  .reg .b32 %r<2>;
  .shared .align 4 .b8 inner[20];
  mov.u32 %r0, inner;
  mov.u32 %r1, dynamic;
  ret;
}
.visible .entry mixed(.param .u8 c, .param .align 8 .b8 pair[16],
                      .param .u64 .ptr .global .align 4 p, .param .f32 f)
.maxntid 128, 2, 1
.minnctapersm 3
{
  .reg .b32 %r<2>;
  ld.shared.u32 %r1, [table+4];
  call helper;
  ret;
}
.visible .entry fixed()
.reqntid 32, 4
{
  ret;
}
)";

TEST(KernelTable, IsReadFromDeclarations) {
  auto image = imageFromPtx(ptx, "x.ptx");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->source, "x.ptx");
  ASSERT_EQ(image->variants.size(), 1u);
  EXPECT_EQ(image->variants[0].arch, (image::Arch{90, 'a'}));
  EXPECT_EQ(image->variants[0].ptxVersion, 78u);
  EXPECT_EQ(image->variants[0].ptx, ptx);
  ASSERT_EQ(image->kernels.size(), 2u);

  const image::Kernel &mixed = image->kernels[0];
  EXPECT_EQ(mixed.symbol, "mixed");
  std::vector<std::uint32_t> offsets, sizes;
  for (const image::Param &param : mixed.params) {
    offsets.push_back(param.offset);
    sizes.push_back(param.size);
  }
  EXPECT_THAT(offsets, ElementsAre(0, 8, 24, 32));
  EXPECT_THAT(sizes, ElementsAre(1, 16, 8, 4));
  EXPECT_EQ(mixed.paramBytes, 36u);
  EXPECT_EQ(mixed.params[2].kind, image::ParamKind::pointer);
  EXPECT_EQ(mixed.maxThreads, 256u);
  EXPECT_EQ(mixed.minBlocks, 3u);
  EXPECT_EQ(mixed.staticShared, 120u);
  EXPECT_TRUE(mixed.usesDynamicShared);

  const image::Kernel &fixed = image->kernels[1];
  EXPECT_EQ(fixed.block, (image::Shape{32, 4, 1}));
  EXPECT_EQ(fixed.staticShared, 0u);
  EXPECT_FALSE(fixed.usesDynamicShared);
}

TEST(KernelTable, WrongPtxIsAnErrorWithItsPlace) {
  auto image = imageFromPtx(".version 7.0\n.target sm_75\n.entry {\n", "x.ptx");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, error_kind::invalid_module);
  EXPECT_THAT(image.error().message, HasSubstr("x.ptx:3:"));
}

} // namespace
