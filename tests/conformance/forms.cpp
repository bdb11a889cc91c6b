// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "form.h"
#include "kernel-text.h"

#include "ptx/parser.h"
#include "ptx/validator.h"

#include <map>
#include <set>
#include <utility>

namespace tessera::conformance {

namespace {

/// Rules between modifiers are the validator's: the table alone would allow
/// `setp.lo.s32`.
bool isValid(const Form &form) {
  const Form *one[] = {&form};
  auto module = ptx::parse(moduleText(one));
  return module && ptx::validate(*module).empty();
}

std::vector<Form> makeForms() {
  std::vector<Form> candidates;
  addComputeForms(candidates);
  addMoveForms(candidates);
  addMemoryForms(candidates);
  addAtomicForms(candidates);
  addWarpForms(candidates);
  addMatrixForms(candidates);
  addWgmmaForms(candidates);
  addBarrierForms(candidates);
  addClusterForms(candidates);
  addBulkForms(candidates);
  addTensorForms(candidates);
  addSearches(candidates);

  std::multimap<std::uint16_t, Form *> byRow; // Keeps the order within a row.
  for (Form &form : candidates)
    byRow.emplace(form.row, &form);

  std::vector<Form> forms;
  std::set<std::string> names;
  for (auto [row, form] : byRow)
    if (!names.contains(form->name) && isValid(*form)) {
      names.insert(form->name);
      forms.push_back(std::move(*form));
    }
  return forms;
}

} // namespace

const std::vector<Form> &allForms() {
  static const std::vector<Form> forms = makeForms();
  return forms;
}

unsigned threadsOf(const Form &form) {
  if (form.threads != 0)
    return form.threads;
  using ptx::OpcodeClass;
  ptx::Opcode opcode = form.tableRow().opcode;
  switch (ptx::opcodeClass(opcode)) {
  case OpcodeClass::memory:
  case OpcodeClass::move:
    return 32; // They take values as they are.
  case OpcodeClass::atomic:
    return 64;
  case OpcodeClass::matrix:
    return 128;
  default:
    break;
  }
  // Conversions have many corners.
  bool isLong = form.sources.size() > 1 || opcode == ptx::Opcode::cvt;
  return isLong ? maxThreads : 128;
}

std::vector<std::uint32_t> recordedResults(const Form &form) {
  constexpr std::size_t mostOfMatrix = 256;
  std::size_t count = threadsOf(form) * form.results.size(), stride = 1;
  bool isMatrix =
      ptx::opcodeClass(form.tableRow().opcode) == ptx::OpcodeClass::matrix;
  // An odd stride meets all registers of all lanes, form by form.
  if (isMatrix && count > mostOfMatrix)
    stride = (count / mostOfMatrix) | 1;
  std::vector<std::uint32_t> positions;
  for (std::size_t at = 0; at < count; at += stride)
    positions.push_back(std::uint32_t(at));
  return positions;
}

ptx::Type registerType(ptx::Type type) {
  if (type == ptx::Type::pred)
    return type;
  switch (ptx::bitWidth(type)) {
  case 16:
    return ptx::Type::b16;
  case 64:
    return ptx::Type::b64;
  default: // Registers of 8 bits are wider.
    return ptx::Type::b32;
  }
}

} // namespace tessera::conformance
