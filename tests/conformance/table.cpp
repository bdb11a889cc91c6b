// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "table.h"

namespace tessera::conformance {

namespace {

/// What became of the forms of one row.
struct RowCount {
  unsigned forms = 0, recorded = 0, matching = 0, unrecorded = 0;
  std::string exceptions; ///< names of those that do not match, and why
};

void note(RowCount &row, const std::string &name, std::string_view why) {
  row.exceptions += row.exceptions.empty() ? "" : ", ";
  row.exceptions += "`" + name + "` " + std::string(why);
}

void count(RowCount &row, const Form &form, Verdict verdict) {
  ++row.forms;
  switch (verdict) {
  case Verdict::matches:
    ++row.recorded;
    ++row.matching;
    return;
  case Verdict::differs:
    ++row.recorded;
    return note(row, form.name, "differs");
  case Verdict::notExecuted:
    ++row.recorded;
    return note(row, form.name, "is not executed");
  case Verdict::refused:
    return note(row, form.name, "was refused");
  case Verdict::notRecorded:
    ++row.unrecorded;
    return;
  }
}

/// In a table cell; a bar would end it.
std::string cell(std::string_view text) {
  std::string escaped;
  for (char letter : text)
    escaped += letter == '|' ? std::string("\\|") : std::string(1, letter);
  return escaped;
}

std::string rowLine(const ptx::InstructionForm &entry, const RowCount &row) {
  // wgmma names a hundred shapes.
  constexpr std::size_t most = 120;
  std::string modifiers(entry.modifierPattern.substr(0, most));
  if (entry.modifierPattern.size() > most)
    modifiers += " …";
  std::string line = "| `" + std::string(ptx::spelling(entry.opcode)) + "` | " +
                     (modifiers.empty() ? "" : "`" + cell(modifiers) + "`") +
                     " | ";
  if (!recordedArch.supportsAny(entry.targets))
    return line + "| | | needs " + ptx::alternativesText(entry.targets) +
           " |\n";
  if (row.forms == 0)
    return line + "0 | | | |\n";
  std::string rest = row.exceptions;
  if (row.unrecorded > 0)
    rest += (rest.empty() ? "" : ", ") + std::to_string(row.unrecorded) +
            " not recorded";
  return line + std::to_string(row.forms) + " | " +
         std::to_string(row.recorded) + " | " + std::to_string(row.matching) +
         " | " + rest + " |\n";
}

} // namespace

std::string conformancePage(const std::vector<std::string> &recordingHeader,
                            std::span<const Verdict> verdicts) {
  std::vector<RowCount> rows(ptx::instructionForms().size());
  RowCount all;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const Form &form = allForms()[i];
    count(rows[form.row], form, verdicts[i]);
    count(all, form, verdicts[i]);
  }
  std::string page =
      "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"
      "<!-- Made by `conformance table`; do not edit. -->\n"
      "# Conformance of instructions\n\n"
      "Each form of an instruction is one kernel that is applied to corner "
      "cases and random\nvalues (`tests/conformance`). Its results were "
      "recorded on hardware; the virtual GPU\nmust give the same, bit for bit, "
      "or within the error that the PTX ISA states for\napproximate "
      "instructions. Modifiers are written as in `src/ptx/instructions.def`: a "
      "bar "
      "for a choice, `?` for\nwhat may be left out, `$name` for a set.\n\n";
  for (std::size_t i = 1; i < recordingHeader.size(); ++i)
    page += "- " + recordingHeader[i] + "\n";
  page += "- " + std::to_string(all.forms) + " forms, " +
          std::to_string(all.recorded) + " recorded, " +
          std::to_string(all.matching) +
          " match\n\n"
          "| instruction | modifiers | forms | recorded | match | |\n"
          "|---|---|--:|--:|--:|---|\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    page += rowLine(ptx::instructionForms()[i], rows[i]);
  return page;
}

} // namespace tessera::conformance
