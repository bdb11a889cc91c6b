// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions of one warp: ldmatrix, stmatrix, mma.sync. PTX ISA 9.0,
// section 9.7.14.

#include "form-builder.h"

#include <charconv>
#include <optional>

namespace tessera::conformance {

namespace {

using ptx::Type;

//===-- ldmatrix, stmatrix ------------------------------------------------===//

/// The cell of each lane is a row.
void addMatrixTransfers(std::vector<Form> &forms) {
  for (std::string_view space : {"", "shared", "shared::cta"})
    for (std::string_view trans : {"", "trans"})
      for (unsigned count : {1u, 2u, 4u}) {
        std::string suffixes =
            dotted({"sync.aligned.m8n8", "x" + std::to_string(count), trans,
                    space, "b16"});
        FormBuilder load(forms, "ldmatrix." + suffixes);
        load.uses(Cell::shared);
        for (std::string_view place : {"[cell]", "[cell+8]"})
          load.line("st.shared.b64 " + std::string(place) + ", " +
                    load.source(Type::b64) + ";");
        load.line("bar.warp.sync 0xffffffff;");
        std::string address = "cell";
        if (space.empty()) {
          address = "any";
          load.line(".reg .b64 any;").line("cvt.u64.u32 any, cell;");
          load.line("cvta.shared.u64 any, any;");
        }
        load.instruction(
            {load.fragment(Type::b32, count), "[" + address + "]"});
        load.finish();

        FormBuilder store(forms, "stmatrix." + suffixes);
        store.uses(Cell::shared);
        store.line("st.shared.b64 [cell], 0;")
            .line("st.shared.b64 [cell+8], 0;");
        store.line("bar.warp.sync 0xffffffff;");
        if (space.empty()) {
          store.line(".reg .b64 any;").line("cvt.u64.u32 any, cell;");
          store.line("cvta.shared.u64 any, any;");
        }
        store.instruction(
            {"[" + address + "]", store.elements(Type::b32, count, Type::b16)});
        store.line("bar.warp.sync 0xffffffff;");
        for (std::string_view place : {"[cell]", "[cell+8]"})
          store.line("ld.shared.b64 " + store.result(Type::b64) + ", " +
                     std::string(place) + ";");
        store.finish();
      }
}

void addTranspose(std::vector<Form> &forms) {
  FormBuilder builder(forms, "movmatrix.sync.aligned.m8n8.trans.b16");
  std::string to = builder.result(Type::b32);
  builder.instruction({to, builder.source(Type::b32)});
  builder.finish();
}

//===-- mma ---------------------------------------------------------------===//

struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
};

/// Of "m16n8k4".
std::optional<MatrixShape> shapeOf(const ptx::Mnemonic &mnemonic) {
  std::string_view text =
      ptx::spelling(mnemonic.find(ptx::ModifierGroup::shape));
  MatrixShape shape;
  for (auto [letter, number] :
       {std::pair{'m', &shape.m}, {'n', &shape.n}, {'k', &shape.k}}) {
    if (!text.starts_with(letter))
      return std::nullopt;
    text.remove_prefix(1);
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), *number);
    if (error != std::errc())
      return std::nullopt;
    text.remove_prefix(std::size_t(end - text.data()));
  }
  return shape;
}

/// The register of a fragment, and how many a lane has of them.
struct Fragment {
  Type type;
  unsigned count;
};

Fragment fragmentOf(Type element, unsigned rows, unsigned columns) {
  unsigned bits = ptx::bitWidth(element) * rows * columns / 32;
  if (element == Type::f64)
    return {Type::f64, bits / 64};
  if (element == Type::f32)
    return {Type::f32, bits / 32};
  return {Type::b32, bits / 32};
}

/// What the rows allow and the manual does not: a result that is not the
/// accumulator's type, factors of different widths, integers at the wrong k.
bool isPossible(const ptx::Mnemonic &mnemonic, const MatrixShape &shape) {
  Type d = mnemonic.type(0), a = mnemonic.type(1), b = mnemonic.type(2),
       c = mnemonic.type(3);
  bool isVolta = shape.k == 4 && a == Type::f16;
  if (d != c && !(isVolta && d == Type::f32))
    return false;
  if (ptx::bitWidth(a) != ptx::bitWidth(b))
    return false;
  if (d != Type::s32 || a == Type::b1)
    return true;
  unsigned leastK = ptx::bitWidth(a) == 4 ? 32 : 16;
  return shape.k == leastK || (shape.m == 16 && shape.k == 2 * leastK);
}

/// E4M3 and E5M2 began with m16n8k32 and single precision.
bool isLaterFp8(const ptx::Mnemonic &mnemonic, const MatrixShape &shape) {
  bool isFp8 = mnemonic.type(1) == Type::e4m3 || mnemonic.type(1) == Type::e5m2;
  return isFp8 && (shape.k == 16 || mnemonic.type(0) == Type::f16);
}

void addProduct(std::vector<Form> &forms, const ptx::Mnemonic &mnemonic) {
  auto shape = shapeOf(mnemonic);
  if (!shape || !isPossible(mnemonic, *shape))
    return;
  auto [m, n, k] = *shape;
  // m8n8k4 of f16 multiplies four pairs of matrices.
  if (k == 4 && mnemonic.type(1) == Type::f16)
    m *= 4, n *= 4;
  bool isFour = m == 32;
  auto accumulator = [&](Type type) {
    return fragmentOf(type, m, isFour ? 8 : n);
  };
  Type types[] = {mnemonic.type(0), mnemonic.type(1), mnemonic.type(2),
                  mnemonic.type(3)};
  FormBuilder builder(forms, mnemonic.str());
  auto sources = [&](Fragment fragment, Type element) {
    return builder.elements(fragment.type, fragment.count, element);
  };
  Fragment result = accumulator(types[0]);
  std::string d = builder.fragment(result.type, result.count);
  std::string a = sources(fragmentOf(types[1], m, k), types[1]);
  std::string b = sources(fragmentOf(types[2], k, n), types[2]);
  std::string c = sources(accumulator(types[3]), types[3]);
  builder.instruction({d, a, b, c});
  if (isLaterFp8(mnemonic, *shape))
    builder.needsVersion(87);
  builder.finish();
}

} // namespace

void addMatrixForms(std::vector<Form> &forms) {
  addMatrixTransfers(forms);
  addTranspose(forms);
  for (const ptx::InstructionForm &row : ptx::formsOf(ptx::Opcode::mma))
    for (const std::string &text : mnemonicsOf(row))
      if (auto match = ptx::matchMnemonic(text))
        addProduct(forms, match->select(4));
}

} // namespace tessera::conformance
