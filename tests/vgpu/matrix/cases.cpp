// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cases.h"

#include <initializer_list>

namespace tessera::vgpu::test {

using ptx::Type;

namespace {

std::string number(std::uint32_t value) { return std::to_string(value); }

std::string registerType(Type type) {
  switch (type) {
  case Type::f32:
    return "f32";
  case Type::s32:
    return "s32";
  case Type::f64:
    return "f64";
  default:
    return "b32";
  }
}

/// Declares and moves the registers of a matrix between memory and `%name<n>`.
class Moves {
public:
  void declare(std::string_view name, const RegisterMatrix &matrix) {
    declarations += ".reg ." + registerType(matrix.type) + " %" +
                    std::string(name) + "<" + number(matrix.registers()) +
                    ">;\n";
  }
  void load(std::string_view name, const RegisterMatrix &matrix) {
    declare(name, matrix);
    const bool isWide = bitsOf(matrix.type) == 64;
    for (std::uint32_t i = 0; i < matrix.registers(); ++i) {
      text += "ld.global." + registerType(matrix.type) + " %" +
              std::string(name) + number(i) + ", [" +
              (isWide ? "%in8" : "%in4") + "+" + number(128 * word) + "];\n";
      word += isWide ? 2 : 1;
    }
  }
  void store(std::string_view name, const RegisterMatrix &matrix) {
    const bool isWide = bitsOf(matrix.type) == 64;
    for (std::uint32_t i = 0; i < matrix.registers(); ++i)
      text += "st.global." + registerType(matrix.type) + " [" +
              (isWide ? "%out8" : "%out4") + "+" +
              number((isWide ? 256 : 128) * i) + "], %" + std::string(name) +
              number(i) + ";\n";
  }

  std::string declarations, text;

private:
  std::uint32_t word = 0; ///< of `in`
};

std::string name(Type type) { return std::string(ptx::spelling(type)); }

struct Shape {
  std::uint32_t m, n, k;
};

class Builder {
public:
  explicit Builder(std::vector<MmaCase> &cases) : cases(cases) {}

  void add(Shape shape, Type d, Type a, Type b, Type c,
           const MmaCase &variant = {}, const std::string &tail = "") {
    MmaCase added = variant;
    const auto lanes = [&](std::uint32_t count) {
      return count / (variant.bitOperation == BitOperation::none &&
                              a == Type::f16 && shape.k == 4
                          ? 8 // a quad pair
                          : 32);
    };
    added.a = {a, shape.m, shape.k, lanes(shape.m * shape.k)};
    added.b = {b, shape.k, shape.n, lanes(shape.k * shape.n)};
    added.c = {c, shape.m, shape.n, lanes(shape.m * shape.n)};
    added.d = {d, shape.m, shape.n, lanes(shape.m * shape.n)};
    added.mnemonic = "mma.sync.aligned.m" + number(shape.m) + "n" +
                     number(shape.n) + "k" + number(shape.k) +
                     (variant.aIsRowMajor ? ".row" : ".col") +
                     (variant.bIsRowMajor ? ".row" : ".col") +
                     (variant.saturates ? ".satfinite." : ".") + name(d) + "." +
                     name(a) + "." + name(b) + "." + name(c) + tail;
    Moves moves;
    moves.load("a", added.a);
    moves.load("b", added.b);
    moves.load("c", added.c);
    moves.declare("d", added.d);
    moves.text += added.mnemonic + " " +
                  registerList("d", added.d.registers()) + ", " +
                  registerList("a", added.a.registers()) + ", " +
                  registerList("b", added.b.registers()) + ", " +
                  registerList("c", added.c.registers()) + ";\n";
    moves.store("d", added.d);
    added.kernel = "mma" + number(std::uint32_t(cases.size()));
    added.entry = entryText(added.kernel, moves.declarations, moves.text);
    cases.push_back(std::move(added));
  }

  void addQuadPairs() {
    for (const bool aIsRowMajor : {true, false})
      for (const bool bIsRowMajor : {true, false})
        for (const auto [d, c] :
             {std::pair(Type::f16, Type::f16), std::pair(Type::f32, Type::f32),
              std::pair(Type::f32, Type::f16)})
          add({8, 8, 4}, d, Type::f16, Type::f16, c,
              {.aIsRowMajor = aIsRowMajor, .bIsRowMajor = bIsRowMajor});
  }

  void addFloats() {
    for (const std::uint32_t k : {8u, 16u}) {
      add({16, 8, k}, Type::f16, Type::f16, Type::f16, Type::f16);
      add({16, 8, k}, Type::f32, Type::f16, Type::f16, Type::f32);
      add({16, 8, k}, Type::f32, Type::bf16, Type::bf16, Type::f32);
      add({16, 8, k / 2}, Type::f32, Type::tf32, Type::tf32, Type::f32);
      for (const Type a : {Type::e4m3, Type::e5m2})
        for (const Type b : {Type::e4m3, Type::e5m2})
          for (const Type d : {Type::f16, Type::f32})
            add({16, 8, 2 * k}, d, a, b, d);
    }
    add({8, 8, 4}, Type::f64, Type::f64, Type::f64, Type::f64);
    for (const std::uint32_t k : {4u, 8u, 16u})
      add({16, 8, k}, Type::f64, Type::f64, Type::f64, Type::f64);
  }

  void addIntegers() {
    const auto addAll = [&](Shape shape, Type u, Type s) {
      for (const Type a : {u, s})
        for (const Type b : {u, s})
          for (const bool saturates : {false, true})
            add(shape, Type::s32, a, b, Type::s32, {.saturates = saturates});
    };
    for (const Shape shape : {Shape{8, 8, 16}, {16, 8, 16}, {16, 8, 32}})
      addAll(shape, Type::u8, Type::s8);
    for (const Shape shape : {Shape{8, 8, 32}, {16, 8, 32}, {16, 8, 64}})
      addAll(shape, Type::u4, Type::s4);
    for (const Shape shape : {Shape{8, 8, 128}, {16, 8, 128}, {16, 8, 256}}) {
      add(shape, Type::s32, Type::b1, Type::b1, Type::s32,
          {.bitOperation = BitOperation::exclusiveOr}, ".xor.popc");
      add(shape, Type::s32, Type::b1, Type::b1, Type::s32,
          {.bitOperation = BitOperation::conjunction}, ".and.popc");
    }
  }

private:
  std::vector<MmaCase> &cases;
};

/// The kernels of `wmma`.
class WmmaBuilder {
public:
  explicit WmmaBuilder(std::vector<WmmaCase> &cases) : cases(cases) {}

  /// With A and B in these layouts; C and D have one each.
  void add(Shape shape, const MmaCase &types, bool aIsRowMajor,
           bool bIsRowMajor) {
    WmmaCase added{.product = types, .a = {}, .b = {}, .c = {}, .d = {}};
    MmaCase &product = added.product;
    product.a.rows = product.c.rows = product.d.rows = shape.m;
    product.b.columns = product.c.columns = product.d.columns = shape.n;
    product.a.columns = product.b.rows = shape.k;
    product.aIsRowMajor = aIsRowMajor;
    product.bIsRowMajor = bIsRowMajor;
    // All but one in four matrices are parts of larger ones.
    const bool isPart = cases.size() % 4 != 0;
    std::uint32_t end = 0;
    added.a = place(product.a, aIsRowMajor, isPart, end);
    added.b = place(product.b, bIsRowMajor, isPart, end);
    added.c = place(product.c, bIsRowMajor, isPart, end);
    end = 0;
    added.d = place(product.d, aIsRowMajor, isPart, end);
    product.mnemonic = mnemonic(shape, product);
    product.kernel = "wmma" + number(std::uint32_t(cases.size()));
    product.entry = entry(shape, added);
    cases.push_back(std::move(added));
  }

  void addAll(Shape shape, const MmaCase &types) {
    for (const bool aIsRowMajor : {true, false})
      for (const bool bIsRowMajor : {true, false})
        add(shape, types, aIsRowMajor, bIsRowMajor);
  }

private:
  static MemoryMatrix place(const RegisterMatrix &matrix, bool isRowMajor,
                            bool isPart, std::uint32_t &end) {
    MemoryMatrix placed{.type = matrix.type,
                        .rows = matrix.rows,
                        .columns = matrix.columns,
                        .isRowMajor = isRowMajor,
                        .stride = isRowMajor ? matrix.columns : matrix.rows,
                        .offset = end};
    if (isPart)
      placed.stride += 128 / bitsOf(matrix.type) * 2;
    end += (placed.bytes() + 31) / 32 * 32;
    return placed;
  }

  static std::string shapeName(Shape shape) {
    return ".m" + number(shape.m) + "n" + number(shape.n) + "k" +
           number(shape.k);
  }
  static std::string layoutName(bool isRowMajor) {
    return isRowMajor ? ".row" : ".col";
  }

  static std::string mnemonic(Shape shape, const MmaCase &product) {
    std::string text = "wmma.mma";
    if (product.bitOperation != BitOperation::none)
      text += product.bitOperation == BitOperation::exclusiveOr ? ".xor.popc"
                                                                : ".and.popc";
    text += ".sync.aligned" + layoutName(product.aIsRowMajor) +
            layoutName(product.bIsRowMajor) + shapeName(shape) + "." +
            name(product.d.type);
    if (product.a.type != Type::f16)
      text += "." + name(product.a.type) + "." + name(product.b.type);
    return text + "." + name(product.c.type) +
           (product.saturates ? ".satfinite" : "");
  }

  /// Registers of each lane: PTX ISA 9.0, section 9.7.14.3.
  static std::uint32_t registersOf(const RegisterMatrix &matrix,
                                   bool isMultiplicand) {
    if (isMultiplicand && matrix.type == Type::f16)
      return 8;
    const std::uint32_t bits = bitsOf(matrix.type);
    return matrix.rows * matrix.columns / 32 / (bits < 32 ? 32 / bits : 1);
  }

  static std::string entry(Shape shape, const WmmaCase &added) {
    const MmaCase &product = added.product;
    // Addresses of the matrices are generic in every other case.
    const std::string space = product.kernel.back() % 2 ? ".global" : "";
    std::string declarations = ".reg .b64 %at; .reg .b32 %stride;\n", text;
    const auto operand = [&](std::string_view letter,
                             const RegisterMatrix &matrix,
                             bool isMultiplicand) {
      const std::uint32_t count = registersOf(matrix, isMultiplicand);
      declarations += ".reg ." + registerType(matrix.type) + " %" +
                      std::string(letter) + "<" + number(count) + ">;\n";
      return registerList(letter, count);
    };
    const auto move = [&](std::string_view what, const MemoryMatrix &matrix) {
      text += "add.u64 %at, " +
              std::string(what == "store.d" ? "%out" : "%in") + ", " +
              number(matrix.offset) + ";\nmov.u32 %stride, " +
              number(matrix.stride) + ";\n";
      return "wmma." + std::string(what) + ".sync.aligned" +
             layoutName(matrix.isRowMajor) + shapeName(shape) + space + "." +
             name(matrix.type) + " ";
    };
    const bool hasDefault =
        added.a.stride == (added.a.isRowMajor ? added.a.columns : added.a.rows);
    const std::string tail = hasDefault ? ";\n" : ", %stride;\n";
    const std::string a = operand("a", product.a, true),
                      b = operand("b", product.b, true),
                      c = operand("c", product.c, false),
                      d = operand("d", product.d, false);
    const std::pair<const MemoryMatrix *, const std::string *> loads[] = {
        {&added.a, &a}, {&added.b, &b}, {&added.c, &c}};
    constexpr std::string_view names[] = {"load.a", "load.b", "load.c"};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string instruction = move(names[i], *loads[i].first);
      text += instruction + *loads[i].second + ", [%at]" + tail;
    }
    text += product.mnemonic + " " + d + ", " + a + ", " + b + ", " + c + ";\n";
    const std::string store = move("store.d", added.d);
    text += store + "[%at], " + d + tail;
    return entryText(product.kernel, declarations, text);
  }

  std::vector<WmmaCase> &cases;
};

MmaCase typesOf(Type d, Type a, Type b, Type c) {
  MmaCase types;
  types.a.type = a;
  types.b.type = b;
  types.c.type = c;
  types.d.type = d;
  return types;
}

std::vector<WmmaCase> makeWmmaCases() {
  std::vector<WmmaCase> all;
  WmmaBuilder builder(all);
  for (const Shape shape : {Shape{16, 16, 16}, {8, 32, 16}, {32, 8, 16}}) {
    for (const Type d : {Type::f16, Type::f32})
      for (const Type c : {Type::f16, Type::f32})
        builder.addAll(shape, typesOf(d, Type::f16, Type::f16, c));
    builder.addAll(shape,
                   typesOf(Type::f32, Type::bf16, Type::bf16, Type::f32));
    for (const Type type : {Type::u8, Type::s8})
      for (const bool saturates : {false, true}) {
        MmaCase types = typesOf(Type::s32, type, type, Type::s32);
        types.saturates = saturates;
        builder.addAll(shape, types);
      }
  }
  builder.addAll({16, 16, 8},
                 typesOf(Type::f32, Type::tf32, Type::tf32, Type::f32));
  builder.addAll({8, 8, 4},
                 typesOf(Type::f64, Type::f64, Type::f64, Type::f64));
  for (const Type type : {Type::u4, Type::s4})
    for (const bool saturates : {false, true}) {
      MmaCase types = typesOf(Type::s32, type, type, Type::s32);
      types.saturates = saturates;
      builder.add({8, 8, 32}, types, true, false);
    }
  for (const BitOperation operation :
       {BitOperation::exclusiveOr, BitOperation::conjunction}) {
    MmaCase types = typesOf(Type::s32, Type::b1, Type::b1, Type::s32);
    types.bitOperation = operation;
    builder.add({8, 8, 128}, types, true, false);
    builder.add({8, 8, 128}, types, true, false);
  }
  return all;
}

} // namespace

std::string registerList(std::string_view name, std::uint32_t count) {
  std::string text = "{";
  for (std::uint32_t i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + std::string(name) + number(i);
  return text + "}";
}

std::string moduleHead() {
  return ".version 8.7\n.target sm_90a\n.address_size 64\n";
}

std::string entryText(const std::string &name, const std::string &declarations,
                      const std::string &body) {
  return ".visible .entry " + name +
         "(.param .u64 in, .param .u64 out) {\n"
         ".reg .b64 %in, %out, %in4, %out4, %in8, %out8, %offset;\n"
         ".reg .b32 %lane;\n" +
         declarations +
         "ld.param.u64 %in, [in];\n"
         "ld.param.u64 %out, [out];\n"
         "mov.u32 %lane, %tid.x;\n"
         "mul.wide.u32 %offset, %lane, 4;\n"
         "add.u64 %in4, %in, %offset;\n"
         "add.u64 %out4, %out, %offset;\n"
         "mul.wide.u32 %offset, %lane, 8;\n"
         "add.u64 %in8, %in, %offset;\n"
         "add.u64 %out8, %out, %offset;\n" +
         body + "ret;\n}\n";
}

std::uint32_t MemoryMatrix::bytes() const {
  return (isRowMajor ? rows : columns) * stride * bitsOf(type) / 8;
}

const std::vector<WmmaCase> &wmmaCases() {
  static const std::vector<WmmaCase> cases = makeWmmaCases();
  return cases;
}

const std::vector<MmaCase> &mmaCases() {
  static const std::vector<MmaCase> cases = [] {
    std::vector<MmaCase> all;
    Builder builder(all);
    builder.addQuadPairs();
    builder.addFloats();
    builder.addIntegers();
    return all;
  }();
  return cases;
}

} // namespace tessera::vgpu::test
