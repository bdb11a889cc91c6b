// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms that exchange values between lanes, and mov with its relatives.

#include "form-builder.h"

namespace tessera::conformance {

namespace {

using ptx::Type;

/// The lanes that execute a form: all of a warp, or a part behind a branch.
struct Group {
  std::string_view note;
  std::string_view mask;
};
constexpr Group groups[] = {
    {"", "0xffffffff"}, {"low half", "0x0000ffff"}, {"odd", "0xaaaaaaaa"}};

/// Lets the lanes of the mask alone execute what follows, up to `endGroup`.
void beginGroup(FormBuilder &builder, const Group &group) {
  if (group.note.empty())
    return;
  builder.line(".reg .pred outside;");
  builder.line(".reg .b32 lane;");
  builder.line("mov.u32 lane, %laneid;");
  builder.line("shr.b32 lane, " + std::string(group.mask) + ", lane;");
  builder.line("and.b32 lane, lane, 1;");
  builder.line("setp.eq.u32 outside, lane, 0;");
  builder.line("@outside bra join;");
}

void endGroup(FormBuilder &builder, const Group &group) {
  if (!group.note.empty())
    builder.line("join:");
}

/// A result that lanes outside of the group have, too.
std::string initialised(FormBuilder &builder, Type type) {
  std::string result = builder.result(type);
  if (type == Type::pred)
    builder.line("setp.ne.u32 " + result + ", 0, 0;");
  else
    builder.line("mov.b" + std::to_string(registerBits(type)) + " " + result +
                 ", 0;");
  return result;
}

void finish(FormBuilder &builder, const Group &group) {
  endGroup(builder, group);
  builder.finish(std::string(group.note));
}

void addShuffles(std::vector<Form> &forms, const Group &group) {
  for (std::string_view mode : {"up", "down", "bfly", "idx"}) {
    FormBuilder builder(forms, dotted({"shfl.sync", mode, "b32"}));
    std::string value = builder.source(Type::b32);
    std::string lane = builder.source(Type::u32, Draw::amount);
    std::string clamp = builder.source(Type::u32, Draw::laneClamp);
    std::string result = initialised(builder, Type::b32);
    std::string inRange = initialised(builder, Type::pred);
    beginGroup(builder, group);
    // A lane outside of the group has no value to give.
    if (!group.note.empty()) {
      builder.line("mov.u32 " + clamp + ", " + (mode == "up" ? "0" : "0x1f") +
                   ";");
      builder.line("and.b32 " + lane + ", " + lane + ", 14;");
      if (mode == "idx")
        builder.line("or.b32 " + lane + ", " + lane + ", " +
                     (group.note == "odd" ? "1" : "0") + ";");
      if (mode == "down" && group.note == "low half")
        builder.line("mov.u32 " + clamp + ", 0x0f;");
    }
    builder.instruction(
        {result + "|" + inRange, value, lane, clamp, std::string(group.mask)});
    finish(builder, group);
  }
}

void addVotes(std::vector<Form> &forms, const Group &group) {
  for (std::string_view mode : {"all", "any", "uni", "ballot"}) {
    bool isBallot = mode == "ballot";
    FormBuilder builder(forms,
                        dotted({"vote.sync", mode, isBallot ? "b32" : "pred"}));
    std::string value = builder.source(Type::pred, Draw::fewValues);
    std::string result =
        initialised(builder, isBallot ? Type::b32 : Type::pred);
    beginGroup(builder, group);
    builder.instruction({result, value, std::string(group.mask)});
    finish(builder, group);
  }
}

void addMatches(std::vector<Form> &forms, const Group &group) {
  for (Type type : {Type::b32, Type::b64})
    for (std::string_view mode : {"any", "all"}) {
      FormBuilder builder(forms,
                          dotted({"match", mode, "sync", ptx::spelling(type)}));
      std::string value = builder.source(type, Draw::fewValues);
      std::string result = initialised(builder, Type::u32);
      std::string target = result;
      if (mode == "all")
        target += "|" + initialised(builder, Type::pred);
      beginGroup(builder, group);
      builder.instruction({target, value, std::string(group.mask)});
      finish(builder, group);
    }
}

void addReductions(std::vector<Form> &forms, const Group &group) {
  for (std::string_view suffix :
       {"add.u32", "min.u32", "max.u32", "add.s32", "min.s32", "max.s32",
        "and.b32", "or.b32", "xor.b32"}) {
    FormBuilder builder(forms, dotted({"redux.sync", suffix}));
    std::string value = builder.source(Type::b32);
    std::string result = initialised(builder, Type::b32);
    beginGroup(builder, group);
    builder.instruction({result, value, std::string(group.mask)});
    finish(builder, group);
  }
}

void addMaskReaders(std::vector<Form> &forms, const Group &group) {
  {
    FormBuilder builder(forms, "activemask.b32");
    std::string result = initialised(builder, Type::b32);
    beginGroup(builder, group);
    builder.instruction({result});
    finish(builder, group);
  }
  FormBuilder builder(forms, "elect.sync");
  std::string leader = initialised(builder, Type::b32);
  std::string isLeader = initialised(builder, Type::pred);
  beginGroup(builder, group);
  builder.instruction({leader + "|" + isLeader, std::string(group.mask)});
  finish(builder, group);
}

void addBarrierReductions(std::vector<Form> &forms) {
  struct Suffix {
    std::string_view text;
    Type result;
  };
  constexpr Suffix suffixes[] = {{"popc.u32", Type::u32},
                                 {"and.pred", Type::pred},
                                 {"or.pred", Type::pred}};
  for (std::string_view opcode :
       {"bar.red", "bar.cta.red", "barrier.red", "barrier.cta.red"})
    for (auto [suffix, type] : suffixes) {
      FormBuilder builder(forms, dotted({opcode, suffix}));
      std::string value = builder.source(Type::pred, Draw::fewValues);
      std::string result = builder.result(type);
      builder.instruction({result, "1", value});
      builder.finish();
    }
}

void addMatrixMoves(std::vector<Form> &forms) {
  FormBuilder builder(forms, "movmatrix.sync.aligned.m8n8.trans.b16");
  std::string value = builder.source(Type::b32);
  std::string result = builder.result(Type::b32);
  builder.instruction({result, value});
  builder.finish();
}

//===-- mov ---------------------------------------------------------------===//

void addPlainMoves(std::vector<Form> &forms) {
  for (Type type :
       {Type::pred, Type::b16, Type::b32, Type::b64, Type::u16, Type::u32,
        Type::u64, Type::s16, Type::s32, Type::s64, Type::f32, Type::f64}) {
    FormBuilder builder(forms, dotted({"mov", ptx::spelling(type)}));
    std::string value = builder.source(type);
    std::string result = builder.result(type);
    builder.instruction({result, value});
    builder.finish();
  }
}

Type bits(unsigned width) {
  switch (width) {
  case 16:
    return Type::b16;
  case 32:
    return Type::b32;
  default:
    return Type::b64;
  }
}

void addPackingMoves(std::vector<Form> &forms) {
  for (unsigned width : {32u, 64u})
    for (unsigned count : {2u, 4u}) {
      if (width / count < 16)
        continue;
      std::string name = "mov.b" + std::to_string(width);
      std::string parts = std::to_string(count) + " parts";
      FormBuilder pack(forms, name);
      std::string list = pack.sources(bits(width / count), count);
      pack.instruction({pack.result(bits(width)), list});
      pack.finish("of " + parts);
      FormBuilder unpack(forms, name);
      std::string whole = unpack.source(bits(width));
      unpack.instruction({unpack.results(bits(width / count), count), whole});
      unpack.finish("to " + parts);
    }
  FormBuilder wide(forms, "mov.b128");
  wide.line(".reg .b128 wide;");
  wide.instruction({"wide", wide.sources(Type::b64, 2)});
  wide.instruction({wide.results(Type::b64, 2), "wide"});
  wide.finish("of 2 parts and back");
}

//===-- Addresses ---------------------------------------------------------===//

struct Place {
  std::string_view space;
  Cell cell;
};
constexpr Place places[] = {
    {"global", Cell::global}, {"shared", Cell::shared}, {"local", Cell::local}};

/// The generic address of the thread's cell in `any`.
void makeGeneric(FormBuilder &builder, const Place &place) {
  builder.uses(place.cell).line(".reg .b64 any;");
  if (place.cell == Cell::shared)
    builder.line("cvt.u64.u32 any, cell;");
  else
    builder.line("mov.u64 any, cell;");
}

/// Through a generic address to the cell and back.
void addAddressConversions(std::vector<Form> &forms) {
  for (const Place &place : places) {
    std::string space(place.space);
    for (bool back : {false, true}) {
      FormBuilder builder(forms, "cvta." + std::string(back ? "to." : "") +
                                     space + ".u64");
      makeGeneric(builder, place);
      std::string value = builder.source(Type::b64);
      builder.line("st." + space + ".b64 [cell], " + value + ";");
      if (back)
        builder.line("cvta." + space + ".u64 any, any;");
      builder.instruction({"any", "any"});
      std::string load = back ? "ld." + space + ".b64 " : "ld.b64 ";
      builder.line(load + builder.result(Type::b64) + ", [any];");
      builder.finish();
    }
  }
}

void addSpacePredicates(std::vector<Form> &forms) {
  for (std::string_view asked : {"const", "global", "local", "shared",
                                 "shared::cta", "shared::cluster", "param"})
    for (const Place &place : places) {
      FormBuilder builder(forms, dotted({"isspacep", asked}));
      makeGeneric(builder, place);
      builder.line("cvta." + std::string(place.space) + ".u64 any, any;");
      std::string result = builder.result(Type::pred);
      builder.instruction({result, "any"});
      builder.finish("of an address in " + std::string(place.space));
    }
}

/// A block that is a cluster of its own has rank 0.
void addClusterAddresses(std::vector<Form> &forms) {
  FormBuilder rank(forms, "getctarank.shared::cluster.u32");
  rank.uses(Cell::shared);
  std::string result = rank.result(Type::u32);
  rank.instruction({result, "cell"});
  rank.finish();

  FormBuilder map(forms, "mapa.shared::cluster.u32");
  map.uses(Cell::shared);
  std::string value = map.source(Type::b32);
  map.line("st.shared.b32 [cell], " + value + ";");
  map.line(".reg .b32 there;");
  map.instruction({"there", "cell", "0"});
  map.line("ld.shared::cluster.b32 " + map.result(Type::b32) + ", [there];");
  map.finish();
}

} // namespace

void addWarpForms(std::vector<Form> &forms) {
  for (const Group &group : groups) {
    addShuffles(forms, group);
    addVotes(forms, group);
    addMatches(forms, group);
    addReductions(forms, group);
    addMaskReaders(forms, group);
  }
  addBarrierReductions(forms);
  addMatrixMoves(forms);
}

void addMoveForms(std::vector<Form> &forms) {
  addPlainMoves(forms);
  addPackingMoves(forms);
  addAddressConversions(forms);
  addSpacePredicates(forms);
  addClusterAddresses(forms);
}

} // namespace tessera::conformance
