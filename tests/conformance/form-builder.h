// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts together the forms that are not expanded from the table.

#ifndef TESSERA_TESTS_CONFORMANCE_FORM_BUILDER_H
#define TESSERA_TESTS_CONFORMANCE_FORM_BUILDER_H

#include "form.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace tessera::conformance {

class FormBuilder {
public:
  FormBuilder(std::vector<Form> &forms, std::string mnemonic)
      : forms(forms), mnemonic(std::move(mnemonic)) {}

  /// Makes a register for a source and returns its name.
  std::string source(ptx::Type type, Draw draw = Draw::value);
  std::string result(ptx::Type type);
  /// A braced list of `count` registers; without braces for one.
  std::string sources(ptx::Type type, unsigned count);
  std::string results(ptx::Type type, unsigned count);
  /// A register for a source that holds elements of a matrix.
  std::string element(ptx::Type type, ptx::Type element);
  /// Braced lists for fragments of a matrix, and the elements that they hold.
  std::string elements(ptx::Type type, unsigned count, ptx::Type element);
  std::string fragment(ptx::Type type, unsigned count);

  /// Appends a statement.
  FormBuilder &line(const std::string &text);
  /// Appends the instruction itself.
  FormBuilder &instruction(std::initializer_list<std::string> operands) {
    return instruction(std::vector(operands));
  }
  FormBuilder &instruction(const std::vector<std::string> &operands);
  FormBuilder &uses(Cell cell);
  FormBuilder &tolerates(const Tolerance &tolerance);
  /// Threads of all blocks together; the blocks are one cluster.
  FormBuilder &runsOn(unsigned threads, unsigned blocks = 1);
  FormBuilder &copies(const Tensor &tensor);
  /// Where the table's row says less.
  FormBuilder &needsVersion(unsigned version);

  /// Adds the form where the table has its row; `note` tells it apart from
  /// others of the same mnemonic.
  void finish(const std::string &note = {});

private:
  std::vector<Form> &forms;
  std::string mnemonic;
  unsigned operandCount = 0;
  Form form;
};

/// "add" and "u32": "add.u32"; empty parts are left out.
[[nodiscard]] std::string dotted(std::initializer_list<std::string_view> parts);

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_FORM_BUILDER_H
