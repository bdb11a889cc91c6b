// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row of class `compute` has a meaning, with every choice of modifiers
// that the validator accepts.

#include "evaluator.h"

#include "ptx/parser.h"
#include "ptx/validator.h"

#include <gmock/gmock.h>

using namespace tessera::ptx;

namespace {

void expand(const InstructionForm &row, std::size_t slot,
            const std::string &text, std::vector<std::string> &to) {
  if (slot == row.modifiers.size()) {
    to.push_back(text);
    return;
  }
  if (row.modifiers[slot].optional)
    expand(row, slot + 1, text, to);
  for (Modifier choice : row.modifiers[slot].choices)
    expand(row, slot + 1, text + "." + std::string(spelling(choice)), to);
}

/// What `resolve` says about a mnemonic, "" when it finds a meaning or the
/// modifiers do not go together.
std::string complaintAbout(const std::string &text, std::size_t operands) {
  auto match = matchMnemonic(text);
  if (!match)
    return {};
  Mnemonic mnemonic = match->select(unsigned(operands));
  std::size_t sources = 0;
  for (const OperandSpec &spec : formOf(mnemonic).operands)
    sources += spec.access == Access::read;
  auto module = parse(textFor(mnemonic, std::vector<std::uint64_t>(sources)));
  if (!module || !validate(*module).empty())
    return {};
  const Function &function = module->functions[0];
  auto operation = resolve(function, function.instructions.at(0));
  return operation ? std::string() : operation.error();
}

/// Stochastic rounding: how the random bits are spread over the results is
/// not known here, and no device to ask.
bool isOpen(const std::string &mnemonic) {
  return mnemonic.starts_with("cvt.rs.");
}

TEST(Meanings, EveryRowThatComputesHasOne) {
  std::size_t count = 0;
  for (const InstructionForm &row : instructionForms()) {
    if (opcodeClass(row.opcode) != OpcodeClass::compute)
      continue;
    std::vector<std::string> mnemonics;
    expand(row, 0, std::string(spelling(row.opcode)), mnemonics);
    for (const std::string &mnemonic : mnemonics) {
      std::string complaint = complaintAbout(mnemonic, row.operands.size());
      if (isOpen(mnemonic))
        EXPECT_THAT(complaint, testing::HasSubstr("not executed"));
      else
        EXPECT_EQ(complaint, "");
      ++count;
    }
  }
  EXPECT_GT(count, 5000u);
}

} // namespace
