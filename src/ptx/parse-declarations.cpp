// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables, parameters, registers and initial values: PTX ISA 9.0, chapter 5.

#include "ptx/parser-impl.h"

#include <bit>

using namespace tessera::ptx;

namespace {

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// A variable is at most this large; offsets within it fit 63 bits.
constexpr std::uint64_t maxVariableBytes = std::uint64_t(1) << 48;

std::optional<StateSpace> pointeeSpace(std::string_view word) {
  if (word == ".global")
    return StateSpace::global;
  if (word == ".const")
    return StateSpace::const_;
  if (word == ".local")
    return StateSpace::local;
  if (word == ".shared")
    return StateSpace::shared;
  return std::nullopt;
}

} // namespace

bool Parser::parseVariables(StateSpace space, Linkage linkage,
                            AddVariable add) {
  Variable prototype;
  prototype.space = space;
  prototype.linkage = linkage;
  if (!parseVariablePrefix(prototype))
    return false;
  do {
    Variable variable = prototype;
    variable.pos = token.pos;
    auto name = parseName("the name of a variable");
    if (!name)
      return false;
    variable.name = *name;
    if (!parseDims(variable))
      return false;
    if (consumeIf('=')) {
      Initializer init;
      if (!parseInitializer(init, 0))
        return false;
      variable.init = std::move(init);
    }
    if (!checkSize(variable) || !(this->*add)(std::move(variable)))
      return false;
  } while (consumeIf(','));
  return expect(';', "after a declaration");
}

bool Parser::parseVariablePrefix(Variable &variable) {
  for (;;) {
    if (token.is(".attribute")) {
      if (!parseAttribute(&variable, nullptr))
        return false;
    } else if (consumeIf(".align")) {
      SourcePos pos = token.pos;
      auto align = parseUnsigned32("an alignment");
      if (!align)
        return false;
      if (!std::has_single_bit(*align))
        return error(pos, "an alignment must be a power of two");
      variable.align = *align;
    } else {
      return parseVectorAndType(variable.type, variable.vectorWidth);
    }
  }
}

bool Parser::parseAttribute(Variable *variable, Function *function) {
  advance();
  if (!expect('(', "after '.attribute'"))
    return false;
  do {
    if (variable && consumeIf(".managed")) {
      variable->isManaged = true;
      continue;
    }
    if (!consumeIf(".unified"))
      return errorExpected("an attribute");
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (!expect('(', "after '.unified'"))
      return false;
    auto low = parseUnsigned("the first half of an id", most);
    if (!low || !expect(',', "between the halves of an id"))
      return false;
    auto high = parseUnsigned("the second half of an id", most);
    if (!high || !expect(')', "after an id"))
      return false;
    (variable ? variable->unified : function->unified).emplace(*low, *high);
  } while (consumeIf(','));
  return expect(')', "after an attribute");
}

bool Parser::parseVectorAndType(Type &type, std::uint8_t &vectorWidth) {
  if (token.is(".v2") || token.is(".v4") || token.is(".v8")) {
    vectorWidth = std::uint8_t(token.text[2] - '0');
    advance();
  }
  std::optional<Type> found;
  if (token.kind == Token::Kind::dotWord)
    found = typeFromSpelling(token.text.substr(1));
  if (!found)
    return errorExpected("a type");
  type = *found;
  advance();
  return true;
}

bool Parser::parseDims(Variable &variable) {
  while (consumeIf('[')) {
    if (variable.dims.size() == options.maxNesting)
      return error(token.pos, "this array has too many dimensions");
    if (token.is(']')) {
      if (!variable.dims.empty())
        return error(token.pos, "only the first extent may be left out");
      variable.dims.push_back(0);
    } else {
      SourcePos pos = token.pos;
      auto extent = parseUnsigned("the extent of an array", maxVariableBytes);
      if (!extent)
        return false;
      if (*extent == 0 && !variable.dims.empty())
        return error(pos, "the extent of an array must not be 0");
      variable.dims.push_back(*extent);
    }
    if (!expect(']', "after the extent of an array"))
      return false;
  }
  return true;
}

bool Parser::checkSize(const Variable &variable) {
  std::uint64_t size = variable.elementSize();
  for (std::uint64_t extent : variable.dims) {
    if (__builtin_mul_overflow(size, std::max<std::uint64_t>(extent, 1),
                               &size) ||
        size > maxVariableBytes)
      return error(variable.pos, quoted(variable.name) + " is too large");
  }
  return true;
}

bool Parser::parseInitializer(Initializer &init, unsigned depth) {
  init.pos = token.pos;
  if (depth > options.maxNesting)
    return error(token.pos, "this initial value is nested too deeply");
  if (consumeIf('{')) {
    std::vector<Initializer> elements;
    if (!token.is('}')) {
      do {
        if (!parseInitializer(elements.emplace_back(), depth + 1))
          return false;
      } while (consumeIf(','));
    }
    init.value = std::move(elements);
    return expect('}', "after initial values");
  }
  if (token.kind == Token::Kind::identifier)
    return parseSymbolAddress(init);
  auto value = parseConstant();
  if (!value)
    return false;
  if (value->isFloat) {
    init.value = FloatImmediate{value->bits, value->isSingle};
    return true;
  }
  // `0xff00(sym)`: some bytes of an address.
  if (token.is('(')) {
    advance();
    if (!parseSymbolAddress(init))
      return false;
    std::get<SymbolAddress>(init.value).mask = value->bits;
    return expect(')', "after a masked address");
  }
  init.value = IntImmediate{value->bits, value->isUnsigned};
  return true;
}

bool Parser::parseSymbolAddress(Initializer &init) {
  SymbolAddress address;
  SourcePos pos = token.pos;
  std::string_view name = token.text;
  advance();
  if (name == "generic" && consumeIf('(')) {
    address.isGeneric = true;
    pos = token.pos;
    auto inner = parseName("the name of a variable");
    if (!inner)
      return false;
    name = *inner;
  }
  auto symbol = symbolNamed(name);
  if (!symbol)
    return error(pos, quoted(name) + " is not declared");
  address.symbol = *symbol;
  auto parseAddend = [&] {
    if (!token.is('+') && !token.is('-'))
      return true;
    auto offset = parseOffset();
    if (offset)
      address.symbol.offset += *offset;
    return offset.has_value();
  };
  if (!parseAddend())
    return false;
  if (address.isGeneric && (!expect(')', "after 'generic('") || !parseAddend()))
    return false;
  init.value = address;
  return true;
}

bool Parser::addModuleVariable(Variable variable) {
  auto index = std::uint32_t(module.variables.size());
  std::string_view name = variable.name;
  SourcePos pos = variable.pos;
  module.variables.push_back(std::move(variable));
  module.items.push_back({ModuleItem::Kind::variable, index});
  return declareModule(name, Symbol::Kind::variable, index, pos);
}

bool Parser::addLocalVariable(Variable variable) {
  auto index = std::uint32_t(function.variables.size());
  Entity entity{.kind = Entity::Kind::variable,
                .index = index,
                .line = variable.pos.line};
  bool ok = declare(variable.name, entity, variable.pos);
  function.variables.push_back(std::move(variable));
  addStatement(Statement::Kind::variable, index);
  return ok;
}

bool Parser::parseParameters(std::vector<Variable> &into, bool isPrototype) {
  if (!expect('(', "before parameters"))
    return false;
  if (consumeIf(')'))
    return true;
  do {
    Variable variable;
    if (!parseParameter(variable, isPrototype))
      return false;
    into.push_back(std::move(variable));
  } while (consumeIf(','));
  return expect(')', "after parameters");
}

bool Parser::parseParameter(Variable &variable, bool isPrototype) {
  if (consumeIf(".param"))
    variable.space = StateSpace::param;
  else if (consumeIf(".reg"))
    variable.space = StateSpace::reg;
  else
    return errorExpected("'.param' or '.reg'");
  if (!parseVariablePrefix(variable))
    return false;
  if (token.is(".ptr") && !parsePointerAttribute(variable))
    return false;
  variable.pos = token.pos;
  auto name = parseName("the name of a parameter");
  if (!name)
    return false;
  variable.name = *name;
  if (!parseDims(variable) || !checkSize(variable))
    return false;
  if (isPrototype)
    return true;

  Entity entity{.kind = Entity::Kind::variable,
                .index = std::uint32_t(function.variables.size()),
                .line = variable.pos.line};
  if (variable.space == StateSpace::reg) {
    variable.registerIndex =
        addRegister(variable.name, variable.type, variable.vectorWidth);
    entity.kind = Entity::Kind::reg;
    entity.index = variable.registerIndex;
  }
  return declare(variable.name, entity, variable.pos);
}

bool Parser::parsePointerAttribute(Variable &variable) {
  advance();
  variable.isPointer = true;
  if (auto space = pointeeSpace(token.text)) {
    variable.pointeeSpace = *space;
    advance();
  }
  if (!consumeIf(".align"))
    return true;
  SourcePos pos = token.pos;
  auto align = parseUnsigned32("an alignment");
  if (!align)
    return false;
  if (!std::has_single_bit(*align))
    return error(pos, "an alignment must be a power of two");
  variable.pointeeAlign = *align;
  return true;
}

bool Parser::parseRegisterDecls() {
  advance();
  RegisterDecl prototype;
  // An alignment of registers is allowed and means nothing.
  if (!parseVectorAndType(prototype.type, prototype.vectorWidth))
    return false;
  do {
    RegisterDecl decl = prototype;
    decl.pos = token.pos;
    auto name = parseName("the name of a register");
    if (!name)
      return false;
    decl.name = *name;
    if (consumeIf('<')) {
      // Not a full expression: `>` would be an operator.
      if (token.kind != Token::Kind::number)
        return errorExpected("the number of registers");
      SourcePos pos = token.pos;
      auto count = parseNumber();
      if (!count)
        return false;
      if (count->isFloat ||
          count->bits > std::numeric_limits<std::int32_t>::max())
        return error(pos, "the number of registers must be an integer from 0 "
                          "to 2147483647");
      decl.count = std::uint32_t(count->bits);
      if (!expect('>', "after the number of registers"))
        return false;
    }
    auto index = std::uint32_t(function.registerDecls.size());
    if (decl.count) {
      auto [place, isNew] =
          scopes.back().ranges.emplace(decl.name, RegisterRange{index});
      if (!isNew)
        return error(
            decl.pos,
            quoted(decl.name) + " is already declared in line " +
                std::to_string(
                    function.registerDecls[place->second.decl].pos.line));
    } else {
      Entity entity{.kind = Entity::Kind::reg,
                    .index =
                        addRegister(decl.name, decl.type, decl.vectorWidth),
                    .line = decl.pos.line};
      if (!declare(decl.name, entity, decl.pos))
        return false;
    }
    function.registerDecls.push_back(decl);
    addStatement(Statement::Kind::registerDecl, index);
  } while (consumeIf(','));
  return expect(';', "after a declaration of registers");
}
