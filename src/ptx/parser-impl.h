// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser proper, private to this folder. Recursive descent; a member that
// returns bool or an optional has reported an error when it fails, and the
// caller leaves too, up to the statement, where reading resumes.

#ifndef TESSERA_PTX_PARSER_IMPL_H
#define TESSERA_PTX_PARSER_IMPL_H

#include "ptx/lexer.h"
#include "ptx/parser.h"

#include <unordered_map>

namespace tessera::ptx {

/// The value of a constant expression.
struct Constant {
  std::uint64_t bits = 0; ///< of the integer or the floating-point number
  bool isUnsigned = false;
  bool isFloat = false;
  bool isSingle = false; ///< written as `0f…`
};

class Parser {
public:
  Parser(std::shared_ptr<const std::string> text, const ParseOptions &options);
  std::expected<Module, std::vector<Diagnostic>> run();

private:
  //===-- Tokens and errors: parser.cpp -----------------------------------===//

  void advance() { token = lexer.next(); }
  bool error(SourcePos pos, std::string message);
  /// An error at the current token: "expected … but found …".
  bool errorExpected(std::string_view what);
  bool consumeIf(char punctuation);
  bool consumeIf(std::string_view word);
  bool expect(char punctuation, std::string_view where);
  std::optional<std::string_view> parseName(std::string_view what);
  std::optional<std::string_view> parseString(std::string_view what);
  [[nodiscard]] bool atEnd() const { return token.kind == Token::Kind::end; }
  [[nodiscard]] bool tooManyErrors() const {
    return diagnostics.size() >= options.maxErrors;
  }
  /// Skips to behind the next `;`, or before a `}` or a directive that begins
  /// a module item.
  void skipStatement();

  //===-- Constants: parse-constants.cpp ----------------------------------===//

  std::optional<Constant> parseConstant();
  std::optional<Constant> parseTernary(unsigned depth);
  std::optional<Constant> parseBinary(int minPrecedence, unsigned depth);
  std::optional<Constant> parseUnary(unsigned depth);
  std::optional<Constant> parseNumber();
  std::optional<Constant> applyBinary(std::string_view op, SourcePos pos,
                                      const Constant &a, const Constant &b);
  std::optional<std::uint64_t> parseUnsigned(std::string_view what,
                                             std::uint64_t limit);
  std::optional<std::uint32_t> parseUnsigned32(std::string_view what);
  std::optional<std::int64_t> parseOffset();
  [[nodiscard]] bool atConstant() const;

  //===-- Module scope: parser.cpp ----------------------------------------===//

  void parseModule();
  void parseItem();
  bool parseHeader();
  bool parseVersion();
  bool parseTarget();
  bool parseAddressSize();
  bool parseFile();
  bool parseSection();
  bool parseSectionLine(Section &section);
  bool parseSectionValue(Section &section);
  bool parsePragma(std::vector<Pragma> &pragmas);
  bool parseAlias();
  bool parseLinkedItem(Linkage linkage);
  std::optional<std::uint32_t> parseModuleSymbol(std::string_view what);
  std::optional<std::uint32_t> lookUpModule(std::string_view name) const;
  bool declareModule(std::string_view name, Symbol::Kind kind,
                     std::uint32_t index, SourcePos pos);
  bool mergeSymbols(Symbol &symbol, Symbol::Kind kind, std::uint32_t index,
                    SourcePos pos);

  //===-- Declarations: parse-declarations.cpp ----------------------------===//

  /// What a variable declaration of the scope is added with.
  using AddVariable = bool (Parser::*)(Variable variable);
  bool parseVariables(StateSpace space, Linkage linkage, AddVariable add);
  bool parseVariablePrefix(Variable &variable);
  bool parseAttribute(Variable *variable, Function *function);
  bool parseVectorAndType(Type &type, std::uint8_t &vectorWidth);
  bool parseDims(Variable &variable);
  bool parseInitializer(Initializer &init, unsigned depth);
  bool parseSymbolAddress(Initializer &init);
  bool checkSize(const Variable &variable);
  bool addModuleVariable(Variable variable);
  bool addLocalVariable(Variable variable);
  bool parseParameter(Variable &variable, bool isPrototype);
  bool parsePointerAttribute(Variable &variable);
  bool parseParameters(std::vector<Variable> &into, bool isPrototype);
  bool parseRegisterDecls();

  //===-- Functions: parse-function.cpp -----------------------------------===//

  bool parseFunction(Linkage linkage, bool isEntry);
  bool parseSignature();
  bool parseDirectives();
  std::optional<bool> parseDirective();
  bool parseExtent(std::optional<Extent> &extent);
  bool parseBody();
  bool parseStatement();
  bool parseBodyDirective();
  bool parseLocation();
  bool parseInlinedAt(Location &location);
  bool parseLabelOrInstruction();
  bool parseGuarded();
  bool parseInstruction(Guard guard, Token head);
  bool defineLabel(std::string_view name, SourcePos pos);
  bool parseTable(std::string_view name, SourcePos pos);
  bool parseCallPrototype(std::string_view name, SourcePos pos);
  void addStatement(Statement::Kind kind, std::size_t index);

  //===-- Scopes: parse-function.cpp --------------------------------------===//

  /// What a name means inside a function.
  struct Entity {
    enum class Kind : std::uint8_t { reg, variable, label, table };
    Kind kind = Kind::reg;
    TableRef::Kind tableKind{};
    std::uint32_t index = 0;
    std::uint32_t line = 0;
  };
  /// `%r<count>`.
  struct RegisterRange {
    std::uint32_t decl = 0;
  };
  /// A label or table that was named before it was defined.
  struct Pending {
    enum class Place : std::uint8_t { operand, branchTarget };
    Place place = Place::operand;
    std::string_view name;
    SourcePos pos;
    std::uint32_t index = 0; ///< of the operand, or of the branch table
    std::uint32_t slot = 0;  ///< in the branch table
    bool wantsTable = false;
  };
  struct Scope {
    std::unordered_map<std::string_view, Entity> names;
    std::unordered_map<std::string_view, RegisterRange> ranges;
    std::vector<Pending> pending;
  };
  void openScope();
  void closeScope();
  void resolvePending(const Pending &pending, const Entity &entity);
  bool declare(std::string_view name, Entity entity, SourcePos pos);
  const Entity *lookUp(std::string_view name);
  const Entity *lookUpRange(Scope &scope, std::string_view name);
  std::uint32_t addRegister(std::string_view name, Type type,
                            std::uint8_t vectorWidth);

  //===-- Operands: parse-operands.cpp ------------------------------------===//

  bool parseOperands(const MnemonicMatch &match, Instruction &instruction);
  bool parseCallOperands();
  bool parseCallee();
  bool parseList();
  bool parseOperand(unsigned depth);
  bool parseSimpleOperand(unsigned depth);
  bool parseNamedOperand();
  bool parseNegatedNumber();
  bool parseAddress(unsigned depth);
  bool parseVector(unsigned depth);
  bool parseLabelOperand(bool wantsTable);
  std::optional<Component> parseComponent();
  std::optional<SymbolRef> symbolNamed(std::string_view name);
  bool checkOperandKinds(const Instruction &instruction);
  void push(Operand operand) { scratch.push_back(std::move(operand)); }
  /// Moves the operands pushed since `base` into the function.
  OperandRange takeOperands(std::size_t base);

  ParseOptions options;
  Lexer lexer;
  Token token;
  Module module;
  std::vector<Diagnostic> diagnostics;
  std::unordered_map<std::string_view, std::uint32_t> moduleNames;
  std::unordered_map<std::string_view, MnemonicMatch> mnemonics;

  // The function being read.
  Function function;
  std::vector<Scope> scopes;
  std::vector<Operand> scratch;
  std::vector<Pending> instructionPending; ///< with indices into `scratch`
  std::uint32_t currentLocation = noIndex;
  bool takesSelectors = false; ///< the instruction being read does
};

} // namespace tessera::ptx

#endif // TESSERA_PTX_PARSER_IMPL_H
