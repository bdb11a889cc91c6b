// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/printer.h"
#include "support.h"

#include <gmock/gmock.h>

using namespace tessera::ptx;
using testing::ElementsAre;
using testing::SizeIs;

namespace {

/// The first instruction of a kernel with these statements.
struct Parsed {
  explicit Parsed(std::string_view statements)
      : module(parsed(inKernel(statements))), function(module.functions.at(0)),
        first(function.instructions.at(0)) {}

  [[nodiscard]] const Operand &operand(std::size_t i) const {
    return function.operandsOf(first)[i];
  }
  [[nodiscard]] std::string_view nameOf(const RegisterRef &reg) const {
    return function.registers.at(reg.index).name;
  }

  Module module;
  const Function &function;
  const Instruction &first;
};

TEST(Parser, ReadsTheHeader) {
  Module module = parsed(".version 8.3\n.target sm_90a, debug\n"
                         ".address_size 64\n");
  EXPECT_EQ(module.version.number(), 83u);
  EXPECT_EQ(module.target.arch, (Arch{90, 'a'}));
  EXPECT_THAT(module.target.options, ElementsAre("debug"));
  EXPECT_EQ(module.addressSize, 64u);
}

TEST(Parser, DecodesMnemonics) {
  Parsed p("@!%p1 ld.global.nc.L1::no_allocate.v4.f32 "
           "{%f1,%f2,%f3,%f4}, [%rd1+-16];");
  EXPECT_EQ(p.first.opcode(), Opcode::ld);
  EXPECT_TRUE(p.first.has(Modifier::nc));
  EXPECT_EQ(p.first.mnemonic.space(), StateSpace::global);
  EXPECT_EQ(p.first.mnemonic.vectorWidth(), 4u);
  EXPECT_EQ(p.first.type(), Type::f32);
  EXPECT_TRUE(p.first.guard.negated);
  EXPECT_EQ(p.function.registers[p.first.guard.registerIndex].name, "%p1");

  const auto *vector = p.operand(0).getIf<VectorOperand>();
  ASSERT_TRUE(vector);
  EXPECT_THAT(p.function.operandsIn(vector->elements), SizeIs(4));
  const auto *address = p.operand(1).getIf<Address>();
  ASSERT_TRUE(address);
  EXPECT_EQ(p.nameOf(std::get<RegisterRef>(address->base)), "%rd1");
  EXPECT_EQ(address->offset, -16);
}

TEST(Parser, KnowsPositions) {
  Parsed p("  add.s32 %r1, %r2, 3;");
  EXPECT_EQ(SourcePos(p.first.pos), (SourcePos{8, 3}));
  EXPECT_EQ(SourcePos(p.operand(2).pos), (SourcePos{8, 21}));
}

TEST(Parser, RegistersOfRangesExistOnlyWhenUsed) {
  Parsed p("add.s32 %r7, %r8, %r7;");
  ASSERT_THAT(p.function.registers, SizeIs(2));
  EXPECT_EQ(p.function.registers[0].name, "%r7");
  EXPECT_EQ(p.function.registers[0].type, Type::b32);
}

TEST(Parser, AHugeRegisterRangeCostsNothing) {
  Parsed p(".reg .b64 %huge<2000000000>; mov.u64 %huge1999999999, 0;");
  EXPECT_THAT(p.function.registers, SizeIs(1));
}

TEST(Parser, InnerScopesHideOuterNames) {
  Parsed p("{ .reg .b64 %r1; mov.b64 %r1, 0; } mov.b32 %r1, 0;");
  ASSERT_THAT(p.function.registers, SizeIs(2));
  EXPECT_EQ(p.function.registers[0].type, Type::b64);
  EXPECT_EQ(p.function.registers[1].type, Type::b32);
}

TEST(Parser, LabelsAreInstructionIndices) {
  Parsed p("bra end; $top: mov.b32 %r1, 0; @%p1 bra $top; end:");
  ASSERT_THAT(p.function.labels, SizeIs(2));
  const auto *forward = p.operand(0).getIf<LabelRef>();
  ASSERT_TRUE(forward);
  EXPECT_EQ(p.function.labels[forward->index].name, "end");
  EXPECT_EQ(p.function.labels[forward->index].instruction, 3u);
  const Instruction &back = p.function.instructions[2];
  const auto *label = p.function.operandsOf(back)[0].getIf<LabelRef>();
  ASSERT_TRUE(label);
  EXPECT_EQ(p.function.labels[label->index].instruction, 1u);
}

TEST(Parser, LabelsOfTheSameNameInTwoBlocks) {
  Parsed p("{ bra x; x: } { bra x; x: }");
  const auto *first = p.operand(0).getIf<LabelRef>();
  const auto *second =
      p.function.operandsOf(p.function.instructions[1])[0].getIf<LabelRef>();
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->index, second->index);
}

TEST(Parser, BranchTables) {
  Parsed p("brx.idx %r1, table;\ntable: .branchtargets a, b;\na: b:");
  const auto *table = p.operand(1).getIf<TableRef>();
  ASSERT_TRUE(table);
  EXPECT_EQ(table->kind, TableRef::Kind::branchTargets);
  EXPECT_THAT(p.function.branchTargets[table->index].labels,
              ElementsAre(0u, 1u));
}

TEST(Parser, PairsSinksAndNegation) {
  Parsed p("setp.lt.and.s32 %p1|_, %r1, %r2, !%p3;");
  const auto *pair = p.operand(0).getIf<PairOperand>();
  ASSERT_TRUE(pair);
  auto both = p.function.operandsIn(pair->elements);
  EXPECT_EQ(p.nameOf(*both[0].getIf<RegisterRef>()), "%p1");
  EXPECT_TRUE(both[1].is<Sink>());
  EXPECT_TRUE(p.operand(3).getIf<RegisterRef>()->negated);
}

TEST(Parser, ConstantExpressions) {
  auto valueOf = [](std::string_view expression) {
    Parsed p("mov.b64 %rd1, " + std::string(expression) + ";");
    const auto *value = p.operand(1).getIf<IntImmediate>();
    return value ? std::int64_t(value->bits) : -999;
  };
  EXPECT_EQ(valueOf("1+2*3"), 7);
  EXPECT_EQ(valueOf("(1+2)*3"), 9);
  EXPECT_EQ(valueOf("-8/3"), -2);
  EXPECT_EQ(valueOf("-7 % 4"), -3);
  EXPECT_EQ(valueOf("1<<40"), std::int64_t(1) << 40);
  EXPECT_EQ(valueOf("-16>>2"), -4);
  EXPECT_EQ(valueOf("~5&0xF"), 10);
  EXPECT_EQ(valueOf("3>2 ? 7 : 9"), 7);
  EXPECT_EQ(valueOf("0b101|010"), 13);
  EXPECT_EQ(valueOf("-1 < 1U ? 1 : 2"), 2) << "comparison is unsigned";
  EXPECT_EQ(valueOf("-9223372036854775808"),
            std::numeric_limits<std::int64_t>::min());
}

TEST(Parser, ImmediateBits) {
  Parsed p("mov.f32 %f1, 0f3FC00000;");
  EXPECT_EQ(immediateBits(p.operand(1), Type::f32), 0x3fc00000u);
  EXPECT_EQ(immediateBits(p.operand(1), Type::f64), 0x3ff8000000000000u);
  EXPECT_EQ(immediateBits(p.operand(1), Type::s32), std::nullopt);
  Parsed decimal("mov.f32 %f1, 0.1;");
  EXPECT_EQ(immediateBits(decimal.operand(1), Type::f32), 0x3dcccccdu);
  Parsed negative("mov.b16 %rs1, -2;");
  EXPECT_EQ(immediateBits(negative.operand(1), Type::b16), 0xfffeu);
  EXPECT_EQ(immediateBits(negative.operand(1), Type::f32), std::nullopt);
  EXPECT_EQ(immediateBits(negative.operand(0), Type::b16), std::nullopt);
}

TEST(Parser, CallsHaveFixedOperandPlaces) {
  Module module = parsed(R"(.version 8.0
.target sm_80
.func f;
.func (.param .b32 r) g(.param .b32 a) { ret; }
.entry k {
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  call f;
  { .param .b32 x; .param .b32 y;
    call.uni (y), g, (x);
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (y), %rd1, (x), proto; }
  ret;
})");
  const Function &k = *module.findFunction("k");
  auto list = [&](const Instruction &call, std::size_t i) {
    return k.operandsIn(k.operandsOf(call)[i].getIf<ListOperand>()->elements);
  };
  ASSERT_THAT(k.instructions, SizeIs(4));
  EXPECT_THAT(list(k.instructions[0], 0), SizeIs(0));
  EXPECT_THAT(list(k.instructions[0], 2), SizeIs(0));
  EXPECT_THAT(list(k.instructions[1], 0), SizeIs(1));
  EXPECT_THAT(list(k.instructions[1], 2), SizeIs(1));
  auto indirect = k.operandsOf(k.instructions[2]);
  ASSERT_THAT(indirect, SizeIs(4));
  EXPECT_TRUE(indirect[1].is<RegisterRef>());
  EXPECT_EQ(indirect[3].getIf<TableRef>()->kind, TableRef::Kind::callPrototype);
}

TEST(Parser, ADefinitionReplacesItsDeclaration) {
  Module module = parsed(".version 8.0\n.target sm_80\n.func f;\n"
                         ".func g { call f; ret; }\n.func f { ret; }\n"
                         ".extern .global .b32 v;\n"
                         ".visible .global .b32 v = 3;\n");
  EXPECT_TRUE(module.findFunction("f")->isDefinition);
  EXPECT_EQ(module.findVariable("v")->linkage, Linkage::visible);
  const Function &g = *module.findFunction("g");
  const auto *callee = g.operandsOf(g.instructions[0])[1].getIf<SymbolRef>();
  EXPECT_EQ(module.functionOf(callee->index), module.findFunction("f"));
}

TEST(Parser, DirectivesOfFunctions) {
  Module module = parsed(R"(.version 8.0
.target sm_90
.visible .entry k(.param .u64 .ptr .global .align 8 a, .param .align 4 .b8 b[12])
.maxntid 128, 2
.reqntid 64
.minnctapersm 3
.maxnreg 40
.explicitcluster
.reqnctapercluster 2, 1, 1
.pragma "nounroll";
{ ret; }
.func f() .noreturn;
)");
  const Function &k = module.functions[0];
  EXPECT_EQ(k.directives.maxThreads, (Extent{128, 2, 1}));
  EXPECT_EQ(k.directives.requiredThreads, (Extent{64, 1, 1}));
  EXPECT_EQ(k.directives.minBlocks, 3u);
  EXPECT_EQ(k.directives.maxRegisters, 40u);
  EXPECT_TRUE(k.directives.explicitCluster);
  EXPECT_EQ(k.directives.requiredCluster, (Extent{2, 1, 1}));
  ASSERT_THAT(k.directives.pragmas, SizeIs(1));
  EXPECT_EQ(k.directives.pragmas[0].text, "nounroll");
  ASSERT_THAT(k.params(), SizeIs(2));
  EXPECT_TRUE(k.params()[0].isPointer);
  EXPECT_EQ(k.params()[0].pointeeSpace, StateSpace::global);
  EXPECT_EQ(k.params()[0].pointeeAlign, 8u);
  EXPECT_EQ(k.params()[1].size(), 12u);
  EXPECT_TRUE(module.functions[1].directives.noReturn);
}

TEST(Parser, InitialValues) {
  Module module = parsed(R"(.version 8.0
.target sm_80
.global .b32 a;
.global .align 4 .b32 m[2][3] = {{1, 2}, {3}};
.global .b64 p[] = {a+8, generic(a)+4, 7};
.global .b8 bytes[4] = {0xff(a), 0xff00(a)};
.global .v4 .f32 v = {1.0, 2.0};
)");
  auto offsets = [&](std::string_view name) {
    std::vector<std::uint64_t> result;
    for (const InitialValue &value : initialValues(*module.findVariable(name)))
      result.push_back(value.offset);
    return result;
  };
  EXPECT_THAT(offsets("m"), ElementsAre(0, 4, 12));
  EXPECT_EQ(module.findVariable("m")->size(), 24u);
  EXPECT_THAT(offsets("p"), ElementsAre(0, 8, 16));
  EXPECT_EQ(module.findVariable("p")->size(), 24u);
  EXPECT_THAT(offsets("v"), ElementsAre(0, 4));
  EXPECT_EQ(module.findVariable("v")->size(), 16u);
  EXPECT_EQ(module.findVariable("v")->alignment(), 16u);
  const Variable &p = *module.findVariable("p");
  const auto &second = std::get<SymbolAddress>(
      std::get<std::vector<Initializer>>(p.init->value)[1].value);
  EXPECT_TRUE(second.isGeneric);
  EXPECT_EQ(second.symbol.offset, 4);
  const Variable &bytes = *module.findVariable("bytes");
  const auto &high = std::get<SymbolAddress>(
      std::get<std::vector<Initializer>>(bytes.init->value)[1].value);
  EXPECT_EQ(high.mask, 0xff00u);
}

TEST(Parser, LocationsBelongToInstructions) {
  Parsed p(".loc 1 10 5\nmov.b32 %r1, 0;\n.loc 1 20 7, function_name "
           "$L__info_string0+14, inlined_at 1 10 5\nmov.b32 %r2, 0;");
  ASSERT_THAT(p.function.locations, SizeIs(2));
  EXPECT_EQ(p.function.instructions[0].location, 0u);
  const Location &second =
      p.function.locations[p.function.instructions[1].location];
  EXPECT_EQ(second.line, 20u);
  ASSERT_TRUE(second.inlinedAt);
  EXPECT_EQ(second.inlinedAt->nameOffset, 14u);
  EXPECT_EQ(second.inlinedAt->line, 10u);
}

TEST(Parser, SpecialRegistersHaveComponents) {
  Parsed p("mov.u32 %r1, %ctaid.y;");
  const auto *special = p.operand(1).getIf<SpecialRegisterRef>();
  ASSERT_TRUE(special);
  EXPECT_EQ(special->id, SpecialRegister::ctaid);
  EXPECT_EQ(special->component, Component::y);
}

TEST(Parser, TensorAddressesHaveParts) {
  Parsed p("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_"
           "tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];");
  const auto *map = p.operand(1).getIf<Address>();
  ASSERT_TRUE(map);
  auto parts = p.function.operandsIn(map->parts);
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_THAT(p.function.operandsIn(parts[0].getIf<VectorOperand>()->elements),
              SizeIs(2));
}

TEST(Printer, PrintsAnInstructionForMessages) {
  Parsed p("@!%p1 st.shared.v2.b32 [svar+8], {%r1, %r2};");
  EXPECT_EQ(print(p.module, p.function, p.first),
            "@!%p1 st.shared.v2.b32 [svar+8], {%r1, %r2};");
}

TEST(Printer, PrintingIsReadBackAsTheSameModule) {
  std::string text = inKernel(
      "mov.b64 %rd1, gvar+4; mov.b32 %r1, -5; mov.f32 %f1, 0fBF800000;\n"
      "mov.f64 %fd1, 1.5; setp.ne.s32 %p1|%p2, %r1, 0; bar.sync 0, 32;\n"
      "mov.b64 {%r1, _}, %rd1; ld.param.u32 %r2, [p1]; trap;");
  Module module = parsed(text);
  Module again = parsed(print(module));
  EXPECT_TRUE(module == again);
  EXPECT_EQ(print(module), print(again));
  Module other = parsed(inKernel("mov.b64 %rd1, gvar+8;"));
  EXPECT_FALSE(module == other);
}

TEST(Parser, VideoOperandsSelectParts) {
  Parsed p("vmad.s32.u32.s32.sat.shr7 %r1, -%r2.b3, %r3.h1, -%r4;");
  auto operands = p.function.operandsOf(p.first);
  const auto *a = operands[1].getIf<RegisterRef>();
  ASSERT_TRUE(a);
  EXPECT_TRUE(a->negated);
  EXPECT_TRUE(a->selector.isBytes());
  EXPECT_EQ(a->selector.count(), 1u);
  EXPECT_EQ(a->selector.lane(0), 3u);
  EXPECT_TRUE(operands[3].getIf<RegisterRef>()->negated);
  EXPECT_FALSE(operands[3].getIf<RegisterRef>()->selector);
  EXPECT_EQ(print(p.module, p.function, p.first),
            "vmad.s32.u32.s32.sat.shr7 %r1, -%r2.b3, %r3.h1, -%r4;");
  Parsed q("vset4.u32.u32.lt.add %r1.b310, %r2.b7610, %r3, %r4;");
  const auto mask =
      q.function.operandsOf(q.first)[0].getIf<RegisterRef>()->selector;
  EXPECT_EQ(mask.count(), 3u);
  EXPECT_EQ(mask.lane(0), 0u);
  EXPECT_EQ(mask.lane(2), 3u);
  EXPECT_TRUE(q.module == parsed(print(q.module)));
}

TEST(Parser, CopiesKeepTheText) {
  Module copy;
  {
    std::string text = inKernel("mov.b32 %r1, 0;");
    Module module = parsed(text);
    copy = module;
    text.assign(text.size(), '?');
  }
  EXPECT_EQ(copy.findFunction("kernel")->registers.at(0).name, "%r1");
}

} // namespace
