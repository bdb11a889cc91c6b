// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of boxes of tensors: PTX ISA 9.0, section 9.7.9.27, in tile mode.
// Loads read tensors that lie in the sources; stores and reductions change
// tensors that lie where the results go.

#include "async-body.h"
#include "form-builder.h"

#include <algorithm>
#include <array>
#include <string>

namespace tessera::conformance {

namespace {

using ptx::Type;

constexpr unsigned blockThreads = 64;
/// 8-byte words of a tensor that belong to a thread: 2 KB in all.
constexpr unsigned tensorWords = 4;

struct ElementInfo {
  tensor_element element;
  Type type;
  unsigned bytes;
};
constexpr ElementInfo elements[] = {
    // In the order of tensor_element.
    {tensor_element::u8, Type::u8, 1},   {tensor_element::u16, Type::u16, 2},
    {tensor_element::u32, Type::u32, 4}, {tensor_element::s32, Type::s32, 4},
    {tensor_element::u64, Type::u64, 8}, {tensor_element::s64, Type::s64, 8},
    {tensor_element::f16, Type::f16, 2}, {tensor_element::bf16, Type::bf16, 2},
    {tensor_element::f32, Type::f32, 4}, {tensor_element::f64, Type::f64, 8},
};
constexpr const ElementInfo &words = elements[2];

bool isFloating(const ElementInfo &info) {
  return info.element >= tensor_element::f16;
}

/// A box of a tensor.
struct Box {
  ElementInfo info = words;
  tensor_layout layout;
  std::array<int, max_tensor_rank> corner{};
  unsigned tileOffset = 0; ///< bytes, a multiple of 128
  std::string note;
};

unsigned bytesOf(const Box &box) {
  unsigned count = box.info.bytes;
  for (unsigned i = 0; i < box.layout.rank; ++i) {
    // The innermost dimension is copied whole.
    const unsigned step = i == 0 ? 1 : box.layout.element_strides[i];
    count *= (box.layout.box[i] + step - 1) / step;
  }
  return count;
}

/// Tensors of each rank that fit into 2 KB, with gaps between their rows.
Box boxOfRank(unsigned rank, const ElementInfo &info = words) {
  Box box;
  box.info = info;
  tensor_layout &layout = box.layout;
  layout.element = info.element;
  layout.rank = rank;
  const unsigned n = 16 / info.bytes; // Elements of 16 bytes.
  switch (rank) {
  case 1:
    layout.sizes = {120 * n};
    layout.box = {std::min(16 * n, 256u)};
    break;
  case 2:
    layout.sizes = {9 * n, 12};
    layout.strides = {160};
    layout.box = {4 * n, 8};
    break;
  case 3:
    layout.sizes = {3 * n, 5, 6};
    layout.strides = {64, 336};
    layout.box = {2 * n, 4, 3};
    break;
  case 4:
    layout.sizes = {2 * n, 3, 3, 4};
    layout.strides = {48, 160, 496};
    layout.box = {2 * n, 2, 2, 3};
    break;
  default:
    layout.sizes = {2 * n, 2, 3, 3, 3};
    layout.strides = {32, 80, 240, 720};
    layout.box = {2 * n, 2, 2, 2, 2};
    break;
  }
  return box;
}

/// Corners inside of the tensor, and outside on each side of each dimension.
std::vector<Box> placed(const Box &box) {
  std::vector<Box> boxes;
  const auto add = [&](const std::array<int, max_tensor_rank> &corner,
                       const std::string &note) {
    Box copy = box;
    copy.corner = corner;
    copy.note += (copy.note.empty() ? "" : ", ") + note;
    boxes.push_back(std::move(copy));
  };
  std::array<int, max_tensor_rank> inside{};
  for (unsigned i = 0; i < box.layout.rank; ++i)
    inside[i] = int(box.layout.sizes[i] - box.layout.box[i]);
  add(inside, "inside");
  for (unsigned i = 0; i < box.layout.rank; ++i) {
    std::array<int, max_tensor_rank> corner = inside;
    corner[i] = -1;
    add(corner, "before dimension " + std::to_string(i));
    corner[i] = int(box.layout.sizes[i]) - 1;
    add(corner, "past dimension " + std::to_string(i));
  }
  inside[0] = int(box.layout.sizes[0]) + 3;
  add(inside, "outside");
  return boxes;
}

std::string coordinates(const Box &box) {
  std::string list;
  for (unsigned i = 0; i < box.layout.rank; ++i)
    list += (i ? ", " : "{") + std::to_string(box.corner[i]);
  return "[map, " + list + "}]";
}

std::string dimensions(const Box &box) {
  return std::to_string(box.layout.rank) + "d";
}

std::string noteOf(const Box &box) {
  return std::string(ptx::spelling(box.info.type)) + ", " + box.note;
}

void addLoad(std::vector<Form> &forms, const Box &box, bool isMulticast = false,
             bool hasHint = false) {
  FormBuilder builder(
      forms, dotted({"cp.async.bulk.tensor", dimensions(box),
                     "shared::cluster.global.tile.mbarrier::complete_tx::bytes",
                     isMulticast ? "multicast::cluster" : "",
                     hasHint ? "L2::cache_hint" : ""}));
  AsyncBody body(builder, blockThreads, isMulticast ? 2 : 1);
  for (unsigned i = 0; i < tensorWords; ++i)
    builder.source(Type::b64);
  builder.copies({box.layout, false});
  body.begin(AsyncBody::Fill::pattern);
  body.expect(bytesOf(box));
  body.openIssue();
  std::vector<std::string> operands = {"[tile+" +
                                           std::to_string(box.tileOffset) + "]",
                                       coordinates(box), "[barrier]"};
  if (isMulticast)
    operands.emplace_back("3");
  if (hasHint)
    operands.emplace_back("policy");
  builder.instruction(operands);
  body.closeIssue();
  body.awaitBarrier();
  body.readTile();
  builder.finish(noteOf(box));
}

/// Writes the tensor's first values to where the results go.
void fillTensor(FormBuilder &builder, const Box &box) {
  const bool isTyped = box.info.bytes >= 4; // Halves are drawn as bits.
  const Type type = isTyped ? box.info.type : Type::b64;
  const unsigned bytes = isTyped ? box.info.bytes : 8;
  for (unsigned at = 0; at < 8 * tensorWords; at += bytes)
    builder.line("st.global." + std::string(ptx::spelling(registerType(type))) +
                 " [dst+" + std::to_string(at) + "], " + builder.source(type) +
                 ";");
}

/// A store, or with `reduction` a reduction.
void addStore(std::vector<Form> &forms, const Box &box,
              std::string_view reduction = "") {
  FormBuilder builder(forms,
                      dotted({reduction.empty() ? "cp.async.bulk.tensor"
                                                : "cp.reduce.async.bulk.tensor",
                              dimensions(box), "global.shared::cta", reduction,
                              "tile.bulk_group"}));
  AsyncBody body(builder, blockThreads);
  fillTensor(builder, box);
  builder.copies({box.layout, true});
  body.begin(AsyncBody::Fill::sources);
  body.openIssue();
  builder.instruction(
      {coordinates(box), "[tile+" + std::to_string(box.tileOffset) + "]"});
  body.awaitGroups();
  body.closeIssue();
  body.readBack(tensorWords);
  builder.finish(noteOf(box));
}

//===-- Which boxes -------------------------------------------------------===//

std::vector<Box> swizzledBoxes() {
  constexpr struct {
    tensor_swizzle swizzle;
    unsigned bytes;
  } swizzles[] = {{tensor_swizzle::bytes32, 32},
                  {tensor_swizzle::bytes64, 64},
                  {tensor_swizzle::bytes128, 128}};
  std::vector<Box> boxes;
  for (const auto &[swizzle, span] : swizzles)
    for (unsigned inner = 16; inner <= span; inner *= 2)
      for (unsigned offset : {0u, 128u}) {
        Box box = boxOfRank(2);
        box.layout.swizzle = swizzle;
        box.layout.box = {inner / 4, offset == 0 ? 8u : 7u};
        box.corner = {1, 2};
        box.tileOffset = offset;
        box.note = std::to_string(span) + "-byte swizzle, " +
                   std::to_string(inner) + " bytes a row" +
                   (offset ? ", second line" : "");
        boxes.push_back(std::move(box));
      }
  return boxes;
}

std::vector<Box> stridedBoxes() {
  std::vector<Box> boxes;
  const auto add = [&](unsigned rank,
                       const std::array<std::uint32_t, max_tensor_rank> &steps,
                       int y) {
    Box box = boxOfRank(rank);
    box.layout.element_strides = steps;
    box.corner = {0, y, 1};
    box.note = "element strides";
    for (unsigned i = 0; i < rank; ++i)
      box.note += " " + std::to_string(steps[i]);
    box.note += " at " + std::to_string(y);
    boxes.push_back(std::move(box));
  };
  for (int y : {-3, 0, 7}) {
    add(2, {1, 2, 1, 1, 1}, y);
    add(2, {1, 3, 1, 1, 1}, y);
    add(3, {1, 2, 2, 1, 1}, y);
  }
  return boxes;
}

/// An element stride of the innermost dimension, alone.
Box innerStride() {
  Box box = boxOfRank(2);
  box.layout.element_strides = {2, 1, 1, 1, 1};
  box.note = "element strides 2 1";
  return box;
}

void addLoads(std::vector<Form> &forms) {
  for (unsigned rank = 1; rank <= max_tensor_rank; ++rank)
    for (const Box &box : placed(boxOfRank(rank)))
      addLoad(forms, box);
  for (const ElementInfo &info : elements)
    for (tensor_fill fill : {tensor_fill::zero, tensor_fill::nan}) {
      if (fill == tensor_fill::nan && !isFloating(info))
        continue;
      Box box = boxOfRank(2, info);
      box.layout.fill = fill;
      box.corner = {-1, 5};
      box.note = fill == tensor_fill::nan ? "filled with NaN" : "filled with 0";
      addLoad(forms, box);
    }
  for (const Box &box : swizzledBoxes())
    addLoad(forms, box);
  for (const Box &box : stridedBoxes())
    addLoad(forms, box);
  addLoad(forms, innerStride());
  Box plain = boxOfRank(2);
  plain.note = "inside";
  addLoad(forms, plain, true);
  addLoad(forms, plain, false, true);
}

void addStores(std::vector<Form> &forms) {
  for (unsigned rank = 1; rank <= max_tensor_rank; ++rank)
    for (const Box &box : placed(boxOfRank(rank)))
      addStore(forms, box);
  for (const Box &box : swizzledBoxes())
    addStore(forms, box);
  for (const Box &box : stridedBoxes())
    addStore(forms, box);
  for (const ElementInfo &info : elements) {
    Box box = boxOfRank(2, info);
    box.corner = {-1, 5};
    box.note = "clipped";
    addStore(forms, box);
  }
}

struct Reduction {
  std::string_view name;
  std::vector<tensor_element> types;
};

/// What the PTX ISA has for elements of each type.
void addReductions(std::vector<Form> &forms) {
  using enum tensor_element;
  const std::vector<Reduction> reductions = {
      {"add", {u32, s32, u64, f16, bf16, f32}},
      {"min", {u32, s32, u64, s64, f16, bf16}},
      {"max", {u32, s32, u64, s64, f16, bf16}},
      {"inc", {u32}},
      {"dec", {u32}},
      {"and", {u32, u64}},
      {"or", {u32, u64}},
      {"xor", {u32, u64}}};
  for (const Reduction &reduction : reductions)
    for (tensor_element element : reduction.types) {
      Box box = boxOfRank(2, elements[unsigned(element)]);
      box.corner = {2, 7};
      box.note = "clipped";
      addStore(forms, box, reduction.name);
    }
}

} // namespace

void addTensorForms(std::vector<Form> &forms) {
  addLoads(forms);
  addStores(forms);
  addReductions(forms);
}

} // namespace tessera::conformance
