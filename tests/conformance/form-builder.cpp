// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "form-builder.h"

namespace tessera::conformance {

namespace {

template <class Make> std::string braced(unsigned count, Make make) {
  std::string list;
  for (unsigned i = 0; i < count; ++i)
    list += (i == 0 ? "{" : ", ") + make();
  return list + "}";
}

} // namespace

std::string FormBuilder::source(ptx::Type type, Draw draw) {
  form.sources.push_back({type, draw});
  return "s" + std::to_string(form.sources.size() - 1);
}

std::string FormBuilder::result(ptx::Type type) {
  form.results.push_back(type);
  return "d" + std::to_string(form.results.size() - 1);
}

std::string FormBuilder::sources(ptx::Type type, unsigned count) {
  return count == 1 ? source(type)
                    : braced(count, [&] { return source(type); });
}

std::string FormBuilder::elements(ptx::Type type, unsigned count,
                                  ptx::Type element) {
  return braced(count, [&] { return this->element(type, element); });
}

std::string FormBuilder::element(ptx::Type type, ptx::Type element) {
  std::string name = source(type, Draw::element);
  form.sources.back().element = element;
  return name;
}

std::string FormBuilder::results(ptx::Type type, unsigned count) {
  return count == 1 ? result(type)
                    : braced(count, [&] { return result(type); });
}

FormBuilder &FormBuilder::line(const std::string &text) {
  form.body += "  " + text + "\n";
  return *this;
}

FormBuilder &
FormBuilder::instruction(const std::vector<std::string> &operands) {
  std::string list;
  for (const std::string &operand : operands)
    list += (list.empty() ? " " : ", ") + operand;
  operandCount = unsigned(operands.size());
  return line(mnemonic + list + ";");
}

FormBuilder &FormBuilder::uses(Cell cell) {
  form.cell = cell;
  return *this;
}

std::string FormBuilder::fragment(ptx::Type type, unsigned count) {
  return braced(count, [&] { return result(type); });
}

FormBuilder &FormBuilder::runsOn(unsigned threads, unsigned blocks) {
  form.threads = threads;
  form.blocks = blocks;
  return *this;
}

FormBuilder &FormBuilder::copies(const Tensor &tensor) {
  form.tensor = tensor;
  return *this;
}

FormBuilder &FormBuilder::needsVersion(unsigned version) {
  form.leastVersion = version;
  return *this;
}

FormBuilder &FormBuilder::tolerates(const Tolerance &tolerance) {
  form.tolerance = tolerance;
  return *this;
}

void FormBuilder::finish(const std::string &note) {
  int row = rowOf(mnemonic, operandCount);
  if (row < 0 || !recordedArch.supportsAny(
                     ptx::instructionForms()[std::size_t(row)].targets))
    return;
  form.row = std::uint16_t(row);
  form.name = note.empty() ? mnemonic : mnemonic + " (" + note + ")";
  forms.push_back(std::move(form));
}

std::string dotted(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts)
    if (!part.empty())
      text.append(text.empty() ? "" : ".").append(part);
  return text;
}

} // namespace tessera::conformance
