// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/validator.h"

#include "ptx/validator-rules.h"

#include <algorithm>
#include <string>

using namespace tessera::ptx;

namespace {

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string dotted(Type type) { return "." + std::string(spelling(type)); }

std::string versionText(std::uint32_t number) {
  return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

class Validator {
public:
  Validator(const Module &module, const ValidateOptions &options)
      : module(module), options(options) {}

  std::vector<Diagnostic> run();

private:
  void error(SourcePos pos, std::string message) {
    if (diagnostics.size() < options.maxErrors)
      diagnostics.push_back({pos, std::move(message)});
  }
  void validateTarget();
  void validateVariable(const Variable &variable);
  void validateFunction(const Function &each);
  void validateParameters(const Function &each);
  void validateInstruction(const Instruction &instruction);
  void validateRequirements(const Instruction &instruction);
  void validateOperand(const Instruction &instruction, const OperandSpec &spec,
                       const Operand &operand);
  void validateSelector(const OperandSpec &spec, const Operand &operand);
  void validateVector(const Instruction &instruction, const OperandSpec &spec,
                      const VectorOperand &vector, SourcePos pos);
  void validatePair(const Instruction &instruction, const OperandSpec &spec,
                    const PairOperand &pair);
  void validateValue(const Instruction &instruction, const OperandSpec &spec,
                     const Operand &operand, Type type);
  void validateRegister(const Instruction &instruction,
                        const RegisterRef &reference, SourcePos pos, Type type,
                        bool isResult);
  void validateAddress(const Instruction &instruction, const Address &address,
                       SourcePos pos, StateSpace space);
  void validateAddresses(const Instruction &instruction);
  void validateCvta(const Instruction &instruction);
  void validateCall(const Instruction &instruction);
  void validateCallSide(std::span<const Operand> values,
                        std::span<const Variable> params, SourcePos pos,
                        std::string_view what);
  [[nodiscard]] const Variable *variableOf(const SymbolRef &ref) const;
  [[nodiscard]] std::string nameOf(const SymbolRef &ref) const;

  const Module &module;
  ValidateOptions options;
  const Function *function = nullptr;
  std::vector<Diagnostic> diagnostics;
};

} // namespace

std::vector<Diagnostic> tessera::ptx::validate(const Module &module,
                                               const ValidateOptions &options) {
  return Validator(module, options).run();
}

std::vector<Diagnostic> Validator::run() {
  validateTarget();
  for (const ModuleItem &item : module.items) {
    if (item.kind == ModuleItem::Kind::variable)
      validateVariable(module.variables[item.index]);
    if (item.kind == ModuleItem::Kind::function)
      validateFunction(module.functions[item.index]);
  }
  return std::move(diagnostics);
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void Validator::validateTarget() {
  Arch arch = module.target.arch;
  auto least = leastVersionFor(arch);
  if (!least)
    return error(module.target.pos,
                 "unknown architecture " + quoted(arch.str()));
  if (module.version.number() < *least)
    error(module.target.pos,
          arch.str() + " needs '.version " + versionText(*least) +
              "', but this module has " + versionText(module.version.number()));
}

void Validator::validateVariable(const Variable &variable) {
  if (variable.type == Type::pred)
    return error(variable.pos, "a variable cannot be a predicate");
  if (variable.linkage == Linkage::external && variable.init)
    return error(variable.pos, "an '.extern' variable cannot be initialised");
  bool canInitialize = variable.space == StateSpace::global ||
                       variable.space == StateSpace::const_;
  if (variable.init && !canInitialize)
    return error(variable.pos, "a variable in '." +
                                   std::string(spelling(variable.space)) +
                                   "' cannot be initialised");
  if (!variable.init)
    return;
  std::uint64_t size = variable.size();
  for (const InitialValue &value : initialValues(variable)) {
    if (value.offset < size)
      continue;
    error(value.value->pos,
          "too many initial values for " + quoted(variable.name));
    return;
  }
}

void Validator::validateFunction(const Function &each) {
  function = &each;
  validateParameters(each);
  for (std::size_t i = each.resultCount + each.paramCount;
       i < each.variables.size(); ++i)
    validateVariable(each.variables[i]);
  for (const Instruction &instruction : each.instructions)
    validateInstruction(instruction);
}

void Validator::validateParameters(const Function &each) {
  for (const Variable &param : each.params())
    if (each.isEntry && param.space != StateSpace::param)
      error(param.pos, "a parameter of an entry must be in '.param'");
  const Function *definition = module.findFunction(each.name);
  if (!definition || definition == &each)
    return;
  auto isSame = [](const Variable &a, const Variable &b) {
    return a.space == b.space && a.size() == b.size();
  };
  if (!std::ranges::equal(each.params(), definition->params(), isSame) ||
      !std::ranges::equal(each.results(), definition->results(), isSame))
    error(definition->pos, quoted(each.name) +
                               " does not fit its declaration in line " +
                               std::to_string(each.pos.line));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Validator::validateInstruction(const Instruction &instruction) {
  validateRequirements(instruction);
  if (auto problem = mnemonicProblem(instruction.mnemonic))
    error(instruction.pos,
          quoted(instruction.mnemonic.str()) + ": " + *problem);
  if (instruction.opcode() == Opcode::call)
    return validateCall(instruction);
  const InstructionForm &form = formOf(instruction.mnemonic);
  auto operands = function->operandsOf(instruction);
  for (std::size_t i = 0; i < operands.size(); ++i)
    validateOperand(instruction, form.operands[i], operands[i]);
  validateAddresses(instruction);
  if (instruction.opcode() == Opcode::cvta)
    validateCvta(instruction);
}

void Validator::validateRequirements(const Instruction &instruction) {
  const InstructionForm &form = formOf(instruction.mnemonic);
  std::string name = quoted(instruction.mnemonic.str());
  if (module.version.number() < form.leastVersion)
    error(instruction.pos,
          name + " needs '.version " + versionText(form.leastVersion) +
              "', but this module has " + versionText(module.version.number()));
  if (!module.target.arch.supportsAny(form.targets))
    error(instruction.pos,
          name + " needs '.target " + alternativesText(form.targets) +
              "', but this module has " + module.target.arch.str());
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void Validator::validateOperand(const Instruction &instruction,
                                const OperandSpec &spec,
                                const Operand &operand) {
  if (const auto *vector = operand.getIf<VectorOperand>())
    return validateVector(instruction, spec, *vector, operand.pos);
  if (const auto *pair = operand.getIf<PairOperand>())
    return validatePair(instruction, spec, *pair);
  validateSelector(spec, operand);
  unsigned width = instruction.mnemonic.vectorWidth();
  if (spec.kind == OperandKind::vector && width > 1) {
    const auto *reg = operand.getIf<RegisterRef>();
    if (!reg || function->registers[reg->index].vectorWidth != width)
      return error(operand.pos, "expected a vector of " +
                                    std::to_string(width) + " elements");
  }
  validateValue(instruction, spec, operand, spec.typeFor(instruction.mnemonic));
}

void Validator::validateSelector(const OperandSpec &spec,
                                 const Operand &operand) {
  const auto *reg = operand.getIf<RegisterRef>();
  if (!reg)
    return;
  if (auto problem = selectorProblem(spec, reg->selector))
    error(operand.pos, *problem);
  bool isVideo = spec.selector != SelectorKind::none || spec.canBeNegated;
  bool isNumber = function->registers[reg->index].type != Type::pred;
  if (reg->negated && isVideo && isNumber && !spec.canBeNegated)
    error(operand.pos, "this operand cannot be negated");
}

void Validator::validateVector(const Instruction &instruction,
                               const OperandSpec &spec,
                               const VectorOperand &vector, SourcePos pos) {
  Type type = spec.typeFor(instruction.mnemonic);
  auto elements = function->operandsIn(vector.elements);
  if (spec.kind == OperandKind::anything) {
    // mov packs: the elements together are as wide as the value.
    Type element = bitsType(bitWidth(type) / unsigned(elements.size()));
    bool isWhole = instruction.mnemonic.vectorWidth() == elements.size();
    if (isWhole)
      element = type;
    else if (element == Type::none ||
             bitWidth(element) * elements.size() != bitWidth(type))
      return error(pos, "a vector of " + std::to_string(elements.size()) +
                            " elements does not make a " + dotted(type));
    type = element;
  } else if (spec.kind == OperandKind::vector &&
             elements.size() != instruction.mnemonic.vectorWidth()) {
    return error(
        pos, "expected " + std::to_string(instruction.mnemonic.vectorWidth()) +
                 " elements but found " + std::to_string(elements.size()));
  }
  for (const Operand &element : elements)
    validateValue(instruction, spec, element, type);
}

void Validator::validatePair(const Instruction &instruction,
                             const OperandSpec &spec, const PairOperand &pair) {
  auto elements = function->operandsIn(pair.elements);
  if (spec.kind != OperandKind::pair)
    return error(elements[0].pos, quoted(instruction.mnemonic.str()) +
                                      " has no second result here");
  validateValue(instruction, spec, elements[0],
                spec.typeFor(instruction.mnemonic));
  validateValue(instruction, spec, elements[1], Type::pred);
}

void Validator::validateValue(const Instruction &instruction,
                              const OperandSpec &spec, const Operand &operand,
                              Type type) {
  bool isResult = spec.access != Access::read;
  if (const auto *reg = operand.getIf<RegisterRef>())
    return validateRegister(instruction, *reg, operand.pos, type, isResult);
  if (type == Type::none)
    return;
  if (const auto *special = operand.getIf<SpecialRegisterRef>()) {
    Type has = specialRegisterType(special->id);
    bool isConstant = special->id == SpecialRegister::warp_size;
    bool isReader = instruction.opcode() == Opcode::mov ||
                    instruction.opcode() == Opcode::cvt;
    if (!isConstant && !isReader)
      return error(operand.pos, quoted(spelling(special->id)) +
                                    " is a special register, which only "
                                    "'mov' and 'cvt' read");
    bool isVector =
        hasComponents(special->id) && special->component == Component::none;
    if (isVector && instruction.mnemonic.vectorWidth() == 1)
      return error(operand.pos, quoted(spelling(special->id)) +
                                    " is a vector; name a component");
    if (bitWidth(has) != bitWidth(type) && spec.kind != OperandKind::constant)
      error(operand.pos, quoted(spelling(special->id)) + " is " + dotted(has) +
                             ", which does not fit " + dotted(type));
    return;
  }
  bool isImmediate = operand.is<IntImmediate>() || operand.is<FloatImmediate>();
  if (isImmediate && !immediateBits(operand, type))
    return error(operand.pos, "this constant cannot be a " + dotted(type));
  if (operand.is<SymbolRef>() && bitWidth(type) < 32)
    error(operand.pos, "an address does not fit " + dotted(type));
}

void Validator::validateRegister(const Instruction &instruction,
                                 const RegisterRef &reference, SourcePos pos,
                                 Type type, bool isResult) {
  const Register &reg = function->registers[reference.index];
  bool isVideo = opcodeClass(instruction.opcode()) == OpcodeClass::video;
  if (reference.negated && reg.type != Type::pred && !isVideo)
    return error(pos, quoted(reg.name) + " is " + dotted(reg.type) +
                          "; only predicates can be negated");
  if (reference.negated && isResult)
    return error(pos, "a result cannot be negated");
  if (reference.component != Component::none &&
      unsigned(reference.component) > reg.vectorWidth)
    return error(pos, quoted(reg.name) + " has no such component");
  if (type == Type::none || fitsRegister(instruction.mnemonic, type, reg.type))
    return;
  error(pos, "register " + quoted(reg.name) + " is " + dotted(reg.type) +
                 ", which does not fit " + dotted(type) + " of " +
                 quoted(instruction.mnemonic.str()));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

const Variable *Validator::variableOf(const SymbolRef &ref) const {
  if (ref.scope == SymbolRef::Scope::function)
    return &function->variables[ref.index];
  return module.variableOf(ref.index);
}

std::string Validator::nameOf(const SymbolRef &ref) const {
  return quoted(ref.scope == SymbolRef::Scope::function
                    ? function->variables[ref.index].name
                    : module.symbols[ref.index].name);
}

void Validator::validateAddresses(const Instruction &instruction) {
  std::vector<StateSpace> spaces;
  for (Modifier modifier : instruction.mnemonic.modifiers())
    if (modifierGroup(modifier) == ModifierGroup::space)
      spaces.push_back(modifierSpace(modifier));
  std::size_t count = 0;
  for (const Operand &operand : function->operandsOf(instruction)) {
    const auto *address = operand.getIf<Address>();
    if (!address)
      continue;
    StateSpace space =
        count < spaces.size() ? spaces[count] : StateSpace::generic;
    validateAddress(instruction, *address, operand.pos, space);
    ++count;
  }
}

void Validator::validateAddress(const Instruction &instruction,
                                const Address &address, SourcePos pos,
                                StateSpace space) {
  if (const auto *reg = std::get_if<RegisterRef>(&address.base)) {
    Type type = function->registers[reg->index].type;
    bool isInt = isInteger(type) || typeClass(type) == TypeClass::bits;
    if (!isInt || (bitWidth(type) != 32 && bitWidth(type) != 64))
      error(pos, "register " + quoted(function->registers[reg->index].name) +
                     " is " + dotted(type) + " and cannot be an address");
    return;
  }
  const auto *symbol = std::get_if<SymbolRef>(&address.base);
  if (!symbol)
    return;
  const Variable *variable = variableOf(*symbol);
  if (!variable)
    return error(pos, nameOf(*symbol) + " is a function, not a variable");
  if (!isAccessible(space, variable->space))
    return error(pos, nameOf(*symbol) + " is in '." +
                          std::string(spelling(variable->space)) + "', but " +
                          quoted(instruction.mnemonic.str()) + " accesses '." +
                          std::string(spelling(space)) + "'");
  bool isEntryParam =
      function->isEntry && symbol->scope == SymbolRef::Scope::function &&
      symbol->index < function->resultCount + function->paramCount;
  if (instruction.opcode() == Opcode::st && isEntryParam)
    error(pos, "parameters of an entry cannot be written");
}

void Validator::validateCvta(const Instruction &instruction) {
  const Operand &source = function->operandsOf(instruction)[1];
  const auto *symbol = source.getIf<SymbolRef>();
  if (!symbol)
    return;
  const Variable *variable = variableOf(*symbol);
  if (!variable)
    return error(source.pos, nameOf(*symbol) + " is a function");
  StateSpace space = instruction.mnemonic.space();
  if (!isAccessible(space, variable->space))
    error(source.pos, nameOf(*symbol) + " is in '." +
                          std::string(spelling(variable->space)) +
                          "', not in '." + std::string(spelling(space)) + "'");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void Validator::validateCall(const Instruction &instruction) {
  auto operands = function->operandsOf(instruction);
  auto listAt = [&](std::size_t i) {
    return function->operandsIn(operands[i].getIf<ListOperand>()->elements);
  };
  std::span<const Variable> params, results;
  if (const auto *callee = operands[1].getIf<SymbolRef>()) {
    const Function *target = module.functionOf(callee->index);
    if (target->isEntry)
      return error(operands[1].pos,
                   quoted(target->name) + " is an entry and cannot be called");
    params = target->params();
    results = target->results();
  } else {
    const auto *table =
        operands.size() > 3 ? operands[3].getIf<TableRef>() : nullptr;
    if (!table || table->kind == TableRef::Kind::branchTargets)
      return error(instruction.pos,
                   "an indirect call needs a prototype or call targets");
    if (table->kind == TableRef::Kind::callTargets)
      return;
    const CallPrototype &prototype = function->callPrototypes[table->index];
    params = prototype.params;
    results = prototype.returns;
  }
  validateCallSide(listAt(0), results, instruction.pos, "result");
  validateCallSide(listAt(2), params, instruction.pos, "argument");
}

void Validator::validateCallSide(std::span<const Operand> values,
                                 std::span<const Variable> params,
                                 SourcePos pos, std::string_view what) {
  if (values.size() != params.size())
    return error(pos, "this call has " + std::to_string(values.size()) + " " +
                          std::string(what) + "s, but the function has " +
                          std::to_string(params.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Variable &param = params[i];
    std::string each = std::string(what) + " " + std::to_string(i + 1);
    if (const auto *symbol = values[i].getIf<SymbolRef>()) {
      const Variable *variable = variableOf(*symbol);
      if (!variable || variable->space != StateSpace::param)
        error(values[i].pos, each + " must be a variable in '.param'");
      else if (variable->size() != param.size())
        error(values[i].pos, each + " has " + std::to_string(variable->size()) +
                                 " bytes, but the function's has " +
                                 std::to_string(param.size()));
    } else if (const auto *reg = values[i].getIf<RegisterRef>()) {
      Type type = function->registers[reg->index].type;
      if (byteSize(type) != param.size())
        error(values[i].pos, each + " is " + dotted(type) +
                                 ", which does not fit " + dotted(param.type));
    }
  }
}
