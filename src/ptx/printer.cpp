// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/printer.h"

#include <array>
#include <charconv>
#include <concepts>

using namespace tessera::ptx;

namespace {

class Printer {
public:
  explicit Printer(const Module &module) : module(module) {}

  std::string printModule();
  std::string printInstruction(const Function &inFunction,
                               const Instruction &instruction);

private:
  /// Appends strings, characters and integers (in decimal).
  template <class... Parts> void put(const Parts &...parts) {
    (append(parts), ...);
  }
  void append(std::string_view text) { out += text; }
  void append(char character) { out += character; }
  template <std::integral Integer> void append(Integer value) {
    std::array<char, 24> digits;
    auto [end, ec] =
        std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), end);
  }
  void indent() { out.append(depth, '\t'); }

  /// Prints all of a range, separated.
  template <class Range, class Print>
  void putSeparated(const Range &range, Print print,
                    std::string_view separator = ", ") {
    bool isFirst = true;
    for (const auto &element : range) {
      if (!isFirst)
        out += separator;
      isFirst = false;
      print(element);
    }
  }

  void item(const ModuleItem &item);
  void section(const Section &section);
  void file(const File &file);
  void pragma(const Pragma &pragma);
  void linkage(Linkage linkage);
  void variable(const Variable &variable);
  void initializer(const Initializer &init);
  void symbolAddress(const SymbolAddress &address);
  void parameter(const Variable &variable);
  void parameters(std::span<const Variable> variables);
  void unifiedAttribute(std::uint64_t low, std::uint64_t high);

  void functionItem(const Function &item);
  void directives(const Directives &directives);
  void extent(std::string_view name, const std::optional<Extent> &extent);
  void statement(const Statement &statement);
  void location(const Location &location);
  void branchTargets(const BranchTargets &targets);
  void callTargets(const CallTargets &targets);
  void callPrototype(const CallPrototype &prototype);
  void abiDirectives(std::optional<std::uint32_t> preserve,
                     std::optional<std::uint32_t> preserveControl);

  void instruction(const Instruction &instruction);
  void callOperands(std::span<const Operand> operands);
  void operands(OperandRange range, std::string_view separator = ", ");
  void operand(const Operand &operand);
  void address(const Address &address);
  void symbol(const SymbolRef &ref);
  void offset(std::int64_t value);

  void value(const Sink &) { out += '_'; }
  void value(const RegisterRef &reg);
  void value(const SpecialRegisterRef &reg);
  void value(const IntImmediate &immediate);
  void value(const FloatImmediate &immediate);
  void value(const SymbolRef &ref);
  void value(const Address &value) { address(value); }
  void value(const LabelRef &label) {
    out += function->labels[label.index].name;
  }
  void value(const TableRef &table);
  void value(const VectorOperand &vector);
  void value(const PairOperand &pair) { operands(pair.elements, "|"); }
  void value(const ListOperand &list);

  const Module &module;
  const Function *function = nullptr;
  unsigned depth = 0;
  std::string out;
};

/// Upper-case hexadecimal digits, at least `width`.
std::string hex(std::uint64_t value, std::size_t width) {
  std::string digits;
  for (; value != 0 || digits.size() < width; value >>= 4)
    digits.insert(digits.begin(), "0123456789ABCDEF"[value & 15]);
  return digits;
}

std::string_view componentSuffix(Component component) {
  constexpr std::string_view names[] = {"", ".x", ".y", ".z", ".w"};
  return names[std::size_t(component)];
}

} // namespace

//===----------------------------------------------------------------------===//
// Module scope
//===----------------------------------------------------------------------===//

std::string Printer::printModule() {
  put(".version ", module.version.major, ".", module.version.minor,
      "\n.target sm_", module.target.arch.sm);
  if (module.target.arch.feature != '\0')
    out += module.target.arch.feature;
  for (std::string_view option : module.target.options)
    put(", ", option);
  out += '\n';
  if (module.addressSize)
    put(".address_size ", *module.addressSize, "\n");
  for (const ModuleItem &moduleItem : module.items)
    item(moduleItem);
  return std::move(out);
}

void Printer::item(const ModuleItem &item) {
  switch (item.kind) {
  case ModuleItem::Kind::variable:
    return variable(module.variables[item.index]);
  case ModuleItem::Kind::function:
    return functionItem(module.functions[item.index]);
  case ModuleItem::Kind::file:
    return file(module.files[item.index]);
  case ModuleItem::Kind::section:
    return section(module.sections[item.index]);
  case ModuleItem::Kind::pragma:
    return pragma(module.pragmas[item.index]);
  case ModuleItem::Kind::alias:
    put(".alias ", module.symbols[module.aliases[item.index].alias].name, ", ",
        module.symbols[module.aliases[item.index].aliasee].name, ";\n");
    return;
  }
}

void Printer::file(const File &file) {
  put(".file\t", file.index, " \"", file.name, "\"");
  if (file.timestampAndSize)
    put(", ", file.timestampAndSize->first, ", ",
        file.timestampAndSize->second);
  out += '\n';
}

void Printer::pragma(const Pragma &pragma) {
  indent();
  put(".pragma \"", pragma.text, "\";\n");
}

void Printer::section(const Section &section) {
  put(".section\t", section.name, "\n{\n");
  auto printValue = [&](const SectionValue &value) {
    if (value.label.empty()) {
      put(std::int64_t(value.bits));
      return;
    }
    out += value.label;
    if (!value.minusLabel.empty())
      put("-", value.minusLabel);
    else if (value.bits != 0)
      offset(std::int64_t(value.bits));
  };
  for (const SectionLine &line : section.lines) {
    if (line.type == Type::none) {
      put(line.label, ":\n");
      continue;
    }
    put(".", spelling(line.type), " ");
    putSeparated(
        std::span(section.values).subspan(line.firstValue, line.valueCount),
        printValue);
    out += '\n';
  }
  out += "}\n";
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void Printer::linkage(Linkage linkage) {
  switch (linkage) {
  case Linkage::internal:
    return;
  case Linkage::external:
    out += ".extern ";
    return;
  case Linkage::visible:
    out += ".visible ";
    return;
  case Linkage::weak:
    out += ".weak ";
    return;
  case Linkage::common:
    out += ".common ";
    return;
  }
}

void Printer::unifiedAttribute(std::uint64_t low, std::uint64_t high) {
  put(".attribute(.unified(", low, "U, ", high, "U)) ");
}

void Printer::parameter(const Variable &variable) {
  put(".", spelling(variable.space), " ");
  if (variable.isManaged)
    out += ".attribute(.managed) ";
  if (variable.unified)
    unifiedAttribute(variable.unified->first, variable.unified->second);
  if (variable.align != 0)
    put(".align ", variable.align, " ");
  if (variable.vectorWidth > 1)
    put(".v", variable.vectorWidth, " ");
  put(".", spelling(variable.type), " ");
  if (variable.isPointer) {
    out += ".ptr ";
    if (variable.pointeeSpace != StateSpace::generic)
      put(".", spelling(variable.pointeeSpace), " ");
    if (variable.pointeeAlign != 0)
      put(".align ", variable.pointeeAlign, " ");
  }
  out += variable.name;
  for (std::uint64_t extent : variable.dims) {
    if (extent == 0)
      out += "[]";
    else
      put("[", extent, "]");
  }
}

void Printer::parameters(std::span<const Variable> variables) {
  out += '(';
  putSeparated(variables, [&](const Variable &each) { parameter(each); });
  out += ')';
}

void Printer::variable(const Variable &variable) {
  indent();
  linkage(variable.linkage);
  parameter(variable);
  if (variable.init) {
    out += " = ";
    initializer(*variable.init);
  }
  out += ";\n";
}

void Printer::initializer(const Initializer &init) {
  if (const auto *list = std::get_if<std::vector<Initializer>>(&init.value)) {
    out += '{';
    putSeparated(*list, [&](const Initializer &each) { initializer(each); });
    out += '}';
  } else if (const auto *integer = std::get_if<IntImmediate>(&init.value)) {
    value(*integer);
  } else if (const auto *number = std::get_if<FloatImmediate>(&init.value)) {
    value(*number);
  } else {
    symbolAddress(std::get<SymbolAddress>(init.value));
  }
}

void Printer::symbolAddress(const SymbolAddress &address) {
  if (address.mask != 0)
    put("0x", hex(address.mask, 1), "(");
  if (address.isGeneric)
    out += "generic(";
  SymbolRef base = address.symbol;
  base.offset = 0;
  symbol(base);
  if (address.isGeneric)
    out += ')';
  offset(address.symbol.offset);
  if (address.mask != 0)
    out += ')';
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Printer::functionItem(const Function &item) {
  function = &item;
  linkage(item.linkage);
  out += item.isEntry ? ".entry " : ".func ";
  if (item.unified)
    unifiedAttribute(item.unified->first, item.unified->second);
  if (item.resultCount != 0) {
    parameters(item.results());
    out += ' ';
  }
  put(item.name);
  parameters(item.params());
  out += '\n';
  directives(item.directives);
  if (item.isDefinition) {
    out += "{\n";
    depth = 1;
    for (const Statement &each : item.body)
      statement(each);
    depth = 0;
    out += "}\n";
  } else {
    out += ";\n";
  }
  function = nullptr;
}

void Printer::extent(std::string_view name,
                     const std::optional<Extent> &extent) {
  if (extent)
    put(".", name, " ", extent->x, ", ", extent->y, ", ", extent->z, "\n");
}

void Printer::abiDirectives(std::optional<std::uint32_t> preserve,
                            std::optional<std::uint32_t> preserveControl) {
  if (preserve)
    put(" .abi_preserve ", *preserve, "\n");
  if (preserveControl)
    put(" .abi_preserve_control ", *preserveControl, "\n");
}

void Printer::directives(const Directives &directives) {
  auto number = [&](std::string_view name, std::optional<std::uint32_t> value) {
    if (value)
      put(".", name, " ", *value, "\n");
  };
  auto flag = [&](std::string_view name, bool value) {
    if (value)
      put(".", name, "\n");
  };
  number("maxnreg", directives.maxRegisters);
  extent("maxntid", directives.maxThreads);
  extent("reqntid", directives.requiredThreads);
  number("minnctapersm", directives.minBlocks);
  number("maxnctapersm", directives.maxBlocks);
  extent("reqnctapercluster", directives.requiredCluster);
  number("maxclusterrank", directives.maxClusterRank);
  flag("explicitcluster", directives.explicitCluster);
  flag("blocksareclusters", directives.blocksAreClusters);
  flag("noreturn", directives.noReturn);
  abiDirectives(directives.abiPreserve, directives.abiPreserveControl);
  for (const Pragma &each : directives.pragmas)
    pragma(each);
}

void Printer::statement(const Statement &statement) {
  switch (statement.kind) {
  case Statement::Kind::instruction:
    indent();
    instruction(function->instructions[statement.index]);
    out += '\n';
    return;
  case Statement::Kind::label:
    put(function->labels[statement.index].name, ":\n");
    return;
  case Statement::Kind::registerDecl: {
    const RegisterDecl &decl = function->registerDecls[statement.index];
    indent();
    out += ".reg ";
    if (decl.vectorWidth > 1)
      put(".v", decl.vectorWidth, " ");
    put(".", spelling(decl.type), " ", decl.name);
    if (decl.count)
      put("<", *decl.count, ">");
    out += ";\n";
    return;
  }
  case Statement::Kind::variable:
    return variable(function->variables[statement.index]);
  case Statement::Kind::location:
    return location(function->locations[statement.index]);
  case Statement::Kind::pragma:
    return pragma(function->pragmas[statement.index]);
  case Statement::Kind::branchTargets:
    return branchTargets(function->branchTargets[statement.index]);
  case Statement::Kind::callTargets:
    return callTargets(function->callTargets[statement.index]);
  case Statement::Kind::callPrototype:
    return callPrototype(function->callPrototypes[statement.index]);
  case Statement::Kind::openScope:
    indent();
    out += "{\n";
    ++depth;
    return;
  case Statement::Kind::closeScope:
    --depth;
    indent();
    out += "}\n";
    return;
  }
}

void Printer::location(const Location &location) {
  indent();
  put(".loc\t", location.file, " ", location.line, " ", location.column);
  if (const auto &at = location.inlinedAt) {
    put(", function_name ", at->functionName);
    if (at->nameOffset != 0)
      put("+", at->nameOffset);
    put(", inlined_at ", at->file, " ", at->line, " ", at->column);
  }
  out += '\n';
}

void Printer::branchTargets(const BranchTargets &targets) {
  put(targets.name, ": .branchtargets ");
  putSeparated(targets.labels, [&](std::uint32_t label) {
    out += function->labels[label].name;
  });
  out += ";\n";
}

void Printer::callTargets(const CallTargets &targets) {
  put(targets.name, ": .calltargets ");
  putSeparated(targets.functions, [&](std::uint32_t callee) {
    out += module.symbols[callee].name;
  });
  out += ";\n";
}

void Printer::callPrototype(const CallPrototype &prototype) {
  put(prototype.name, ": .callprototype ");
  parameters(prototype.returns);
  out += " _ ";
  parameters(prototype.params);
  if (prototype.noReturn)
    out += " .noreturn";
  abiDirectives(prototype.abiPreserve, prototype.abiPreserveControl);
  out += ";\n";
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

std::string Printer::printInstruction(const Function &inFunction,
                                      const Instruction &each) {
  function = &inFunction;
  instruction(each);
  return std::move(out);
}

void Printer::instruction(const Instruction &instruction) {
  if (instruction.guard)
    put("@", instruction.guard.negated ? "!" : "",
        function->registers[instruction.guard.registerIndex].name, " ");
  out += spelling(instruction.opcode());
  for (Modifier modifier : instruction.mnemonic.modifiers())
    put(".", spelling(modifier));
  if (instruction.operands.count != 0)
    out += ' ';
  if (instruction.opcode() == Opcode::call)
    callOperands(function->operandsOf(instruction));
  else
    operands(instruction.operands);
  out += ';';
}

void Printer::callOperands(std::span<const Operand> operands) {
  auto isEmptyList = [](const Operand &each) {
    const auto *list = each.getIf<ListOperand>();
    return list && list->elements.count == 0;
  };
  bool isFirst = true;
  for (const Operand &each : operands) {
    if (isEmptyList(each))
      continue;
    if (!isFirst)
      out += ", ";
    isFirst = false;
    operand(each);
  }
}

void Printer::operands(OperandRange range, std::string_view separator) {
  putSeparated(
      function->operandsIn(range), [&](const Operand &each) { operand(each); },
      separator);
}

void Printer::operand(const Operand &operand) {
  std::visit([&](const auto &each) { value(each); }, operand.value);
}

void Printer::value(const RegisterRef &reg) {
  const Register &named = function->registers[reg.index];
  std::string_view sign = named.type == Type::pred ? "!" : "-";
  put(reg.negated ? sign : std::string_view(), named.name,
      componentSuffix(reg.component), reg.selector.str());
}

void Printer::value(const SpecialRegisterRef &reg) {
  put(spelling(reg.id), componentSuffix(reg.component));
}

void Printer::value(const IntImmediate &immediate) {
  if (immediate.isUnsigned)
    put(immediate.bits, "U");
  else
    put(std::int64_t(immediate.bits));
}

void Printer::value(const FloatImmediate &immediate) {
  if (immediate.isSingle)
    put("0f", hex(immediate.bits, 8));
  else
    put("0d", hex(immediate.bits, 16));
}

void Printer::symbol(const SymbolRef &ref) {
  out += ref.scope == SymbolRef::Scope::module
             ? module.symbols[ref.index].name
             : function->variables[ref.index].name;
}

void Printer::offset(std::int64_t value) {
  if (value != 0)
    put(value > 0 ? "+" : "", value);
}

void Printer::value(const SymbolRef &ref) {
  symbol(ref);
  offset(ref.offset);
}

void Printer::address(const Address &address) {
  out += '[';
  if (const auto *reg = std::get_if<RegisterRef>(&address.base)) {
    value(*reg);
    offset(address.offset);
  } else if (const auto *ref = std::get_if<SymbolRef>(&address.base)) {
    symbol(*ref);
    offset(address.offset);
  } else {
    put(address.offset);
  }
  for (const Operand &part : function->operandsIn(address.parts)) {
    out += ", ";
    operand(part);
  }
  out += ']';
}

void Printer::value(const TableRef &table) {
  switch (table.kind) {
  case TableRef::Kind::branchTargets:
    out += function->branchTargets[table.index].name;
    return;
  case TableRef::Kind::callTargets:
    out += function->callTargets[table.index].name;
    return;
  case TableRef::Kind::callPrototype:
    out += function->callPrototypes[table.index].name;
    return;
  }
}

void Printer::value(const VectorOperand &vector) {
  out += '{';
  operands(vector.elements);
  out += '}';
}

void Printer::value(const ListOperand &list) {
  out += '(';
  operands(list.elements);
  out += ')';
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

std::string tessera::ptx::print(const Module &module) {
  return Printer(module).printModule();
}

std::string tessera::ptx::print(const Module &module, const Function &function,
                                const Instruction &instruction) {
  return Printer(module).printInstruction(function, instruction);
}
