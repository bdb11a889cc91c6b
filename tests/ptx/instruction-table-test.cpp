// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/evaluate.h"
#include "support.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace tessera::ptx;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

TEST(InstructionTable, HasNoMistypedRow) {
  EXPECT_THAT(instructionTableErrors(), IsEmpty());
}

TEST(InstructionTable, EveryOpcodeHasForms) {
  for (const InstructionForm &form : instructionForms())
    EXPECT_FALSE(formsOf(form.opcode).empty()) << spelling(form.opcode);
  EXPECT_EQ(formsOf(Opcode::exit).size(), 1u);
}

TEST(InstructionTable, TheLongestNameWins) {
  auto opcodeOf = [](std::string_view text) {
    auto match = matchMnemonic(text);
    return match ? match->mnemonic.opcode : Opcode::trap;
  };
  EXPECT_EQ(opcodeOf("cp.async.commit_group"), Opcode::cp_async_commit_group);
  EXPECT_EQ(opcodeOf("cp.async.cg.shared.global"), Opcode::cp_async);
  EXPECT_EQ(opcodeOf("bar.warp.sync"), Opcode::bar_warp_sync);
  EXPECT_EQ(opcodeOf("bar.sync"), Opcode::bar);
  EXPECT_EQ(opcodeOf("fence.proxy.async"), Opcode::fence_proxy);
}

TEST(InstructionTable, OperandCountPicksTheForm) {
  auto match = matchMnemonic("bar.red.popc.u32");
  ASSERT_TRUE(match);
  EXPECT_EQ(formOf(match->select(3)).operands.size(), 3u);
  EXPECT_EQ(formOf(match->select(4)).operands.size(), 4u);
}

TEST(InstructionTable, HostileMnemonicsAreCheap) {
  std::string text = "a";
  for (int i = 0; i < 100000; ++i)
    text += ".b32";
  EXPECT_FALSE(matchMnemonic(text));
  EXPECT_FALSE(matchMnemonic("add" + text.substr(1)));
}

TEST(InstructionTable, ArchitecturesWithFeatures) {
  EXPECT_TRUE((Arch{90, 'a'}.supports(Arch{80})));
  EXPECT_TRUE((Arch{90, 'a'}.supports(Arch{90, 'a'})));
  EXPECT_FALSE((Arch{90}.supports(Arch{90, 'a'})));
  EXPECT_FALSE((Arch{100, 'a'}.supports(Arch{90, 'a'})));
  EXPECT_FALSE((Arch{75}.supports(Arch{80})));
}

TEST(InstructionTable, ModifiersMayStandInAnyOrder) {
  auto read = [](std::string_view text) {
    auto match = matchMnemonic(text);
    return match ? match->mnemonic.str() : "none";
  };
  EXPECT_EQ(read("add.sat.ftz.rn.f32"), "add.rn.ftz.sat.f32");
  EXPECT_EQ(read("add.f32.rn"), "add.rn.f32");
  EXPECT_EQ(read("ld.gpu.relaxed.v2.u32.global"),
            "ld.relaxed.gpu.global.v2.u32");
  EXPECT_EQ(read("setp.and.lt.f32"), "setp.lt.and.f32");
  EXPECT_EQ(read("mma.m16n8k16.row.col.f32.f16.f16.f32.sync.aligned"),
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  EXPECT_EQ(read("vadd.s32.u32.s32.add.sat"), "vadd.s32.u32.s32.sat.add");
  // Parts of the name, types and spaces keep their places.
  for (const char *text :
       {"mul.s32.lo", "mad.cc.lo.u32", "shf.clamp.l.b32",
        "mbarrier.arrive.shared::cta.expect_tx.b64", "cvta.global.to.u64",
        "cp.async.ca.global.shared", "add.f32.f32", "add.rn.rn.f32"})
    EXPECT_EQ(read(text), "none") << text;
}

TEST(InstructionTable, OneOfSeveralTargets) {
  const Arch alternatives[] = {{90, 'a'}, {100, 'f'}, {120, 'a'}};
  EXPECT_EQ(alternativesText(alternatives), "sm_90a, sm_100f or sm_120a");
  EXPECT_TRUE((Arch{90, 'a'}.supportsAny(alternatives)));
  EXPECT_TRUE((Arch{103, 'a'}.supportsAny(alternatives)));
  EXPECT_FALSE((Arch{121, 'a'}.supportsAny(alternatives)));
  EXPECT_FALSE((Arch{90}.supportsAny(alternatives)));
}

/// The suffixes of a form with choice number `choice` at each place, the
/// optional ones too when `full`.
std::string spellForm(const InstructionForm &form, std::size_t choice,
                      bool full) {
  std::string text(spelling(form.opcode));
  for (const ModifierSlot &slot : form.modifiers) {
    if (slot.optional && !full)
      continue;
    Modifier modifier = slot.choices[choice % slot.choices.size()];
    text.append(".").append(spelling(modifier));
  }
  return text;
}

TEST(InstructionTable, EveryRowIsReadBack) {
  for (const InstructionForm &form : instructionForms()) {
    for (bool full : {false, true}) {
      std::string text = spellForm(form, 0, full);
      auto match = matchMnemonic(text);
      ASSERT_TRUE(match) << text << ": " << match.error().message;
      auto index = std::uint16_t(&form - instructionForms().data());
      EXPECT_THAT(match->forms, testing::Contains(index)) << text;
      EXPECT_EQ(match->mnemonic.str(), text);
    }
  }
}

/// An operand that a place of the mnemonic takes, for generated text.
std::string sampleOperand(const OperandSpec &spec, const Mnemonic &mnemonic) {
  Type type = spec.typeFor(mnemonic);
  switch (spec.kind) {
  case OperandKind::constant:
    return "1";
  case OperandKind::predicate:
    return "%p1";
  default:
    break;
  }
  if (type == Type::pred)
    return "%p1";
  // Registers of packed types narrower than 16 bits do not exist.
  return "%w" + std::to_string(std::max(8u, bitWidth(type))) + "_1";
}

/// Forms whose meaning is still missing; each is refused by name.
bool isKnownGap(const InstructionForm &form, const Mnemonic &mnemonic) {
  auto has = [&](Type type) {
    return std::ranges::find(mnemonic.types, type) != mnemonic.types.end();
  };
  bool isSmallFloat =
      has(Type::e4m3x2) || has(Type::e5m2x2) || has(Type::e2m3x2) ||
      has(Type::e3m2x2) || has(Type::e2m1x2) || has(Type::ue8m0x2) ||
      has(Type::e4m3x4) || has(Type::e5m2x4) || has(Type::e3m2x4) ||
      has(Type::e2m3x4) || has(Type::e2m1x4);
  bool isMixed =
      form.opcode != Opcode::cvt && form.opcode != Opcode::set &&
      mnemonic.type(0) == Type::f32 &&
      (mnemonic.type(1) == Type::f16 || mnemonic.type(1) == Type::bf16);
  bool isPackedSetCombination =
      form.opcode == Opcode::set && form.operands.size() == 4 &&
      typeClass(mnemonic.type(1)) == TypeClass::packed;
  return isSmallFloat || isMixed || isPackedSetCombination ||
         has(Type::f32x2) || mnemonic.has(Modifier::oob) ||
         mnemonic.has(Modifier::rs) ||
         (has(Type::tf32) && mnemonic.has(Modifier::satfinite));
}

/// Combinations that the rows spell but the validator excludes.
bool isNonsense(const Mnemonic &mnemonic) {
  Modifier comparison = mnemonic.suffixes[0];
  using enum Modifier;
  bool isComparison =
      mnemonic.opcode == Opcode::setp || mnemonic.opcode == Opcode::set;
  Type compared = mnemonic.type(mnemonic.opcode == Opcode::set ? 1 : 0);
  bool isFloating =
      isFloat(compared) || typeClass(compared) == TypeClass::packed;
  bool isUnordered = comparison == num || comparison == nan ||
                     (comparison >= equ && comparison <= geu);
  bool isUnsignedOnly = comparison == lo || comparison == hi ||
                        comparison == ls || comparison == hs;
  if (isComparison)
    return (isUnordered && !isFloating) || (isUnsignedOnly && isFloating);
  return false;
}

TEST(InstructionTable, EveryComputingRowHasItsMeaning) {
  std::string registers = ".reg .pred %p<2>; .reg .b8 %w8_<2>; "
                          ".reg .b16 %w16_<2>; .reg .b32 %w32_<2>; "
                          ".reg .b64 %w64_<2>;\n";
  std::size_t resolved = 0;
  for (const InstructionForm &form : instructionForms()) {
    if (opcodeClass(form.opcode) != OpcodeClass::compute)
      continue;
    std::size_t choices = 1;
    for (const ModifierSlot &slot : form.modifiers)
      choices = std::max(choices, slot.choices.size());
    for (std::size_t i = 0; i < 2 * choices; ++i) {
      std::string text = spellForm(form, i / 2, i % 2 != 0);
      Mnemonic mnemonic =
          matchMnemonic(text)->select(unsigned(form.operands.size()));
      if (isKnownGap(form, mnemonic) || isNonsense(mnemonic))
        continue;
      for (const OperandSpec &spec : formOf(mnemonic).operands)
        text += (&spec == formOf(mnemonic).operands.data() ? " " : ", ") +
                sampleOperand(spec, mnemonic);
      Module module = parsed(".version 9.0\n.target sm_90\n.entry k {\n" +
                             registers + text + ";\n}");
      ASSERT_FALSE(module.functions.empty()) << text;
      const Function &function = module.functions[0];
      auto operation = resolve(function, function.instructions.at(0));
      EXPECT_TRUE(operation) << text << ": " << operation.error();
      ++resolved;
    }
  }
  EXPECT_GT(resolved, 600u);
}

TEST(InstructionTable, WhatHasNoMeaningIsNamed) {
  Module module = parsed(inKernel("ld.global.b32 %r1, [%rd1];\n"
                                  "cvt.rs.f16x2.f32 %r1, %f1, %f2, %r2;"));
  const Function &function = module.functions[0];
  EXPECT_EQ(resolve(function, function.instructions[0]).error(),
            "'ld.global.b32' does not compute its results from its operands "
            "alone");
  EXPECT_EQ(resolve(function, function.instructions[1]).error(),
            "'cvt.rs.f16x2.f32' is not executed by this version");
}

} // namespace
