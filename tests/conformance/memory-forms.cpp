// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ld, st, atom, red: on memory that no other thread touches, so that results
// are a function of the sources.

#include "form-builder.h"

#include <array>
#include <vector>

namespace tessera::conformance {

namespace {

using ptx::Type;

struct Space {
  std::string_view name;
  Cell cell;
};
constexpr std::array<Space, 6> spaces = {{{"", Cell::none},
                                          {"global", Cell::global},
                                          {"shared", Cell::shared},
                                          {"shared::cta", Cell::shared},
                                          {"shared::cluster", Cell::shared},
                                          {"local", Cell::local}}};

constexpr Type memoryTypes[] = {Type::b8,   Type::b16, Type::b32, Type::b64,
                                Type::b128, Type::u8,  Type::u16, Type::u32,
                                Type::u64,  Type::s8,  Type::s16, Type::s32,
                                Type::s64,  Type::f32, Type::f64};

struct Vector {
  std::string_view name;
  unsigned width;
};
constexpr Vector vectors[] = {{"", 1}, {"v2", 2}, {"v4", 4}};

std::string offset(const std::string &base, unsigned bytes) {
  return "[" + base + "+" + std::to_string(bytes) + "]";
}

/// The newer names of shared memory are tried with words alone.
bool isTriedWith(const Space &space, Type type, unsigned width = 1) {
  bool isNewName = space.name.find("::") != std::string_view::npos;
  return !isNewName || (ptx::bitWidth(type) == 32 && width == 1);
}

/// Fills the cell with 32 bytes: four new sources.
void fillCell(FormBuilder &builder, std::string_view space) {
  std::string store = dotted({"st", space, "b64"});
  for (unsigned i = 0; i < 4; ++i) {
    std::string source = builder.source(Type::b64);
    builder.line(store + " " + offset("cell", 8 * i) + ", " + source + ";");
  }
}

/// Sets the first 16 bytes of the cell to 0.
void clearCell(FormBuilder &builder, std::string_view space) {
  for (unsigned i = 0; i < 2; ++i)
    builder.line(dotted({"st", space, "b64"}) + " " + offset("cell", 8 * i) +
                 ", 0;");
}

/// Reads the first `words` of the cell's 8-byte words into results.
void readCell(FormBuilder &builder, std::string_view space, unsigned words) {
  std::string load = dotted({"ld", space, "b64"});
  for (unsigned i = 0; i < words; ++i) {
    std::string result = builder.result(Type::b64);
    builder.line(load + " " + result + ", " + offset("cell", 8 * i) + ";");
  }
}

/// The name by which a state space's cell is filled and read.
std::string_view plainSpace(const Space &space) {
  return space.cell == Cell::shared ? "shared" : space.name;
}

/// A generic access goes through the generic address of a global cell.
struct CellOf {
  Cell cell;
  std::string_view space;
};
CellOf cellOf(const Space &space) {
  if (space.cell == Cell::none)
    return {Cell::global, "global"};
  return {space.cell, plainSpace(space)};
}

void makeGeneric(FormBuilder &builder, const Space &space) {
  if (space.cell == Cell::none)
    builder.line("cvta.global.u64 cell, cell;");
}

void addLoad(std::vector<Form> &forms, const Space &space,
             const std::string &mnemonic, Type type, unsigned width) {
  if (ptx::bitWidth(type) * width > 128)
    return;
  FormBuilder builder(forms, mnemonic);
  CellOf where = cellOf(space);
  builder.uses(where.cell);
  fillCell(builder, where.space);
  makeGeneric(builder, space);
  if (type == Type::b128) {
    builder.line(".reg .b128 wide;").instruction({"wide", "[cell]"});
    builder.line("mov.b128 " + builder.results(Type::b64, 2) + ", wide;");
  } else {
    builder.instruction({builder.results(type, width), "[cell]"});
  }
  builder.finish();
}

void addStore(std::vector<Form> &forms, const Space &space,
              const std::string &mnemonic, Type type, unsigned width) {
  if (ptx::bitWidth(type) * width > 128)
    return;
  FormBuilder builder(forms, mnemonic);
  CellOf where = cellOf(space);
  builder.uses(where.cell);
  for (unsigned i = 0; i < 2; ++i)
    builder.line(dotted({"st", where.space, "b64"}) + " " +
                 offset("cell", 8 * i) + ", 0x5555aaaa3333cccc;");
  makeGeneric(builder, space);
  if (type == Type::b128) {
    builder.line(".reg .b128 wide;");
    builder.line("mov.b128 wide, " + builder.sources(Type::b64, 2) + ";");
    builder.instruction({"[cell]", "wide"});
  } else {
    builder.instruction({"[cell]", builder.sources(type, width)});
  }
  readCell(builder, space.cell == Cell::none ? "" : where.space, 2);
  builder.finish();
}

/// Every space, vector and type, and every other modifier with 32 bits.
void addPlainAccesses(std::vector<Form> &forms) {
  for (bool isLoad : {true, false})
    for (const Space &space : spaces)
      for (const Vector &vector : vectors)
        for (Type type : memoryTypes) {
          if (!isTriedWith(space, type, vector.width))
            continue;
          std::string mnemonic = dotted({isLoad ? "ld" : "st", space.name,
                                         vector.name, ptx::spelling(type)});
          if (isLoad)
            addLoad(forms, space, mnemonic, type, vector.width);
          else
            addStore(forms, space, mnemonic, type, vector.width);
        }
}

void addModifiedAccesses(std::vector<Form> &forms) {
  const Space &global = spaces[1];
  for (std::string_view before :
       {"weak", "volatile", "relaxed.cta", "relaxed.cluster", "relaxed.gpu",
        "relaxed.sys", "acquire.cta", "acquire.gpu", "acquire.sys",
        "mmio.relaxed.sys"})
    addLoad(forms, global, dotted({"ld", before, "global", "b32"}), Type::b32,
            1);
  for (std::string_view after :
       {"ca", "cg", "cs", "lu", "cv", "L1::evict_normal", "L1::evict_unchanged",
        "L1::evict_first", "L1::evict_last", "L1::no_allocate", "L2::64B",
        "L2::128B", "L2::256B"})
    addLoad(forms, global, dotted({"ld.global", after, "b32"}), Type::b32, 1);
  for (std::string_view before :
       {"weak", "volatile", "relaxed.cta", "relaxed.cluster", "relaxed.gpu",
        "relaxed.sys", "release.cta", "release.gpu", "release.sys",
        "mmio.relaxed.sys"})
    addStore(forms, global, dotted({"st", before, "global", "b32"}), Type::b32,
             1);
  for (std::string_view after :
       {"wb", "cg", "cs", "wt", "L1::evict_normal", "L1::evict_unchanged",
        "L1::evict_first", "L1::evict_last", "L1::no_allocate"})
    addStore(forms, global, dotted({"st.global", after, "b32"}), Type::b32, 1);
}

/// ld.global.nc and ldu read what the whole kernel does not write: the sources.
void addReadOnlyLoads(std::vector<Form> &forms) {
  for (std::string_view opcode : {"ld.global.nc", "ldu.global"})
    for (const Vector &vector : vectors)
      for (Type type : memoryTypes) {
        if (type == Type::b128 || ptx::bitWidth(type) * vector.width > 128)
          continue;
        FormBuilder builder(forms,
                            dotted({opcode, vector.name, ptx::spelling(type)}));
        for (unsigned i = 0; i < 2; ++i)
          builder.source(Type::b64);
        builder.instruction({builder.results(type, vector.width), "[src]"});
        builder.finish();
      }
}

//===-- Atomics -----------------------------------------------------------===//

struct AtomicOp {
  std::string_view name;
  std::vector<Type> types;
  unsigned operands = 1; ///< beside the address
};
const std::vector<AtomicOp> &atomicOps() {
  using enum Type;
  static const std::vector<AtomicOp> ops = {
      {"and", {b32, b64}},
      {"or", {b32, b64}},
      {"xor", {b32, b64}},
      {"exch", {b32, b64, b128}},
      {"cas", {b16, b32, b64, b128}, 2},
      {"add", {u32, s32, u64, f32, f64}},
      {"min", {u32, s32, u64, s64}},
      {"max", {u32, s32, u64, s64}},
      {"inc", {u32}},
      {"dec", {u32}},
      {"add.noftz", {f16, f16x2, bf16, bf16x2}},
  };
  return ops;
}

/// The value in memory before: for cas often the one that is compared.
std::string oldValue(FormBuilder &builder, std::string_view space, Type type) {
  std::string source = builder.source(type);
  builder.line(dotted({"st", space, ptx::spelling(registerType(type))}) +
               " [cell], " + source + ";");
  return source;
}

void addAtomic(std::vector<Form> &forms, bool hasResult,
               std::string_view prefix, const Space &space, const AtomicOp &op,
               Type type) {
  FormBuilder builder(forms,
                      dotted({hasResult ? "atom" : "red", prefix, space.name,
                              op.name, ptx::spelling(type)}));
  CellOf where = cellOf(space);
  builder.uses(where.cell);
  clearCell(builder, where.space);
  bool isWide = type == Type::b128;
  Type part = isWide ? Type::b64 : type;
  std::string old = oldValue(builder, where.space, part);
  makeGeneric(builder, space);
  std::string first = builder.source(part), second;
  if (op.operands == 2) {
    // An equal value half of the time.
    second = builder.source(part);
    std::string which = builder.source(Type::pred);
    builder.line("selp." + std::string(ptx::spelling(registerType(part))) +
                 " " + first + ", " + old + ", " + first + ", " + which + ";");
  }
  std::string result;
  if (isWide) {
    builder.line(".reg .b128 w0, w1, w2;");
    builder.line("mov.b128 w1, {" + first + ", 0};");
    if (op.operands == 2)
      builder.line("mov.b128 w2, {" + second + ", " + first + "};");
    result = "w0", first = "w1", second = "w2";
  } else if (hasResult) {
    result = builder.result(type);
  }
  if (op.operands == 2)
    builder.instruction({result, "[cell]", first, second});
  else if (hasResult)
    builder.instruction({result, "[cell]", first});
  else
    builder.instruction({"[cell]", first});
  if (isWide)
    builder.line("mov.b128 " + builder.results(Type::b64, 2) + ", w0;");
  readCell(builder, space.cell == Cell::none ? "" : where.space,
           isWide ? 2 : 1);
  builder.finish();
}

struct VectorAtomic {
  std::string_view name;
  Type type;
};

void addVectorAtomics(std::vector<Form> &forms, bool hasResult) {
  using enum Type;
  std::vector<VectorAtomic> ops = {{"add", f32}};
  for (std::string_view name : {"add.noftz", "min.noftz", "max.noftz"})
    for (Type type : {f16, bf16, f16x2, bf16x2})
      ops.push_back({name, type});
  for (const VectorAtomic &op : ops)
    for (unsigned width : {2u, 4u, 8u}) {
      unsigned bytes = width * ptx::bitWidth(op.type) / 8;
      std::string vector = "v" + std::to_string(width);
      std::string operation(op.name.substr(0, op.name.find('.')));
      std::string noftz = op.type == f32 ? "" : "noftz";
      FormBuilder builder(
          forms, dotted({hasResult ? "atom" : "red", "global", operation, noftz,
                         vector, ptx::spelling(op.type)}));
      if (bytes > 16)
        continue;
      builder.uses(Cell::global);
      clearCell(builder, "global");
      for (unsigned i = 0; i < width; ++i) {
        std::string old = builder.source(op.type);
        builder.line(
            dotted({"st.global", ptx::spelling(registerType(op.type))}) + " " +
            offset("cell", i * bytes / width) + ", " + old + ";");
      }
      std::string result =
          hasResult ? builder.results(op.type, width) : std::string();
      std::string values = builder.sources(op.type, width);
      if (hasResult)
        builder.instruction({result, "[cell]", values});
      else
        builder.instruction({"[cell]", values});
      readCell(builder, "global", (bytes + 7) / 8);
      builder.finish();
    }
}

/// Scopes and orders change no value; each is tried with one operation.
void addOrderedAtomics(std::vector<Form> &forms) {
  static const AtomicOp add{"add", {Type::u32}};
  for (bool hasResult : {true, false})
    for (std::string_view order :
         {"", "relaxed", "acquire", "release", "acq_rel"})
      for (std::string_view scope : {"", "cta", "cluster", "gpu", "sys"}) {
        bool isPlain = order.empty() && scope.empty();
        bool isOrderOfRed = order != "acquire" && order != "acq_rel";
        if (!isPlain && (hasResult || isOrderOfRed))
          addAtomic(forms, hasResult, dotted({order, scope}), spaces[1], add,
                    Type::u32);
      }
}

} // namespace

void addMemoryForms(std::vector<Form> &forms) {
  addPlainAccesses(forms);
  addModifiedAccesses(forms);
  addReadOnlyLoads(forms);
}

void addAtomicForms(std::vector<Form> &forms) {
  for (bool hasResult : {true, false})
    for (const Space &space : spaces)
      for (const AtomicOp &op : atomicOps())
        for (Type type : op.types)
          if (space.cell != Cell::local && isTriedWith(space, type) &&
              (hasResult || (op.operands == 1 && op.name != "exch")))
            addAtomic(forms, hasResult, "", space, op, type);
  addOrderedAtomics(forms);
  for (bool hasResult : {true, false})
    addVectorAtomics(forms, hasResult);
}

} // namespace tessera::conformance
