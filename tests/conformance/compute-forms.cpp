// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of class `compute`: expanded from the instruction table, every choice
// of every modifier.

#include "form.h"

#include <algorithm>
#include <span>

namespace tessera::conformance {

namespace {

using ptx::Access;
using ptx::Mnemonic;
using ptx::Modifier;
using ptx::Opcode;
using ptx::OperandKind;
using ptx::OperandSpec;
using ptx::Type;

void expand(const ptx::InstructionForm &row, std::size_t slot,
            const std::string &text, std::vector<std::string> &to) {
  if (slot == row.modifiers.size()) {
    to.push_back(text);
    return;
  }
  if (row.modifiers[slot].optional)
    expand(row, slot + 1, text, to);
  for (Modifier choice : row.modifiers[slot].choices)
    expand(row, slot + 1, text + "." + std::string(ptx::spelling(choice)), to);
}

/// Truth tables for the constant of lop3: the sources, and mixtures.
constexpr unsigned truthTables[] = {0x00, 0xff, 0xf0, 0xcc, 0xaa, 0x80,
                                    0xfe, 0x96, 0xe8, 0xca, 0x1b, 0x6a};

bool isTrigonometric(Opcode opcode) {
  return opcode == Opcode::sin || opcode == Opcode::cos;
}

Draw drawOf(const Mnemonic &mnemonic, const OperandSpec &spec,
            std::size_t index) {
  if (isTrigonometric(mnemonic.opcode))
    return Draw::angle;
  if (mnemonic.opcode == Opcode::fns && index > 0)
    return index == 1 ? Draw::bitIndex : Draw::amount;
  bool isCount = spec.fixedType == Type::u32 || spec.fixedType == Type::s32;
  return isCount ? Draw::amount : Draw::value;
}

bool isSubtraction(Opcode opcode) {
  return opcode == Opcode::sub || opcode == Opcode::subc;
}

/// Reads CC.CF before and after: an addition of all ones sets it, a
/// subtraction from 0 borrows, where the last source is not 0.
class CarryText {
public:
  CarryText(const Mnemonic &mnemonic, Form &form)
      : type(ptx::spelling(mnemonic.type())), mnemonic(mnemonic), form(form) {}

  std::string before() {
    if (mnemonic.opcode != Opcode::addc && mnemonic.opcode != Opcode::subc &&
        mnemonic.opcode != Opcode::madc)
      return "";
    std::string carry = "s" + std::to_string(form.sources.size());
    form.sources.push_back({Type::pred});
    std::string text = "  .reg ." + type + " one;\n  selp." + type +
                       " one, 1, 0, " + carry + ";\n";
    return text + (isSubtraction(mnemonic.opcode)
                       ? "  sub.cc." + type + " one, 0, one;\n"
                       : "  add.cc." + type + " one, one, -1;\n");
  }
  std::string after() {
    if (!mnemonic.has(Modifier::cc))
      return "";
    std::string result = "d" + std::to_string(form.results.size());
    form.results.push_back(mnemonic.type());
    return std::string(isSubtraction(mnemonic.opcode) ? "  subc." : "  addc.") +
           type + " " + result + ", 0, 0;\n";
  }

private:
  std::string type;
  const Mnemonic &mnemonic;
  Form &form;
};

/// The operands of one instruction. Registers of sources are made for the
/// first instruction of a body and used by the others.
class OperandText {
public:
  OperandText(const Mnemonic &mnemonic, Form &form, unsigned constant)
      : mnemonic(mnemonic), form(form), constant(constant) {}

  std::string text(std::span<const OperandSpec> specs) {
    std::string list;
    for (const OperandSpec &spec : specs)
      list += (list.empty() ? "" : ", ") + operand(spec);
    return list;
  }

private:
  std::string operand(const OperandSpec &spec) {
    Type type = spec.typeFor(mnemonic);
    if (spec.kind == OperandKind::constant)
      return std::to_string(constant);
    if (spec.access == Access::read)
      return source({type, drawOf(mnemonic, spec, sources)});
    if (spec.kind == OperandKind::pair) {
      std::string first = result(type);
      return first + "|" + result(Type::pred);
    }
    return result(type);
  }
  std::string source(Source source) {
    if (sources == form.sources.size())
      form.sources.push_back(source);
    return "s" + std::to_string(sources++);
  }
  std::string result(Type type) {
    form.results.push_back(type);
    return "d" + std::to_string(form.results.size() - 1);
  }

  const Mnemonic &mnemonic;
  Form &form;
  unsigned constant;
  std::size_t sources = 0;
};

bool isPlain(const OperandSpec &spec) {
  return spec.kind == OperandKind::value ||
         spec.kind == OperandKind::predicate ||
         spec.kind == OperandKind::pair || spec.kind == OperandKind::constant;
}

/// The form of a mnemonic, with all of its operands.
Form computeForm(const Mnemonic &mnemonic, const std::string &name) {
  Form form;
  form.name = name;
  form.row = mnemonic.form;
  form.tolerance = toleranceOf(mnemonic);
  const auto &specs = ptx::formOf(mnemonic).operands;
  bool hasConstant = false;
  for (const OperandSpec &spec : specs)
    hasConstant |= spec.kind == OperandKind::constant;
  std::span<const unsigned> constants =
      hasConstant ? std::span<const unsigned>(truthTables)
                  : std::span<const unsigned>(truthTables).first(1);
  std::string body;
  for (unsigned constant : constants)
    body += "  " + mnemonic.str() + " " +
            OperandText(mnemonic, form, constant).text(specs) + ";\n";
  CarryText carry(mnemonic, form);
  form.body = carry.before() + body + carry.after();
  return form;
}

void addFormsOfRow(std::uint16_t row, std::vector<Form> &forms) {
  const ptx::InstructionForm &entry = ptx::instructionForms()[row];
  if (ptx::opcodeClass(entry.opcode) != ptx::OpcodeClass::compute ||
      !recordedArch.supportsAny(entry.targets) ||
      !std::ranges::all_of(entry.operands, isPlain))
    return;
  auto count = unsigned(entry.operands.size());
  for (const std::string &text : mnemonicsOf(entry)) {
    auto match = ptx::matchMnemonic(text);
    if (!match)
      continue;
    Mnemonic mnemonic = match->select(count);
    if (mnemonic.form == row)
      forms.push_back(computeForm(mnemonic, text));
  }
}

} // namespace

std::vector<std::string> mnemonicsOf(const ptx::InstructionForm &row) {
  std::vector<std::string> mnemonics;
  expand(row, 0, std::string(ptx::spelling(row.opcode)), mnemonics);
  return mnemonics;
}

int rowOf(std::string_view mnemonic, unsigned operandCount) {
  auto match = ptx::matchMnemonic(mnemonic);
  if (!match)
    return -1;
  Mnemonic selected = match->select(operandCount);
  return ptx::acceptsOperandCount(ptx::formOf(selected), operandCount)
             ? selected.form
             : -1;
}

Tolerance toleranceOf(const Mnemonic &mnemonic) {
  using Kind = Tolerance::Kind;
  Type type = mnemonic.type();
  bool isHalf = type == Type::f16 || type == Type::f16x2;
  bool isBfloat = type == Type::bf16 || type == Type::bf16x2;
  if (mnemonic.opcode == Opcode::div && mnemonic.has(Modifier::full))
    return {Kind::ulp, 2};
  if (!mnemonic.has(Modifier::approx))
    return {};
  switch (mnemonic.opcode) {
  case Opcode::div:
    return {Kind::ulp, 2};
  case Opcode::rcp:
    // The manual states no error for f64; the upper word is as good as f32.
    return type == Type::f64 ? Tolerance{Kind::relative, 0x1p-20}
                             : Tolerance{Kind::ulp, 1};
  case Opcode::sqrt:
    return {Kind::relative, 0x1p-23};
  case Opcode::rsqrt:
    return type == Type::f64
               ? Tolerance{Kind::relative, 0x1p-20}
               : Tolerance{Kind::relative, 0x1.1260p-23}; // 2^-22.9
  case Opcode::sin:
  case Opcode::cos:
    return {Kind::angle, 0x1.6a0ap-21 /* 2^-20.5 */,
            0x1.3b2dp-15 /* 2^-14.7 */};
  case Opcode::lg2:
    return {Kind::logarithm, 0x1p-22};
  case Opcode::ex2:
    if (isHalf)
      return {Kind::relative, 0x1.1260p-10}; // 2^-9.9
    return isBfloat ? Tolerance{Kind::relative, 0x1p-7}
                    : Tolerance{Kind::ulp, 2};
  case Opcode::tanh:
    if (isHalf)
      return {Kind::absolute, 0x1.0252p-11}; // 2^-10.987
    return isBfloat ? Tolerance{Kind::absolute, 0x1p-8}
                    : Tolerance{Kind::relative, 0x1p-11};
  default:
    return {};
  }
}

void addComputeForms(std::vector<Form> &forms) {
  for (std::size_t row = 0; row < ptx::instructionForms().size(); ++row)
    addFormsOfRow(std::uint16_t(row), forms);
}

} // namespace tessera::conformance
