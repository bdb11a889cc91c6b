// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands: PTX ISA 9.0, chapter 6.

#include "ptx/parser-impl.h"

using namespace tessera::ptx;

namespace {

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::optional<Component> componentFromWord(std::string_view word) {
  static constexpr std::string_view names[] = {".x", ".y", ".z", ".w",
                                               ".r", ".g", ".b", ".a"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == word)
      return Component(1 + i % 4);
  return std::nullopt;
}

std::string expectedCount(const MnemonicMatch &match) {
  std::size_t least = ~std::size_t(0), most = 0;
  for (std::uint16_t index : match.forms) {
    std::size_t required = 0;
    const auto &operands = instructionForms()[index].operands;
    for (const OperandSpec &spec : operands)
      required += !spec.optional;
    least = std::min(least, required);
    most = std::max(most, operands.size());
  }
  std::string out = std::to_string(least);
  if (most != least)
    out += " to " + std::to_string(most);
  return out + (most == 1 ? " operand" : " operands");
}

} // namespace

OperandRange Parser::takeOperands(std::size_t base) {
  if (scratch.size() == base)
    return {};
  OperandRange range{std::uint32_t(function.operands.size()),
                     std::uint32_t(scratch.size() - base)};
  function.operands.insert(function.operands.end(), scratch.begin() + base,
                           scratch.end());
  scratch.resize(base);
  return range;
}

bool Parser::parseOperands(const MnemonicMatch &match,
                           Instruction &instruction) {
  Opcode opcode = instruction.opcode();
  instructionPending.clear();
  takesSelectors = opcodeClass(opcode) == OpcodeClass::video;
  bool ok = true;
  if (opcode == Opcode::call) {
    ok = parseCallOperands();
  } else if (!token.is(';')) {
    bool isBranch = opcode == Opcode::bra;
    bool isIndexed = opcode == Opcode::brx_idx;
    do {
      ok = isBranch || (isIndexed && scratch.size() == 1)
               ? parseLabelOperand(isIndexed)
               : parseOperand(0);
    } while (ok && consumeIf(','));
  }
  if (!ok || !expect(';', "after an instruction"))
    return false;

  auto count = unsigned(scratch.size());
  instruction.mnemonic = match.select(count);
  if (!acceptsOperandCount(formOf(instruction.mnemonic), count))
    return error(instruction.pos, quoted(instruction.mnemonic.str()) +
                                      " takes " + expectedCount(match) +
                                      " but has " + std::to_string(count));
  instruction.operands = takeOperands(0);
  for (Pending &pending : instructionPending) {
    pending.index += instruction.operands.first;
    scopes.back().pending.push_back(pending);
  }
  return checkOperandKinds(instruction);
}

//===----------------------------------------------------------------------===//
// Branches and calls
//===----------------------------------------------------------------------===//

bool Parser::parseLabelOperand(bool wantsTable) {
  SourcePos pos = token.pos;
  auto name = parseName(wantsTable ? "a table of targets" : "a label");
  if (!name)
    return false;
  instructionPending.push_back({Pending::Place::operand, *name, pos,
                                std::uint32_t(scratch.size()), 0, wantsTable});
  push({Sink(), pos});
  return true;
}

bool Parser::parseCallOperands() {
  // [(results),] callee [, (arguments)] [, table]
  SourcePos pos = token.pos;
  if (token.is('(')) {
    if (!parseList() || !expect(',', "after the results of a call"))
      return false;
  } else {
    push({ListOperand(), pos});
  }
  if (!parseCallee())
    return false;
  bool hasMore = consumeIf(',');
  pos = token.pos;
  if (hasMore && token.is('(')) {
    if (!parseList())
      return false;
    hasMore = consumeIf(',');
  } else {
    push({ListOperand(), pos});
  }
  return !hasMore || parseLabelOperand(/*wantsTable=*/true);
}

bool Parser::parseCallee() {
  SourcePos pos = token.pos;
  auto name = parseName("the function to call");
  if (!name)
    return false;
  if (const Entity *entity = lookUp(*name)) {
    if (entity->kind != Entity::Kind::reg)
      return error(pos, quoted(*name) + " is not a function");
    push({RegisterRef{entity->index}, pos});
    return true;
  }
  auto symbol = lookUpModule(*name);
  if (!symbol)
    return error(pos, "function " + quoted(*name) + " is not declared");
  if (module.symbols[*symbol].kind != Symbol::Kind::function)
    return error(pos, quoted(*name) + " is not a function");
  push({SymbolRef{SymbolRef::Scope::module, *symbol}, pos});
  return true;
}

bool Parser::parseList() {
  SourcePos pos = token.pos;
  std::size_t base = scratch.size();
  advance();
  if (!token.is(')')) {
    do {
      if (!parseOperand(1))
        return false;
    } while (consumeIf(','));
  }
  if (!expect(')', "after a list"))
    return false;
  push({ListOperand{takeOperands(base)}, pos});
  return true;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool Parser::parseOperand(unsigned depth) {
  if (depth > 4)
    return error(token.pos, "operands are nested too deeply");
  SourcePos pos = token.pos;
  std::size_t base = scratch.size();
  if (!parseSimpleOperand(depth))
    return false;
  if (!token.is('|'))
    return true;
  advance();
  if (!parseSimpleOperand(depth))
    return false;
  push({PairOperand{takeOperands(base)}, pos});
  return true;
}

bool Parser::parseSimpleOperand(unsigned depth) {
  SourcePos pos = token.pos;
  if (token.is('['))
    return parseAddress(depth);
  if (token.is('{'))
    return parseVector(depth);
  if (token.is("_")) {
    advance();
    push({Sink(), pos});
    return true;
  }
  if (token.is('!')) {
    advance();
    if (!parseNamedOperand())
      return false;
    auto *reg = std::get_if<RegisterRef>(&scratch.back().value);
    bool isNumber = reg && function.registers[reg->index].type != Type::pred;
    if (!reg || (takesSelectors && isNumber))
      return error(pos, "only a predicate register can be negated");
    reg->negated = true;
    scratch.back().pos = pos;
    return true;
  }
  if (token.kind == Token::Kind::identifier)
    return parseNamedOperand();
  if (takesSelectors && token.is('-') && lexer.peeksIdentifier())
    return parseNegatedNumber();
  if (!atConstant())
    return errorExpected("an operand");
  auto value = parseConstant();
  if (!value)
    return false;
  if (value->isFloat)
    push({FloatImmediate{value->bits, value->isSingle}, pos});
  else
    push({IntImmediate{value->bits, value->isUnsigned}, pos});
  return true;
}

bool Parser::parseNegatedNumber() {
  SourcePos pos = token.pos;
  advance();
  if (!parseNamedOperand())
    return false;
  auto *reg = std::get_if<RegisterRef>(&scratch.back().value);
  if (!reg || function.registers[reg->index].type == Type::pred)
    return error(pos, "only a register that holds a number can be negated");
  reg->negated = true;
  scratch.back().pos = pos;
  return true;
}

std::optional<Component> Parser::parseComponent() {
  if (token.kind != Token::Kind::dotWord)
    return Component::none;
  auto component = componentFromWord(token.text);
  if (!component) {
    errorExpected("a component ('.x', '.y', '.z', '.w')");
    return std::nullopt;
  }
  advance();
  return component;
}

std::optional<SymbolRef> Parser::symbolNamed(std::string_view name) {
  const Entity *entity = scopes.empty() ? nullptr : lookUp(name);
  if (entity && entity->kind == Entity::Kind::variable)
    return SymbolRef{SymbolRef::Scope::function, entity->index};
  if (entity)
    return std::nullopt;
  auto symbol = lookUpModule(name);
  if (!symbol)
    return std::nullopt;
  return SymbolRef{SymbolRef::Scope::module, *symbol};
}

bool Parser::parseNamedOperand() {
  SourcePos pos = token.pos;
  auto name = parseName("an operand");
  if (!name)
    return false;
  const Entity *entity = lookUp(*name);
  if (entity && entity->kind == Entity::Kind::reg) {
    RegisterRef reg{.index = entity->index};
    auto selector = token.kind == Token::Kind::dotWord && takesSelectors
                        ? Selector::fromSpelling(token.text)
                        : std::nullopt;
    if (selector) {
      reg.selector = *selector;
      advance();
    } else if (takesSelectors && token.kind == Token::Kind::dotWord) {
      return error(token.pos, quoted(token.text) +
                                  " is no selector ('.b0' to '.b3', "
                                  "'.h0', '.h1', or digits for each "
                                  "lane)");
    } else if (auto component = parseComponent()) {
      reg.component = *component;
    } else {
      return false;
    }
    push({reg, pos});
    return true;
  }
  if (entity && entity->kind != Entity::Kind::variable)
    return error(pos, quoted(*name) + " is a label, not a value");
  if (auto symbol = symbolNamed(*name)) {
    if (token.is('+') || token.is('-')) {
      auto offset = parseOffset();
      if (!offset)
        return false;
      symbol->offset = *offset;
    }
    push({*symbol, pos});
    return true;
  }
  auto special = specialRegisterFromSpelling(*name);
  if (!special)
    return error(pos, quoted(*name) + " is not declared");
  auto component = parseComponent();
  if (!component)
    return false;
  if (*component != Component::none && !hasComponents(*special))
    return error(pos, quoted(*name) + " has no components");
  push({SpecialRegisterRef{*special, *component}, pos});
  return true;
}

bool Parser::parseAddress(unsigned depth) {
  Address address;
  SourcePos pos = token.pos;
  advance();
  if (token.kind == Token::Kind::identifier) {
    SourcePos basePos = token.pos;
    if (!parseNamedOperand())
      return false;
    Operand base = std::move(scratch.back());
    scratch.pop_back();
    if (const auto *reg = base.getIf<RegisterRef>())
      address.base = *reg;
    else if (const auto *symbol = base.getIf<SymbolRef>()) {
      address.base = SymbolRef{symbol->scope, symbol->index};
      address.offset = symbol->offset;
    } else
      return error(basePos, "an address begins with a register, a variable or "
                            "a constant");
    if (token.is('+') || token.is('-')) {
      auto offset = parseOffset();
      if (!offset)
        return false;
      address.offset += *offset;
    }
  } else {
    auto offset = parseOffset();
    if (!offset)
      return false;
    address.offset = *offset;
  }
  std::size_t base = scratch.size();
  while (consumeIf(','))
    if (!parseOperand(depth + 1))
      return false;
  if (scratch.size() != base)
    address.parts = takeOperands(base);
  if (!expect(']', "after an address"))
    return false;
  push({address, pos});
  return true;
}

bool Parser::parseVector(unsigned depth) {
  SourcePos pos = token.pos;
  std::size_t base = scratch.size();
  advance();
  do {
    if (!parseOperand(depth + 1))
      return false;
  } while (consumeIf(','));
  if (!expect('}', "after a vector"))
    return false;
  push({VectorOperand{takeOperands(base)}, pos});
  return true;
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

namespace {

bool isValue(const Operand &operand) {
  return operand.is<RegisterRef>() || operand.is<IntImmediate>() ||
         operand.is<FloatImmediate>() || operand.is<SpecialRegisterRef>();
}

/// Why an operand is not of a kind; empty when it is.
std::string_view kindMismatch(const OperandSpec &spec, const Operand &operand) {
  bool isWritten = spec.access != Access::read;
  bool isRegister = operand.is<RegisterRef>() || operand.is<Sink>();
  bool isResult = isWritten ? isRegister : isValue(operand);
  auto check = [](bool ok, std::string_view message) {
    return ok ? std::string_view() : message;
  };
  std::string_view wantsValue =
      isWritten ? "expected a register" : "expected a register or a constant";
  switch (spec.kind) {
  case OperandKind::value:
  case OperandKind::predicate:
    return check(isResult, wantsValue);
  case OperandKind::pair:
    return check(isRegister || operand.is<PairOperand>(),
                 "expected a register or 'register|predicate'");
  case OperandKind::address:
    return check(operand.is<Address>(), "expected an address in brackets");
  case OperandKind::vector:
  case OperandKind::fragment:
    return check(isResult || operand.is<VectorOperand>(), wantsValue);
  case OperandKind::constant:
    return check(operand.is<IntImmediate>() || operand.is<SpecialRegisterRef>(),
                 "expected an integer constant");
  case OperandKind::anything:
    return check(isWritten ? isRegister || operand.is<VectorOperand>()
                           : isValue(operand) || operand.is<SymbolRef>() ||
                                 operand.is<VectorOperand>(),
                 wantsValue);
  case OperandKind::symbol:
    return check(isValue(operand) || operand.is<SymbolRef>(),
                 "expected a register or the name of a variable");
  case OperandKind::label:
  case OperandKind::callee:
  case OperandKind::list:
  case OperandKind::table:
    return {}; // Read by their own functions.
  }
  return {};
}

} // namespace

bool Parser::checkOperandKinds(const Instruction &instruction) {
  const InstructionForm &form = formOf(instruction.mnemonic);
  auto operands = function.operandsOf(instruction);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    std::string_view mismatch = kindMismatch(form.operands[i], operands[i]);
    if (!mismatch.empty())
      return error(operands[i].pos, std::string(mismatch) + " as operand " +
                                        std::to_string(i + 1) + " of " +
                                        quoted(instruction.mnemonic.str()));
  }
  return true;
}
