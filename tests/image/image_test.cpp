// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace {

using namespace tessera::image;
using testing::HasSubstr;

Image sample() {
  Image image;
  image.producer = "tessera 0.1.0";
  image.source = "saxpy.cpp";
  image.kernels.push_back(
      {.symbol = "_Z5saxpyf",
       .name = "saxpy<float>",
       .location = {"saxpy.cpp", 3, 9},
       .params = {{"a", "float", ParamKind::value, 4, 4, 0, 0},
                  {"x", "span<const float>", ParamKind::slice, 16, 8, 8, 4},
                  {"y", "float *", ParamKind::pointer, 8, 8, 24, 4}},
       .paramBytes = 32,
       .block = {128, 1, 1},
       .maxThreads = 128,
       .minBlocks = 2,
       .cluster = {2, 1, 1},
       .staticShared = 1024,
       .usesDynamicShared = true});
  image.kernels.push_back({.symbol = "empty", .name = "empty"});
  image.variables.push_back(
      {"table", "table", Space::constant, 64, 16, {"saxpy.cpp", 1, 1}});
  image.trapSites.push_back(
      {7, TrapKind::bounds, {"saxpy.cpp", 4, 20}, "x[i]", "saxpy"});
  image.trapSites.push_back({8, TrapKind::user, {}, "", ""});
  image.variants.push_back({{75, '\0'}, 64, ".version 6.4\n.target sm_75\n"});
  image.variants.push_back({{90, 'a'}, 80, ".version 8.0\n.target sm_90a\n"});
  return image;
}

/// Recomputes the checksum, so that a change reaches the checks behind it.
void seal(std::vector<std::byte> &bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i + 8 < bytes.size(); ++i)
    hash = (hash ^ std::to_integer<std::uint64_t>(bytes[i])) * 0x100000001b3;
  for (std::size_t i = 0; i != 8; ++i)
    bytes[bytes.size() - 8 + i] = std::byte(hash >> (8 * i));
}

std::string readError(const Image &image) {
  auto result = read(write(image));
  return result ? "" : result.error().message;
}

TEST(Image, RoundTrips) {
  const auto bytes = write(sample());
  auto back = read(bytes);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, sample());
  EXPECT_EQ(write(*back), bytes);
}

TEST(Image, EmptyRoundTrips) {
  auto back = read(write(Image{}));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, Image{});
}

TEST(Image, RandomImagesRoundTrip) {
  std::mt19937 random(1);
  auto text = [&] {
    std::string result(random() % 20, '\0');
    for (char &c : result)
      c = static_cast<char>(random());
    return result;
  };
  for (int round = 0; round != 200; ++round) {
    Image image{.producer = text(), .source = text()};
    for (unsigned i = 0, n = random() % 4; i != n; ++i) {
      Kernel kernel{.symbol = "k" + std::to_string(i), .name = text()};
      for (unsigned p = 0, count = random() % 5; p != count; ++p) {
        const std::uint32_t align = 1u << random() % 5;
        const std::uint32_t offset =
            (kernel.paramBytes + align - 1) / align * align;
        kernel.params.push_back({.name = text(),
                                 .size = std::uint32_t(random() % 100),
                                 .align = align,
                                 .offset = offset});
        kernel.paramBytes = offset + kernel.params.back().size;
      }
      image.kernels.push_back(std::move(kernel));
    }
    for (unsigned i = 0, n = random() % 4; i != n; ++i)
      image.trapSites.push_back(
          {i, TrapKind(random() % 7), {text(), 1, 2}, text(), text()});
    for (unsigned i = 0, n = random() % 3; i != n; ++i)
      image.variants.push_back(
          {{std::uint32_t(random() % 100), 'f'}, 80, text()});
    auto back = read(write(image));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, image);
  }
}

TEST(Image, EveryTruncationIsAnError) {
  const auto bytes = write(sample());
  for (std::size_t length = 0; length != bytes.size(); ++length) {
    auto result = read(std::span(bytes).first(length));
    ASSERT_FALSE(result) << length;
    EXPECT_FALSE(result.error().message.empty());
    EXPECT_LE(result.error().offset, length);
  }
}

TEST(Image, EveryChangedByteIsAnError) {
  const auto good = write(sample());
  for (std::size_t at = 0; at != good.size(); ++at)
    for (unsigned change : {0x01u, 0x80u, 0xffu}) {
      auto bytes = good;
      bytes[at] ^= std::byte(change);
      EXPECT_FALSE(read(bytes)) << "byte " << at;
    }
}

// With a checksum that agrees, only the checks of each field are left: bytes
// may then mean another image, which must be as good as any.
TEST(Image, EveryChangedByteWithAGoodChecksumIsAnErrorOrAnImage) {
  const auto good = write(sample());
  for (std::size_t at = 0; at + 8 < good.size(); ++at)
    for (unsigned value = 0; value < 256; value += 3) {
      auto bytes = good;
      bytes[at] = std::byte(value);
      seal(bytes);
      if (auto result = read(bytes))
        EXPECT_EQ(read(write(*result)).value(), *result) << "byte " << at;
    }
}

TEST(Image, RandomBytesAreAnError) {
  std::mt19937 random(2);
  const auto good = write(sample());
  for (int round = 0; round != 2000; ++round) {
    auto bytes = good;
    for (int i = 0; i != 8; ++i)
      bytes[12 + random() % (bytes.size() - 12)] = std::byte(random());
    bytes.resize(20 + random() % (bytes.size() - 20));
    seal(bytes);
    (void)read(bytes);
  }
}

TEST(Image, ErrorsNameWhatIsWrong) {
  EXPECT_THAT(read(std::vector<std::byte>(40)).error().message,
              HasSubstr("no Tessera image"));
  auto newer = write(sample());
  newer[8] = std::byte(200);
  seal(newer);
  EXPECT_THAT(read(newer).error().message, HasSubstr("version 200"));

  Image image = sample();
  image.kernels[1].symbol = image.kernels[0].symbol;
  EXPECT_THAT(readError(image), HasSubstr("'_Z5saxpyf' is there twice"));
  image = sample();
  image.trapSites[1].id = 7;
  EXPECT_THAT(readError(image), HasSubstr("trap site 7"));
  image = sample();
  image.kernels[0].params[1].offset = 0;
  EXPECT_THAT(readError(image),
              HasSubstr("'x' of kernel '_Z5saxpyf' overlaps"));
  image = sample();
  image.kernels[0].params[1].offset = 12;
  EXPECT_THAT(readError(image), HasSubstr("alignment of parameter 'x'"));
  image = sample();
  image.kernels[0].paramBytes = 30;
  EXPECT_THAT(readError(image), HasSubstr("outside the parameter block"));
  image = sample();
  image.kernels[0].params[2].size = 4;
  EXPECT_THAT(readError(image), HasSubstr("not that of its kind"));
  image = sample();
  image.variables[0].align = 3;
  EXPECT_THAT(readError(image), HasSubstr("'table' is no power of two"));
  image = sample();
  image.variants[0].arch.feature = 'x';
  EXPECT_THAT(readError(image), HasSubstr("feature letter"));
}

/// The sample with one more section.
std::vector<std::byte> withSection(std::string_view name, unsigned flags) {
  auto bytes = write(sample());
  ++reinterpret_cast<unsigned char &>(bytes[12]);
  std::string section(name);
  section += static_cast<char>(flags);
  section += std::string("\0\0\0\1\0\0\0\0\0\0\0x", 12);
  const auto raw = std::as_bytes(std::span(section));
  bytes.insert(bytes.end() - 8, raw.begin(), raw.end());
  seal(bytes);
  return bytes;
}

TEST(Image, UnknownSections) {
  auto optional = read(withSection("NEWS", 0));
  ASSERT_TRUE(optional) << optional.error().message;
  EXPECT_EQ(*optional, sample());
  EXPECT_THAT(read(withSection("NEWS", 1)).error().message,
              HasSubstr("section NEWS is not known"));
  EXPECT_THAT(read(withSection("NEWS", 2)).error().message,
              HasSubstr("section NEWS has unknown flags"));
  EXPECT_THAT(read(withSection("INFO", 1)).error().message,
              HasSubstr("section INFO is there twice"));
}

TEST(Image, FindsKernelsBySymbolThenName) {
  Image image = sample();
  EXPECT_EQ(image.findKernel("_Z5saxpyf"), &image.kernels[0]);
  EXPECT_EQ(image.findKernel("saxpy<float>"), &image.kernels[0]);
  EXPECT_EQ(image.findKernel("saxpy"), nullptr);
  image.kernels[0].name = "empty";
  EXPECT_EQ(image.findKernel("empty"), &image.kernels[1]);
  EXPECT_EQ(image.findTrapSite(8), &image.trapSites[1]);
  EXPECT_EQ(image.findTrapSite(9), nullptr);
}

TEST(Image, SelectsTheHighestVariantThatRuns) {
  Image image;
  image.variants = {{{75, '\0'}, 64, "a"},
                    {{90, '\0'}, 80, "b"},
                    {{90, 'a'}, 80, "c"},
                    {{80, '\0'}, 70, "d"}};
  auto selected = [&](Arch device) {
    const Variant *variant = image.selectVariant(device);
    return variant ? variant->ptx : "none";
  };
  EXPECT_EQ(selected({70, '\0'}), "none");
  EXPECT_EQ(selected({75, '\0'}), "a");
  EXPECT_EQ(selected({89, '\0'}), "d");
  EXPECT_EQ(selected({90, '\0'}), "b");
  EXPECT_EQ(selected({90, 'a'}), "c");
  EXPECT_EQ(selected({100, 'a'}), "b");
}

TEST(Image, ArchitecturesHaveNames) {
  EXPECT_EQ((Arch{90, 'a'}.str()), "sm_90a");
  EXPECT_EQ((Arch{75, '\0'}.str()), "sm_75");
}

} // namespace
