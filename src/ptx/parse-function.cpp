// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions, their bodies and the scopes of names in them.

#include "ptx/parser-impl.h"

#include <algorithm>
#include <charconv>
#include <ranges>

using namespace tessera::ptx;

namespace {

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::optional<StateSpace> localSpace(std::string_view word) {
  if (word == ".local")
    return StateSpace::local;
  if (word == ".shared" || word == ".shared::cta")
    return StateSpace::shared;
  if (word == ".param")
    return StateSpace::param;
  if (word == ".global")
    return StateSpace::global;
  if (word == ".const")
    return StateSpace::const_;
  return std::nullopt;
}

} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool Parser::parseFunction(Linkage linkage, bool isEntry) {
  function = Function();
  function.linkage = linkage;
  function.isEntry = isEntry;
  scopes.clear();
  scratch.clear();
  currentLocation = noIndex;
  openScope();

  if (!parseSignature() || !parseDirectives())
    return false;
  function.isDefinition = token.is('{');

  // The body may name the function itself.
  auto index = std::uint32_t(module.functions.size());
  Function &place = module.functions.emplace_back();
  place.name = function.name;
  place.pos = function.pos;
  module.items.push_back({ModuleItem::Kind::function, index});
  bool ok =
      declareModule(function.name, Symbol::Kind::function, index, function.pos);
  place.isDefinition = function.isDefinition;
  if (function.isDefinition)
    ok &= parseBody();
  else
    ok &= expect(';', "or a body after the declaration of a function");
  module.functions[index] = std::move(function);
  return ok;
}

bool Parser::parseSignature() {
  if (token.is(".attribute") && !parseAttribute(nullptr, &function))
    return false;
  if (!function.isEntry && token.is('(') &&
      !parseParameters(function.variables, /*isPrototype=*/false))
    return false;
  function.resultCount = std::uint32_t(function.variables.size());
  function.pos = token.pos;
  auto name = parseName("the name of a function");
  if (!name)
    return false;
  function.name = *name;
  if (token.is('(') &&
      !parseParameters(function.variables, /*isPrototype=*/false))
    return false;
  function.paramCount =
      std::uint32_t(function.variables.size()) - function.resultCount;
  return true;
}

bool Parser::parseDirectives() {
  while (token.kind == Token::Kind::dotWord) {
    auto found = parseDirective();
    if (!found)
      return false;
    if (!*found)
      return errorExpected("a directive of functions, '{' or ';'");
  }
  return true;
}

/// False when the token is no such directive, empty after an error.
std::optional<bool> Parser::parseDirective() {
  Directives &directives = function.directives;
  auto status = [](bool ok) { return ok ? std::optional(true) : std::nullopt; };
  auto number = [&](std::optional<std::uint32_t> &into) {
    into = parseUnsigned32("a number");
    return status(into.has_value());
  };
  auto flag = [](bool &into) {
    into = true;
    return std::optional(true);
  };
  if (consumeIf(".maxntid"))
    return status(parseExtent(directives.maxThreads));
  if (consumeIf(".reqntid"))
    return status(parseExtent(directives.requiredThreads));
  if (consumeIf(".reqnctapercluster"))
    return status(parseExtent(directives.requiredCluster));
  if (consumeIf(".maxnreg"))
    return number(directives.maxRegisters);
  if (consumeIf(".minnctapersm"))
    return number(directives.minBlocks);
  if (consumeIf(".maxnctapersm"))
    return number(directives.maxBlocks);
  if (consumeIf(".maxclusterrank"))
    return number(directives.maxClusterRank);
  if (consumeIf(".abi_preserve"))
    return number(directives.abiPreserve);
  if (consumeIf(".abi_preserve_control"))
    return number(directives.abiPreserveControl);
  if (consumeIf(".explicitcluster"))
    return flag(directives.explicitCluster);
  if (consumeIf(".blocksareclusters"))
    return flag(directives.blocksAreClusters);
  if (consumeIf(".noreturn"))
    return flag(directives.noReturn);
  if (token.is(".pragma"))
    return status(parsePragma(directives.pragmas));
  return false;
}

bool Parser::parseExtent(std::optional<Extent> &extent) {
  std::uint32_t *components[3];
  Extent &value = extent.emplace();
  components[0] = &value.x;
  components[1] = &value.y;
  components[2] = &value.z;
  for (std::uint32_t *component : components) {
    auto number = parseUnsigned32("an extent");
    if (!number)
      return false;
    *component = *number;
    if (!consumeIf(','))
      return true;
  }
  return error(token.pos, "at most three extents are allowed");
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void Parser::addStatement(Statement::Kind kind, std::size_t index) {
  function.body.push_back({kind, std::uint32_t(index)});
}

bool Parser::parseBody() {
  SourcePos open = token.pos;
  advance();
  bool ok = true;
  while (!tooManyErrors()) {
    if (atEnd() || token.is(".entry") || token.is(".func") ||
        token.is(".visible"))
      return error(token.pos, "expected '}' at the end of the body that "
                              "begins in line " +
                                  std::to_string(open.line));
    if (token.is('{')) {
      if (scopes.size() > options.maxNesting)
        return error(token.pos, "blocks are nested too deeply");
      advance();
      addStatement(Statement::Kind::openScope, 0);
      openScope();
      continue;
    }
    if (token.is('}')) {
      closeScope();
      // What follows the body is read with the function already complete.
      advance();
      if (scopes.empty())
        return ok;
      addStatement(Statement::Kind::closeScope, 0);
      continue;
    }
    if (!parseStatement()) {
      ok = false;
      scratch.clear();
      instructionPending.clear();
      skipStatement();
    }
  }
  return false;
}

bool Parser::parseStatement() {
  if (token.kind == Token::Kind::identifier)
    return parseLabelOrInstruction();
  if (token.is('@'))
    return parseGuarded();
  if (token.kind == Token::Kind::dotWord)
    return parseBodyDirective();
  if (consumeIf(';'))
    return true;
  return errorExpected("a statement");
}

bool Parser::parseBodyDirective() {
  if (token.is(".loc"))
    return parseLocation();
  if (token.is(".reg"))
    return parseRegisterDecls();
  if (token.is(".pragma")) {
    std::size_t before = function.pragmas.size();
    if (!parsePragma(function.pragmas))
      return false;
    for (std::size_t i = before; i < function.pragmas.size(); ++i)
      addStatement(Statement::Kind::pragma, i);
    return true;
  }
  bool isExtern = consumeIf(".extern");
  auto space = localSpace(token.text);
  if (!space) {
    errorExpected("a statement");
    advance();
    return false;
  }
  advance();
  return parseVariables(*space,
                        isExtern ? Linkage::external : Linkage::internal,
                        &Parser::addLocalVariable);
}

bool Parser::parseLocation() {
  Location location;
  location.pos = token.pos;
  advance();
  for (std::uint32_t *part :
       {&location.file, &location.line, &location.column}) {
    auto number = parseUnsigned32("a number in '.loc'");
    if (!number)
      return false;
    *part = *number;
  }
  if (consumeIf(',') && !parseInlinedAt(location))
    return false;
  currentLocation = std::uint32_t(function.locations.size());
  addStatement(Statement::Kind::location, currentLocation);
  function.locations.push_back(location);
  return true;
}

bool Parser::parseInlinedAt(Location &location) {
  if (!consumeIf("function_name"))
    return errorExpected("'function_name'");
  Location::InlinedAt &at = location.inlinedAt.emplace();
  auto name = parseName("a label in '.debug_str'");
  if (!name)
    return false;
  at.functionName = *name;
  if (consumeIf('+')) {
    auto offset = parseUnsigned("an offset into '.debug_str'",
                                std::numeric_limits<std::uint32_t>::max());
    if (!offset)
      return false;
    at.nameOffset = *offset;
  }
  if (!expect(',', "before 'inlined_at'"))
    return false;
  if (!consumeIf("inlined_at"))
    return errorExpected("'inlined_at'");
  for (std::uint32_t *part : {&at.file, &at.line, &at.column}) {
    auto number = parseUnsigned32("a number in '.loc'");
    if (!number)
      return false;
    *part = *number;
  }
  return true;
}

bool Parser::parseGuarded() {
  advance();
  Guard guard;
  guard.negated = consumeIf('!');
  SourcePos pos = token.pos;
  auto name = parseName("a predicate register after '@'");
  if (!name)
    return false;
  const Entity *entity = lookUp(*name);
  if (!entity || entity->kind != Entity::Kind::reg)
    return error(pos, quoted(*name) + " is not a declared register");
  if (function.registers[entity->index].type != Type::pred)
    return error(pos, quoted(*name) + " is not a predicate");
  guard.registerIndex = entity->index;
  Token head = token;
  if (token.kind != Token::Kind::identifier)
    return errorExpected("an instruction");
  lexer.extendToMnemonic(head);
  advance();
  return parseInstruction(guard, head);
}

bool Parser::parseLabelOrInstruction() {
  Token head = token;
  lexer.extendToMnemonic(head);
  advance();
  if (!token.is(':'))
    return parseInstruction(Guard(), head);
  advance();
  if (token.is(".branchtargets") || token.is(".calltargets"))
    return parseTable(head.text, head.pos);
  if (token.is(".callprototype"))
    return parseCallPrototype(head.text, head.pos);
  return defineLabel(head.text, head.pos);
}

bool Parser::defineLabel(std::string_view name, SourcePos pos) {
  auto index = std::uint32_t(function.labels.size());
  Entity entity{.kind = Entity::Kind::label, .index = index, .line = pos.line};
  if (!declare(name, entity, pos))
    return true; // Reported; the statement that follows is fine.
  function.labels.push_back(
      {name, std::uint32_t(function.instructions.size()), pos});
  addStatement(Statement::Kind::label, index);
  return true;
}

bool Parser::parseTable(std::string_view name, SourcePos pos) {
  bool isBranch = token.is(".branchtargets");
  advance();
  Entity entity{.kind = Entity::Kind::table, .line = pos.line};
  if (isBranch) {
    entity.tableKind = TableRef::Kind::branchTargets;
    entity.index = std::uint32_t(function.branchTargets.size());
    function.branchTargets.push_back({name, {}, pos});
    addStatement(Statement::Kind::branchTargets, entity.index);
  } else {
    entity.tableKind = TableRef::Kind::callTargets;
    entity.index = std::uint32_t(function.callTargets.size());
    function.callTargets.push_back({name, {}, pos});
    addStatement(Statement::Kind::callTargets, entity.index);
  }
  if (!declare(name, entity, pos))
    return false;
  do {
    if (!isBranch) {
      auto symbol = parseModuleSymbol("the name of a function");
      if (!symbol)
        return false;
      function.callTargets.back().functions.push_back(*symbol);
      continue;
    }
    SourcePos labelPos = token.pos;
    auto label = parseName("a label");
    if (!label)
      return false;
    auto &labels = function.branchTargets.back().labels;
    scopes.back().pending.push_back(
        {Pending::Place::branchTarget, *label, labelPos, entity.index,
         std::uint32_t(labels.size()), /*wantsTable=*/false});
    labels.push_back(noIndex);
  } while (consumeIf(','));
  return expect(';', "after the targets");
}

bool Parser::parseCallPrototype(std::string_view name, SourcePos pos) {
  advance();
  CallPrototype prototype;
  prototype.name = name;
  prototype.pos = pos;
  if (token.is('(') && !parseParameters(prototype.returns, true))
    return false;
  if (token.is("_"))
    advance();
  else
    return errorExpected("'_' in a prototype");
  if (token.is('(') && !parseParameters(prototype.params, true))
    return false;
  for (;;) {
    if (consumeIf(".noreturn")) {
      prototype.noReturn = true;
    } else if (token.is(".abi_preserve") || token.is(".abi_preserve_control")) {
      auto &into = token.is(".abi_preserve") ? prototype.abiPreserve
                                             : prototype.abiPreserveControl;
      advance();
      into = parseUnsigned32("a number of registers");
      if (!into)
        return false;
    } else {
      break;
    }
  }
  Entity entity{.kind = Entity::Kind::table,
                .tableKind = TableRef::Kind::callPrototype,
                .index = std::uint32_t(function.callPrototypes.size()),
                .line = pos.line};
  addStatement(Statement::Kind::callPrototype, entity.index);
  function.callPrototypes.push_back(std::move(prototype));
  return declare(name, entity, pos) && expect(';', "after a prototype");
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool Parser::parseInstruction(Guard guard, Token head) {
  auto [found, isNew] = mnemonics.try_emplace(head.text);
  if (isNew) {
    auto match = matchMnemonic(head.text);
    if (!match) {
      mnemonics.erase(found);
      SourcePos pos = head.pos;
      pos.column += std::uint32_t(match.error().offset);
      return error(pos, std::move(match.error().message));
    }
    found->second = *std::move(match);
  }
  Instruction instruction;
  instruction.mnemonic = found->second.mnemonic;
  instruction.guard = guard;
  instruction.location = currentLocation;
  instruction.pos = head.pos;
  if (!parseOperands(found->second, instruction))
    return false;
  addStatement(Statement::Kind::instruction, function.instructions.size());
  function.instructions.push_back(instruction);
  return true;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

void Parser::openScope() { scopes.emplace_back(); }

void Parser::closeScope() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  for (Pending &pending : scope.pending) {
    auto found = scope.names.find(pending.name);
    if (found != scope.names.end())
      resolvePending(pending, found->second);
    else if (!scopes.empty())
      scopes.back().pending.push_back(pending);
    else
      error(pending.pos, (pending.wantsTable ? "table " : "label ") +
                             quoted(pending.name) + " is not defined");
  }
}

void Parser::resolvePending(const Pending &pending, const Entity &entity) {
  bool isTable = entity.kind == Entity::Kind::table;
  if (entity.kind != Entity::Kind::label && !isTable) {
    error(pending.pos, quoted(pending.name) + " is not a label");
    return;
  }
  if (isTable != pending.wantsTable) {
    error(pending.pos,
          quoted(pending.name) + (isTable ? " names a table, not an instruction"
                                          : " is not a table of targets"));
    return;
  }
  if (pending.place == Pending::Place::branchTarget) {
    function.branchTargets[pending.index].labels[pending.slot] = entity.index;
    return;
  }
  Operand &operand = function.operands[pending.index];
  if (isTable)
    operand.value = TableRef{entity.tableKind, entity.index};
  else
    operand.value = LabelRef{entity.index};
}

bool Parser::declare(std::string_view name, Entity entity, SourcePos pos) {
  auto [place, isNew] = scopes.back().names.emplace(name, entity);
  if (isNew)
    return true;
  return error(pos, quoted(name) + " is already declared in line " +
                        std::to_string(place->second.line));
}

const Parser::Entity *Parser::lookUp(std::string_view name) {
  for (Scope &scope : scopes | std::views::reverse) {
    auto found = scope.names.find(name);
    if (found != scope.names.end())
      return &found->second;
    if (const Entity *entity = lookUpRange(scope, name))
      return entity;
  }
  return nullptr;
}

const Parser::Entity *Parser::lookUpRange(Scope &scope, std::string_view name) {
  if (scope.ranges.empty())
    return nullptr;
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') {
    --digits;
    // A range may be called `%r1`: try every split, but none with a number
    // such as 07.
    std::string_view number = name.substr(digits);
    if (number.size() > 10)
      return nullptr;
    if (number.size() > 1 && number.front() == '0')
      continue;
    auto range = scope.ranges.find(name.substr(0, digits));
    if (range == scope.ranges.end())
      continue;
    std::uint64_t value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    const RegisterDecl &decl = function.registerDecls[range->second.decl];
    if (value >= *decl.count)
      continue;
    Entity entity{.kind = Entity::Kind::reg,
                  .index = addRegister(name, decl.type, decl.vectorWidth),
                  .line = decl.pos.line};
    return &scope.names.emplace(name, entity).first->second;
  }
  return nullptr;
}

std::uint32_t Parser::addRegister(std::string_view name, Type type,
                                  std::uint8_t vectorWidth) {
  function.registers.push_back({name, type, vectorWidth});
  return std::uint32_t(function.registers.size() - 1);
}
