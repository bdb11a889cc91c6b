// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps and copies of boxes. What is expected is computed element by
// element from the definitions: an element's place in the box, exchanged as its
// swizzle says.

#include "harness.h"
#include "vgpu/async/tensor-map.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <ostream>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::HasSubstr;

namespace {

struct Case {
  TensorType type;
  std::uint32_t rank;
  std::array<std::uint64_t, 5> sizes;
  std::array<std::uint32_t, 5> box;
  std::array<std::int32_t, 5> at;
  TensorSwizzle swizzle = TensorSwizzle::none;
  TensorFill fill = TensorFill::zero;
  std::array<std::uint32_t, 5> elementStrides = {1, 1, 1, 1, 1};
};

std::ostream &operator<<(std::ostream &to, const Case &c) {
  to << "type " << int(c.type) << " swizzle " << int(c.swizzle) << " box";
  for (std::uint32_t i = 0; i < c.rank; ++i)
    to << ' ' << c.box[i] << '@' << c.at[i];
  return to;
}

/// What is copied in, out and added.
std::vector<Case> cases() {
  return {Case{TensorType::u32, 1, {100}, {32}, {90}},
          Case{TensorType::u32, 1, {100}, {32}, {-5}},
          Case{TensorType::u32, 2, {20, 10}, {8, 4}, {4, 3}},
          Case{TensorType::u32, 2, {20, 10}, {8, 4}, {16, 8}},
          Case{TensorType::u32, 2, {20, 10}, {8, 4}, {-3, -2}},
          Case{TensorType::u32, 2, {20, 10}, {8, 4}, {100, 100}},
          Case{TensorType::u32,
               2,
               {40, 40},
               {8, 32},
               {3, 5},
               TensorSwizzle::bytes32},
          Case{TensorType::u32,
               2,
               {40, 40},
               {16, 32},
               {30, 20},
               TensorSwizzle::bytes64},
          Case{TensorType::u32,
               2,
               {40, 40},
               {32, 32},
               {-7, -1},
               TensorSwizzle::bytes128},
          Case{TensorType::f16,
               2,
               {70, 70},
               {64, 64},
               {9, 9},
               TensorSwizzle::bytes128,
               TensorFill::nan},
          Case{TensorType::f64,
               2,
               {9, 9},
               {4, 4},
               {7, 7},
               TensorSwizzle::none,
               TensorFill::nan},
          Case{TensorType::u8, 2, {50, 9}, {16, 4}, {33, 2}},
          Case{TensorType::f32, 3, {12, 6, 5}, {8, 3, 2}, {6, 4, 4}},
          Case{TensorType::bf16,
               4,
               {24, 4, 3, 3},
               {16, 2, 2, 2},
               {-8, 3, -1, 2},
               TensorSwizzle::bytes32},
          Case{TensorType::u16,
               5,
               {16, 3, 3, 2, 3},
               {8, 2, 2, 2, 2},
               {12, -1, 2, 1, 2}},
          Case{TensorType::u32,
               2,
               {40, 40},
               {16, 8},
               {5, 30},
               TensorSwizzle::none,
               TensorFill::zero,
               {2, 3, 1, 1, 1}}};
}

std::vector<Case> casesIf(bool (*wanted)(const Case &)) {
  std::vector<Case> some;
  std::ranges::copy_if(cases(), std::back_inserter(some), wanted);
  return some;
}

std::uint64_t roundUp(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

class TensorCopies : public VgpuTest, public testing::WithParamInterface<Case> {
protected:
  TensorCopies() : module(load("tensor.ptx")) {
    const Case &c = GetParam();
    size = elementBytes(c.type);
    layout = {.type = c.type,
              .swizzle = c.swizzle,
              .fill = c.fill,
              .rank = c.rank,
              .sizes = c.sizes,
              .box = c.box,
              .elementStrides = c.elementStrides};
    std::uint64_t stride = c.sizes[0] * size;
    for (std::uint32_t i = 0; i + 1 < c.rank; ++i) {
      stride = roundUp(stride, 16);
      layout.strides[i] = stride;
      stride *= c.sizes[i + 1];
    }
    tensor.resize(stride);
    std::uint32_t state = 1;
    for (std::byte &byte : tensor)
      byte = std::byte((state = state * 1664525 + 1013904223) >> 24);
    layout.address = upload(tensor);

    boxBytes = size;
    for (std::uint32_t i = 0; i < c.rank; ++i)
      boxBytes *= count(i);
  }

  [[nodiscard]] std::uint32_t count(std::uint32_t dim) const {
    const std::uint32_t step = dim == 0 ? 1 : layout.elementStrides[dim];
    return (layout.box[dim] + step - 1) / step;
  }

  /// Calls `visit(place, offset)` for each element: where it lies in shared
  /// memory, and in the tensor; a negative offset is out of bounds.
  template <class Visit> void forEach(Visit visit) const {
    const Case &c = GetParam();
    std::uint32_t linear = 0;
    std::array<std::uint32_t, 5> i{};
    for (i[4] = 0; i[4] < (c.rank > 4 ? count(4) : 1); ++i[4])
      for (i[3] = 0; i[3] < (c.rank > 3 ? count(3) : 1); ++i[3])
        for (i[2] = 0; i[2] < (c.rank > 2 ? count(2) : 1); ++i[2])
          for (i[1] = 0; i[1] < (c.rank > 1 ? count(1) : 1); ++i[1])
            for (i[0] = 0; i[0] < count(0); ++i[0]) {
              std::int64_t offset = 0;
              bool inside = true;
              for (std::uint32_t d = 0; d < c.rank; ++d) {
                const std::int64_t at =
                    c.at[d] +
                    std::int64_t(i[d]) * (d == 0 ? 1 : c.elementStrides[d]);
                inside = inside && at >= 0 && at < std::int64_t(c.sizes[d]);
                offset += at * std::int64_t(d ? layout.strides[d - 1] : size);
              }
              visit(place(linear++ * size), inside ? offset : -1);
            }
  }

  /// The dynamic shared memory begins at a multiple of 1024.
  [[nodiscard]] std::uint32_t place(std::uint32_t byte) const {
    const std::uint32_t chunk = byte / 16, line = byte / 128;
    std::uint32_t flip = 0;
    switch (layout.swizzle) {
    case TensorSwizzle::none:
      break;
    case TensorSwizzle::bytes32:
      flip = line % 2;
      break;
    case TensorSwizzle::bytes64:
      flip = line % 4;
      break;
    case TensorSwizzle::bytes128:
      flip = line % 8;
      break;
    }
    return (chunk ^ flip) * 16 + byte % 16;
  }

  struct Params {
    alignas(64) std::array<std::byte, tensorMapBytes> map;
    std::array<std::int32_t, 5> at;
    std::uint32_t bytes;
    std::uint64_t buffer;
  };
  void run(const std::string &kernel, std::uint64_t buffer) {
    const auto map = encodeTensorMap(layout);
    ASSERT_TRUE(map) << map.error().message();
    Arguments arguments;
    arguments.add(Params{*map, GetParam().at, boxBytes, buffer});
    arguments.bytes.resize(offsetof(Params, buffer) + sizeof(std::uint64_t));
    auto done = device.launch(
        module, kernel,
        {.grid = {1, 1, 1}, .block = {1, 1, 1}, .dynamicShared = boxBytes},
        arguments.bytes);
    ASSERT_TRUE(done) << done.error().message();
  }

  Module module;
  TensorMapLayout layout;
  std::vector<std::byte> tensor;
  std::uint32_t size = 0, boxBytes = 0;
};

/// Of two dimensions.
class TensorStores : public TensorCopies {};
/// Of two dimensions of u32.
class TensorSums : public TensorCopies {};

} // namespace

TEST_P(TensorCopies, Load) {
  const std::uint64_t out = upload(std::vector<std::byte>(boxBytes));
  run("load" + std::to_string(layout.rank), out);
  std::vector<std::byte> expected(boxBytes);
  const std::uint64_t nan = nanBits(layout.type);
  forEach([&](std::uint32_t place, std::int64_t offset) {
    if (offset >= 0)
      std::memcpy(&expected[place], &tensor[std::size_t(offset)], size);
    else if (layout.fill == TensorFill::nan)
      std::memcpy(&expected[place], &nan, size);
  });
  EXPECT_EQ(download<std::byte>(out, boxBytes), expected);
}

TEST_P(TensorStores, Store) {
  std::vector<std::byte> box(boxBytes);
  for (std::size_t i = 0; i < box.size(); ++i)
    box[i] = std::byte(i * 7 + i / 256);
  run("store2", upload(box));
  std::vector<std::byte> expected = tensor;
  forEach([&](std::uint32_t place, std::int64_t offset) {
    if (offset >= 0)
      std::memcpy(&expected[std::size_t(offset)], &box[place], size);
  });
  EXPECT_EQ(download<std::byte>(layout.address, tensor.size()), expected);
}

TEST_P(TensorSums, Add) {
  std::vector<std::uint32_t> box(boxBytes / 4);
  for (std::size_t i = 0; i < box.size(); ++i)
    box[i] = std::uint32_t(i * 1000003);
  run("add2", upload(box));
  std::vector<std::uint32_t> expected(tensor.size() / 4);
  std::memcpy(expected.data(), tensor.data(), tensor.size());
  forEach([&](std::uint32_t place, std::int64_t offset) {
    if (offset >= 0)
      expected[std::size_t(offset) / 4] += box[place / 4];
  });
  EXPECT_EQ(download<std::uint32_t>(layout.address, expected.size()), expected);
}

INSTANTIATE_TEST_SUITE_P(Boxes, TensorCopies, testing::ValuesIn(cases()));
INSTANTIATE_TEST_SUITE_P(Boxes, TensorStores,
                         testing::ValuesIn(casesIf([](const Case &c) {
                           return c.rank == 2;
                         })));
INSTANTIATE_TEST_SUITE_P(Boxes, TensorSums,
                         testing::ValuesIn(casesIf([](const Case &c) {
                           return c.rank == 2 && c.type == TensorType::u32;
                         })));

namespace {

TensorMapLayout goodLayout() {
  return {.type = TensorType::f32,
          .rank = 2,
          .address = 4096,
          .sizes = {64, 64},
          .strides = {256},
          .box = {32, 32}};
}

std::string problemOf(const TensorMapLayout &layout) {
  const auto map = encodeTensorMap(layout);
  return map ? "none" : map.error().message();
}

} // namespace

TEST(TensorMap, KeepsItsLayout) {
  TensorMapLayout layout = goodLayout();
  layout.swizzle = TensorSwizzle::bytes128;
  layout.fill = TensorFill::nan;
  layout.elementStrides = {2, 2, 1, 1, 1};
  const auto map = encodeTensorMap(layout);
  ASSERT_TRUE(map);
  const auto again = decodeTensorMap(*map);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->sizes[0], 64u);
  EXPECT_EQ(again->strides[0], 256u);
  EXPECT_EQ(again->box[1], 32u);
  EXPECT_EQ(again->elementStrides[0], 1u); // it is ignored
  EXPECT_EQ(again->elementStrides[1], 2u);
  EXPECT_EQ(again->swizzle, TensorSwizzle::bytes128);
  EXPECT_EQ(again->fill, TensorFill::nan);
}

TEST(TensorMap, SaysWhatIsWrong) {
  EXPECT_EQ(problemOf(goodLayout()), "none");
  const auto check = [](auto change, const char *message) {
    TensorMapLayout layout = goodLayout();
    change(layout);
    EXPECT_THAT(problemOf(layout), HasSubstr(message));
  };
  check([](auto &l) { l.rank = 0; }, "a tensor of 0 dimensions");
  check([](auto &l) { l.rank = 6; }, "a tensor of 6 dimensions");
  check([](auto &l) { l.address = 8; }, "not a multiple of 16");
  check([](auto &l) { l.sizes[1] = 0; }, "dimension 1 of a tensor has 0");
  check([](auto &l) { l.strides[0] = 24; }, "a stride of 24 bytes");
  check([](auto &l) { l.box[1] = 257; }, "dimension 1 of a box has 257");
  check([](auto &l) { l.box[0] = 3; }, "takes 12 bytes, which is not");
  check([](auto &l) { l.swizzle = TensorSwizzle::bytes64; },
        "takes 128 bytes, more than its swizzle of 64");
  check([](auto &l) { l.elementStrides[0] = 9; }, "an element stride of 9");
  check(
      [](auto &l) {
        l.type = TensorType::s32;
        l.fill = TensorFill::nan;
      },
      "only floating-point tensors");
}

TEST(TensorMap, OtherBytesAreNone) {
  const std::array<std::byte, tensorMapBytes> zeros{};
  const auto map = decodeTensorMap(zeros);
  ASSERT_FALSE(map);
  EXPECT_THAT(map.error(), HasSubstr("no tensor map of this device"));
}
