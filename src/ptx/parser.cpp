// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens, errors and module scope.

#include "ptx/parser-impl.h"

#include <charconv>

using namespace tessera::ptx;

namespace {

std::string describe(const Token &token) {
  if (token.kind == Token::Kind::end)
    return "the end of the text";
  constexpr std::size_t maxShown = 60;
  std::string text(token.text.substr(0, maxShown));
  if (token.text.size() > maxShown)
    text += "…";
  return "'" + text + "'";
}

std::optional<StateSpace> variableSpace(std::string_view word) {
  if (word == ".global")
    return StateSpace::global;
  if (word == ".const")
    return StateSpace::const_;
  if (word == ".shared" || word == ".shared::cta")
    return StateSpace::shared;
  if (word == ".local")
    return StateSpace::local;
  if (word == ".tex")
    return StateSpace::tex;
  return std::nullopt;
}

std::optional<Linkage> linkageFromWord(std::string_view word) {
  if (word == ".extern")
    return Linkage::external;
  if (word == ".visible")
    return Linkage::visible;
  if (word == ".weak")
    return Linkage::weak;
  if (word == ".common")
    return Linkage::common;
  return std::nullopt;
}

bool beginsItem(std::string_view word) {
  return linkageFromWord(word) || variableSpace(word) || word == ".entry" ||
         word == ".func" || word == ".file" || word == ".section" ||
         word == ".alias";
}

} // namespace

std::expected<Module, std::vector<Diagnostic>>
tessera::ptx::parse(std::string_view text, const ParseOptions &options) {
  if (text.size() > options.maxBytes)
    return std::unexpected(
        std::vector{Diagnostic{{1, 1},
                               "the text has " + std::to_string(text.size()) +
                                   " bytes, more than the limit of " +
                                   std::to_string(options.maxBytes)}});
  return Parser(std::make_shared<const std::string>(text), options).run();
}

Parser::Parser(std::shared_ptr<const std::string> text,
               const ParseOptions &options)
    : options(options), lexer(*text) {
  module.text = std::move(text);
}

std::expected<Module, std::vector<Diagnostic>> Parser::run() {
  advance();
  parseModule();
  if (!diagnostics.empty())
    return std::unexpected(std::move(diagnostics));
  return std::move(module);
}

//===----------------------------------------------------------------------===//
// Tokens and errors
//===----------------------------------------------------------------------===//

bool Parser::error(SourcePos pos, std::string message) {
  if (!tooManyErrors())
    diagnostics.push_back({pos, std::move(message)});
  return false;
}

bool Parser::errorExpected(std::string_view what) {
  if (token.kind == Token::Kind::error)
    return error(token.pos,
                 describe(token) + ": " + std::string(lexer.errorMessage()));
  return error(token.pos, "expected " + std::string(what) + " but found " +
                              describe(token));
}

bool Parser::consumeIf(char punctuation) {
  if (!token.is(punctuation))
    return false;
  advance();
  return true;
}

bool Parser::consumeIf(std::string_view word) {
  if (!token.is(word))
    return false;
  advance();
  return true;
}

bool Parser::expect(char punctuation, std::string_view where) {
  if (consumeIf(punctuation))
    return true;
  return errorExpected(std::string("'") + punctuation + "' " +
                       std::string(where));
}

std::optional<std::string_view> Parser::parseName(std::string_view what) {
  if (token.kind != Token::Kind::identifier) {
    errorExpected(what);
    return std::nullopt;
  }
  std::string_view name = token.text;
  advance();
  return name;
}

std::optional<std::string_view> Parser::parseString(std::string_view what) {
  if (token.kind != Token::Kind::string) {
    errorExpected(what);
    return std::nullopt;
  }
  std::string_view text = token.text.substr(1, token.text.size() - 2);
  advance();
  return text;
}

void Parser::skipStatement() {
  unsigned braces = 0;
  while (!atEnd() && !beginsItem(token.text)) {
    if (token.is('{'))
      ++braces;
    if (token.is('}') && braces-- == 0)
      return;
    bool isLast = token.is(';') && braces == 0;
    advance();
    if (isLast)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Module scope
//===----------------------------------------------------------------------===//

void Parser::parseModule() {
  if (!parseHeader())
    return;
  while (!atEnd() && !tooManyErrors())
    parseItem();
}

bool Parser::parseHeader() {
  if (!token.is(".version"))
    return errorExpected("'.version', with which a module begins,");
  if (!parseVersion())
    return false;
  if (!token.is(".target"))
    return errorExpected("'.target' after '.version'");
  return parseTarget();
}

bool Parser::parseVersion() {
  module.version.pos = token.pos;
  advance();
  auto fail = [&] { return errorExpected("a version such as '8.0'"); };
  if (token.kind != Token::Kind::number)
    return fail();
  const char *first = token.text.data();
  const char *last = first + token.text.size();
  auto [dot, ec] = std::from_chars(first, last, module.version.major);
  if (ec != std::errc() || dot == last || *dot != '.')
    return fail();
  auto [end, minorEc] = std::from_chars(dot + 1, last, module.version.minor);
  if (minorEc != std::errc() || end != last || module.version.major > 99 ||
      module.version.minor > 9)
    return fail();
  advance();
  return true;
}

bool Parser::parseTarget() {
  module.target.pos = token.pos;
  advance();
  SourcePos pos = token.pos;
  auto name = parseName("an architecture such as 'sm_80'");
  if (!name)
    return false;
  auto bad = [&] {
    return error(pos, "'" + std::string(*name) +
                          "' is no architecture such as 'sm_80'");
  };
  if (!name->starts_with("sm_"))
    return bad();
  const char *last = name->data() + name->size();
  auto [end, ec] =
      std::from_chars(name->data() + 3, last, module.target.arch.sm);
  if (ec != std::errc() || last - end > 1)
    return bad();
  if (end != last) {
    if (*end != 'a' && *end != 'f')
      return bad();
    module.target.arch.feature = *end;
  }
  while (consumeIf(',')) {
    auto option = parseName("a target option");
    if (!option)
      return false;
    module.target.options.push_back(*option);
  }
  return true;
}

bool Parser::parseAddressSize() {
  advance();
  SourcePos pos = token.pos;
  auto size = parseUnsigned32("the address size");
  if (!size)
    return false;
  if (*size != 32 && *size != 64)
    return error(pos, "the address size must be 32 or 64");
  module.addressSize = *size;
  return true;
}

void Parser::parseItem() {
  bool ok = [&] {
    if (consumeIf(';'))
      return true;
    if (auto linkage = linkageFromWord(token.text)) {
      advance();
      return parseLinkedItem(*linkage);
    }
    if (beginsItem(token.text) && !token.is(".file") && !token.is(".section") &&
        !token.is(".alias"))
      return parseLinkedItem(Linkage::internal);
    if (token.is(".file"))
      return parseFile();
    if (token.is(".section"))
      return parseSection();
    if (token.is(".alias"))
      return parseAlias();
    if (token.is(".address_size"))
      return parseAddressSize();
    if (token.is(".pragma")) {
      if (!parsePragma(module.pragmas))
        return false;
      module.items.push_back(
          {ModuleItem::Kind::pragma, std::uint32_t(module.pragmas.size() - 1)});
      return true;
    }
    if (token.is(".version") || token.is(".target"))
      return error(token.pos, "'" + std::string(token.text) +
                                  "' may stand only once, at the beginning");
    return errorExpected("a directive of module scope");
  }();
  if (ok)
    return;
  if (token.is('}'))
    advance();
  else
    skipStatement();
}

bool Parser::parseLinkedItem(Linkage linkage) {
  if (consumeIf(".entry"))
    return parseFunction(linkage, /*isEntry=*/true);
  if (consumeIf(".func"))
    return parseFunction(linkage, /*isEntry=*/false);
  auto space = variableSpace(token.text);
  if (!space)
    return errorExpected("'.entry', '.func' or a state space");
  advance();
  return parseVariables(*space, linkage, &Parser::addModuleVariable);
}

bool Parser::parseFile() {
  File file;
  file.pos = token.pos;
  advance();
  auto index = parseUnsigned32("a file number");
  if (!index)
    return false;
  auto name = parseString("a file name in quotes");
  if (!name)
    return false;
  file.index = *index;
  file.name = *name;
  if (consumeIf(',')) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    auto timestamp = parseUnsigned("a time stamp", most);
    if (!timestamp || !expect(',', "between time stamp and size"))
      return false;
    auto size = parseUnsigned("a file size", most);
    if (!size)
      return false;
    file.timestampAndSize.emplace(*timestamp, *size);
  }
  module.items.push_back(
      {ModuleItem::Kind::file, std::uint32_t(module.files.size())});
  module.files.push_back(file);
  return true;
}

bool Parser::parseSection() {
  Section section;
  section.pos = token.pos;
  advance();
  if (token.kind != Token::Kind::dotWord &&
      token.kind != Token::Kind::identifier)
    return errorExpected("the name of a section");
  section.name = token.text;
  advance();
  if (!expect('{', "before the data of a section"))
    return false;
  while (!token.is('}')) {
    if (atEnd())
      return errorExpected("'}' at the end of a section");
    if (!parseSectionLine(section))
      return false;
  }
  advance();
  module.items.push_back(
      {ModuleItem::Kind::section, std::uint32_t(module.sections.size())});
  module.sections.push_back(std::move(section));
  return true;
}

bool Parser::parseSectionLine(Section &section) {
  if (token.kind == Token::Kind::identifier) {
    section.lines.push_back({Type::none, token.text, 0, 0});
    advance();
    return expect(':', "after a label in a section");
  }
  std::optional<Type> type;
  if (token.kind == Token::Kind::dotWord)
    type = typeFromSpelling(token.text.substr(1));
  if (!type || typeClass(*type) != TypeClass::bits)
    return errorExpected("'.b8', '.b16', '.b32', '.b64' or a label");
  advance();
  SectionLine line{*type, {}, std::uint32_t(section.values.size()), 0};
  do {
    if (!parseSectionValue(section))
      return false;
    ++line.valueCount;
  } while (consumeIf(','));
  section.lines.push_back(line);
  return true;
}

bool Parser::parseSectionValue(Section &section) {
  SectionValue value;
  if (token.kind == Token::Kind::identifier ||
      token.kind == Token::Kind::dotWord) {
    value.label = token.text;
    advance();
    if (token.is('-')) {
      advance();
      if (token.kind == Token::Kind::identifier ||
          token.kind == Token::Kind::dotWord) {
        value.minusLabel = token.text;
        advance();
      } else {
        auto offset = parseOffset();
        if (!offset)
          return false;
        value.bits = 0 - std::uint64_t(*offset);
      }
    } else if (consumeIf('+')) {
      auto offset = parseOffset();
      if (!offset)
        return false;
      value.bits = std::uint64_t(*offset);
    }
  } else {
    auto number = parseOffset();
    if (!number)
      return false;
    value.bits = std::uint64_t(*number);
  }
  section.values.push_back(value);
  return true;
}

bool Parser::parsePragma(std::vector<Pragma> &pragmas) {
  SourcePos pos = token.pos;
  advance();
  do {
    auto text = parseString("a pragma in quotes");
    if (!text)
      return false;
    pragmas.push_back({*text, pos});
  } while (consumeIf(','));
  return expect(';', "after a pragma");
}

bool Parser::parseAlias() {
  SourcePos pos = token.pos;
  advance();
  auto alias = parseModuleSymbol("the name of a function");
  if (!alias || !expect(',', "between the names of an alias"))
    return false;
  auto aliasee = parseModuleSymbol("the name of a function");
  if (!aliasee)
    return false;
  module.items.push_back(
      {ModuleItem::Kind::alias, std::uint32_t(module.aliases.size())});
  module.aliases.push_back({*alias, *aliasee, pos});
  return expect(';', "after an alias");
}

std::optional<std::uint32_t> Parser::parseModuleSymbol(std::string_view what) {
  SourcePos pos = token.pos;
  auto name = parseName(what);
  if (!name)
    return std::nullopt;
  auto symbol = lookUpModule(*name);
  if (!symbol)
    error(pos, "'" + std::string(*name) + "' is not declared");
  return symbol;
}

std::optional<std::uint32_t> Parser::lookUpModule(std::string_view name) const {
  auto found = moduleNames.find(name);
  if (found == moduleNames.end())
    return std::nullopt;
  return found->second;
}

bool Parser::declareModule(std::string_view name, Symbol::Kind kind,
                           std::uint32_t index, SourcePos pos) {
  auto [place, isNew] =
      moduleNames.emplace(name, std::uint32_t(module.symbols.size()));
  if (!isNew)
    return mergeSymbols(module.symbols[place->second], kind, index, pos);
  module.symbols.push_back({name, kind, index});
  return true;
}

bool Parser::mergeSymbols(Symbol &symbol, Symbol::Kind kind,
                          std::uint32_t index, SourcePos pos) {
  auto duplicate = [&](SourcePos first) {
    return error(pos, "'" + std::string(symbol.name) +
                          "' is already declared in line " +
                          std::to_string(first.line));
  };
  if (symbol.kind == Symbol::Kind::variable) {
    const Variable &before = module.variables[symbol.index];
    if (kind != Symbol::Kind::variable || before.linkage != Linkage::external)
      return duplicate(before.pos);
    if (module.variables[index].linkage != Linkage::external)
      symbol.index = index;
    return true;
  }
  const Function &before = module.functions[symbol.index];
  if (kind != Symbol::Kind::function)
    return duplicate(before.pos);
  if (!function.isDefinition)
    return true;
  if (before.isDefinition)
    return duplicate(before.pos);
  symbol.index = index;
  return true;
}
