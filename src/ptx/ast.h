// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree of a PTX module, with names resolved to indices, so that
// whoever executes or analyses it never looks up a string.
//
// Nodes are values. Two nodes are equal when they say the same; where they
// were written takes no part. Names are views into text that the module owns.
//
// Operands live in one array per function; instructions, vectors and lists
// hold ranges of it. The statements of a body keep their written order in
// `Function::body`, each pointing into the array of its kind.

#ifndef TESSERA_PTX_AST_H
#define TESSERA_PTX_AST_H

#include "ptx/diagnostic.h"
#include "ptx/instructions.h"
#include "ptx/types.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tessera::ptx {

/// Where a node was written. All origins are equal: see above.
struct Origin : SourcePos {
  Origin() = default;
  Origin(SourcePos pos) : SourcePos(pos) {}
  friend bool operator==(const Origin &, const Origin &) { return true; }
};

/// "No such thing" among indices.
inline constexpr std::uint32_t noIndex =
    std::numeric_limits<std::uint32_t>::max();

/// A range of `Function::operands`.
struct OperandRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  friend bool operator==(const OperandRange &, const OperandRange &) = default;
};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// A component of a vector register or of a special register.
enum class Component : std::uint8_t { none, x, y, z, w };

/// `_`: a result nobody wants, or an unused source.
struct Sink {
  friend bool operator==(const Sink &, const Sink &) = default;
};

/// Bytes or halves that an operand of a video instruction selects, as `.b2`,
/// `.h10` or `.b7654`. Lane 0 is the last digit.
class Selector {
public:
  static constexpr unsigned maxLanes = 4;

  constexpr Selector() = default;
  /// The selector that `text` (".h32") spells; empty when it is none.
  static std::optional<Selector> fromSpelling(std::string_view text);

  explicit operator bool() const { return bits != 0; }
  [[nodiscard]] bool isBytes() const { return (bits & bytesBit) != 0; }
  /// The number of lanes; 0 for no selector.
  [[nodiscard]] unsigned count() const { return bits >> 13; }
  /// Which byte or half a lane takes: 0 to 7.
  [[nodiscard]] unsigned lane(unsigned index) const {
    return (bits >> (3 * index)) & 7u;
  }
  /// ".h32"; empty for no selector.
  [[nodiscard]] std::string str() const;
  friend bool operator==(const Selector &, const Selector &) = default;

private:
  static constexpr std::uint16_t bytesBit = 1u << 12;
  /// Three bits for each lane, `bytesBit`, three bits for the count.
  std::uint16_t bits = 0;
};

/// A register, perhaps a component of a vector register (`%v.x`) or a part of
/// one (`%r.b0`), perhaps negated (`!%p`, in vmad `-%r`).
struct RegisterRef {
  std::uint32_t index = 0; ///< into `Function::registers`
  Component component = Component::none;
  bool negated = false;
  Selector selector = {};
  friend bool operator==(const RegisterRef &, const RegisterRef &) = default;
};

struct SpecialRegisterRef {
  SpecialRegister id{};
  Component component = Component::none;
  friend bool operator==(const SpecialRegisterRef &,
                         const SpecialRegisterRef &) = default;
};

/// An integer constant: 64 bits, read as unsigned when `isUnsigned`. An
/// operand's instruction type takes the low bits.
struct IntImmediate {
  std::uint64_t bits = 0;
  bool isUnsigned = false;
  friend bool operator==(const IntImmediate &, const IntImmediate &) = default;
};

/// A floating-point constant by its bits: `0f…` when `isSingle`, else `0d…` or
/// a decimal, both double precision.
struct FloatImmediate {
  std::uint64_t bits = 0;
  bool isSingle = false;
  friend bool operator==(const FloatImmediate &,
                         const FloatImmediate &) = default;
};

/// The name of a variable, parameter or function.
struct SymbolRef {
  enum class Scope : std::uint8_t {
    module,   ///< `index` is into `Module::symbols`
    function, ///< `index` is into `Function::variables`
  };
  Scope scope = Scope::module;
  std::uint32_t index = 0;
  std::int64_t offset = 0; ///< bytes: `name+offset` outside brackets
  friend bool operator==(const SymbolRef &, const SymbolRef &) = default;
};

/// `[base+offset]`; tensor and texture addresses have further parts:
/// `[map, {c0, c1}]`.
struct Address {
  /// A `monostate` base is an absolute address: `[offset]`. The offset of a
  /// symbol base is `Address::offset`; `SymbolRef::offset` is 0 there.
  std::variant<std::monostate, RegisterRef, SymbolRef> base;
  std::int64_t offset = 0; ///< bytes
  OperandRange parts;
  friend bool operator==(const Address &, const Address &) = default;
};

/// A branch target: an index into `Function::labels`.
struct LabelRef {
  std::uint32_t index = 0;
  friend bool operator==(const LabelRef &, const LabelRef &) = default;
};

/// The label of a `.branchtargets`, `.calltargets` or `.callprototype`.
struct TableRef {
  enum class Kind : std::uint8_t { branchTargets, callTargets, callPrototype };
  Kind kind = Kind::branchTargets;
  std::uint32_t index = 0; ///< into the `Function` array of that kind
  friend bool operator==(const TableRef &, const TableRef &) = default;
};

/// `{a, b, c, d}`.
struct VectorOperand {
  OperandRange elements;
  friend bool operator==(const VectorOperand &,
                         const VectorOperand &) = default;
};

/// `first|second`: two results of one instruction. Both are elements of
/// `elements`: registers or sinks.
struct PairOperand {
  OperandRange elements;
  friend bool operator==(const PairOperand &, const PairOperand &) = default;
};

/// `(a, b)`: arguments or results of a call.
struct ListOperand {
  OperandRange elements;
  friend bool operator==(const ListOperand &, const ListOperand &) = default;
};

struct Operand {
  std::variant<Sink, RegisterRef, SpecialRegisterRef, IntImmediate,
               FloatImmediate, SymbolRef, Address, LabelRef, TableRef,
               VectorOperand, PairOperand, ListOperand>
      value;
  Origin pos;

  template <class T> [[nodiscard]] bool is() const {
    return std::holds_alternative<T>(value);
  }
  /// The operand as a `T`, or null when it is something else.
  template <class T> [[nodiscard]] const T *getIf() const {
    return std::get_if<T>(&value);
  }
  friend bool operator==(const Operand &, const Operand &) = default;
};

/// The bits of an immediate operand where a value of `type` is expected: an
/// integer is cut to the width, a floating-point constant is rounded to
/// nearest even; an untyped value takes a floating-point constant of its own
/// width only. Empty when the operand is no immediate or cannot be one of that
/// type.
[[nodiscard]] std::optional<std::uint64_t> immediateBits(const Operand &operand,
                                                         Type type);

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// `@%p` or `@!%p`.
struct Guard {
  std::uint32_t registerIndex = noIndex; ///< `noIndex`: unconditional
  bool negated = false;
  friend bool operator==(const Guard &, const Guard &) = default;
  explicit operator bool() const { return registerIndex != noIndex; }
};

/// An instruction. For `call` the operands are always: results (`ListOperand`,
/// perhaps empty), callee (`SymbolRef` or `RegisterRef`), arguments
/// (`ListOperand`, perhaps empty), and for an indirect call a `TableRef`.
/// All other instructions have their operands as written.
struct Instruction {
  Mnemonic mnemonic; ///< opcode, modifiers, types, form
  Guard guard;
  OperandRange operands;
  std::uint32_t location = noIndex; ///< into `Function::locations`
  Origin pos;

  [[nodiscard]] Opcode opcode() const { return mnemonic.opcode; }
  [[nodiscard]] bool has(Modifier modifier) const {
    return mnemonic.has(modifier);
  }
  [[nodiscard]] Type type(unsigned index = 0) const {
    return mnemonic.type(index);
  }
  friend bool operator==(const Instruction &, const Instruction &) = default;
};

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

enum class Linkage : std::uint8_t { internal, external, visible, weak, common };

/// `.reg .b32 %r<12>;` (count 12: `%r0` to `%r11`) or `.reg .b32 x;`.
struct RegisterDecl {
  std::string_view name;
  std::optional<std::uint32_t> count;
  Type type = Type::none;
  std::uint8_t vectorWidth = 1; ///< 2 for `.v2`, 4 for `.v4`
  Origin pos;
  friend bool operator==(const RegisterDecl &, const RegisterDecl &) = default;
};

/// A register that the function uses. Registers of a range that nobody uses
/// have no entry.
struct Register {
  std::string_view name;
  Type type = Type::none;
  std::uint8_t vectorWidth = 1;
  friend bool operator==(const Register &, const Register &) = default;
};

/// The address of a symbol as an initial value: `sym+8`, `generic(sym)`,
/// `0xff00(sym)`.
struct SymbolAddress {
  SymbolRef symbol; ///< with its offset
  bool isGeneric = false;
  std::uint64_t mask = 0; ///< 0: the whole address
  friend bool operator==(const SymbolAddress &,
                         const SymbolAddress &) = default;
};

/// An initial value: a scalar or `{…}`.
struct Initializer {
  std::variant<IntImmediate, FloatImmediate, SymbolAddress,
               std::vector<Initializer>>
      value;
  Origin pos;
  friend bool operator==(const Initializer &, const Initializer &) = default;
};

/// A variable or parameter, at module scope or in a function.
struct Variable {
  std::string_view name;
  Linkage linkage = Linkage::internal;
  StateSpace space = StateSpace::generic;
  Type type = Type::none;
  std::uint8_t vectorWidth = 1;
  std::uint32_t align = 0; ///< bytes, as written; 0 when not written
  /// Array extents, outermost first; 0 for `[]`. Empty for a scalar.
  std::vector<std::uint64_t> dims;
  std::optional<Initializer> init;
  /// `.attribute(.managed)`.
  bool isManaged = false;
  /// `.attribute(.unified(a, b))`.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> unified;
  /// `.ptr` attributes of an entry parameter.
  bool isPointer = false;
  StateSpace pointeeSpace = StateSpace::generic;
  std::uint32_t pointeeAlign = 0;
  /// For a `.reg` parameter of a `.func`: its register.
  std::uint32_t registerIndex = noIndex;
  Origin pos;

  /// Bytes of one element: the type times the vector width.
  [[nodiscard]] std::uint64_t elementSize() const;
  /// Elements of all extents together; 1 for a scalar, 0 for `[]` alone. The
  /// parser has checked that `size()` fits 64 bits.
  [[nodiscard]] std::uint64_t elementCount() const;
  /// Bytes; for `x[] = {…}` what the initialiser needs.
  [[nodiscard]] std::uint64_t size() const;
  /// The alignment in effect, in bytes.
  [[nodiscard]] std::uint32_t alignment() const;
  friend bool operator==(const Variable &, const Variable &) = default;
};

/// One scalar of a variable's initial value; everything between is zero.
struct InitialValue {
  std::uint64_t offset = 0;           ///< bytes from the start of the variable
  const Initializer *value = nullptr; ///< never a list
};

/// The scalars of a variable's initial value, by rising offset.
[[nodiscard]] std::vector<InitialValue> initialValues(const Variable &variable);

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

struct Label {
  std::string_view name;
  /// The instruction that follows; the number of instructions at the end.
  std::uint32_t instruction = 0;
  Origin pos;
  friend bool operator==(const Label &, const Label &) = default;
};

/// `.loc file line column[, function_name label+offset, inlined_at …]`.
struct Location {
  std::uint32_t file = 0; ///< the number in `.file`
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  struct InlinedAt {
    std::string_view functionName; ///< a label in `.debug_str`
    std::uint64_t nameOffset = 0;
    std::uint32_t file = 0, line = 0, column = 0;
    friend bool operator==(const InlinedAt &, const InlinedAt &) = default;
  };
  std::optional<InlinedAt> inlinedAt;
  Origin pos;
  friend bool operator==(const Location &, const Location &) = default;
};

/// `name: .branchtargets L0, L1;`
struct BranchTargets {
  std::string_view name;
  std::vector<std::uint32_t> labels; ///< into `Function::labels`
  Origin pos;
  friend bool operator==(const BranchTargets &,
                         const BranchTargets &) = default;
};

/// `name: .calltargets f, g;`
struct CallTargets {
  std::string_view name;
  std::vector<std::uint32_t> functions; ///< into `Module::symbols`
  Origin pos;
  friend bool operator==(const CallTargets &, const CallTargets &) = default;
};

/// `name: .callprototype (.param .b32 _) _ (.param .b64 _);`
struct CallPrototype {
  std::string_view name;
  std::vector<Variable> returns, params;
  bool noReturn = false;
  std::optional<std::uint32_t> abiPreserve, abiPreserveControl;
  Origin pos;
  friend bool operator==(const CallPrototype &,
                         const CallPrototype &) = default;
};

struct Pragma {
  std::string_view text; ///< between the quotes
  Origin pos;
  friend bool operator==(const Pragma &, const Pragma &) = default;
};

/// Up to three extents; trailing ones that were not written are 1.
struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
  friend bool operator==(const Extent &, const Extent &) = default;
};

/// The performance and launch directives of a function.
struct Directives {
  std::optional<std::uint32_t> maxRegisters; ///< .maxnreg
  std::optional<Extent> maxThreads;          ///< .maxntid
  std::optional<Extent> requiredThreads;     ///< .reqntid
  std::optional<std::uint32_t> minBlocks;    ///< .minnctapersm
  std::optional<std::uint32_t> maxBlocks;    ///< .maxnctapersm
  std::optional<Extent> requiredCluster;     ///< .reqnctapercluster
  std::optional<std::uint32_t> maxClusterRank;
  bool explicitCluster = false;
  bool blocksAreClusters = false;
  bool noReturn = false;
  std::optional<std::uint32_t> abiPreserve, abiPreserveControl;
  std::vector<Pragma> pragmas;
  friend bool operator==(const Directives &, const Directives &) = default;
};

/// A statement of a body: its kind and its place in the array of that kind.
struct Statement {
  enum class Kind : std::uint8_t {
    instruction,
    label,
    registerDecl,
    variable,
    location,
    pragma,
    branchTargets,
    callTargets,
    callPrototype,
    openScope,  ///< `{`
    closeScope, ///< `}`
  };
  Kind kind = Kind::instruction;
  std::uint32_t index = 0;
  friend bool operator==(const Statement &, const Statement &) = default;
};

/// An `.entry` or `.func`, declared or defined.
struct Function {
  std::string_view name;
  bool isEntry = false;
  Linkage linkage = Linkage::internal;
  bool isDefinition = false;
  Directives directives;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> unified;

  /// Results first, then parameters, then the variables of the body.
  std::vector<Variable> variables;
  std::uint32_t resultCount = 0;
  std::uint32_t paramCount = 0;

  std::vector<Statement> body;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<RegisterDecl> registerDecls;
  std::vector<Register> registers;
  std::vector<Label> labels;
  std::vector<Location> locations;
  std::vector<Pragma> pragmas;
  std::vector<BranchTargets> branchTargets;
  std::vector<CallTargets> callTargets;
  std::vector<CallPrototype> callPrototypes;
  Origin pos;

  [[nodiscard]] std::span<const Variable> results() const {
    return std::span(variables).first(resultCount);
  }
  [[nodiscard]] std::span<const Variable> params() const {
    return std::span(variables).subspan(resultCount, paramCount);
  }
  [[nodiscard]] std::span<const Operand> operandsIn(OperandRange range) const {
    return std::span(operands).subspan(range.first, range.count);
  }
  [[nodiscard]] std::span<const Operand>
  operandsOf(const Instruction &instruction) const {
    return operandsIn(instruction.operands);
  }
  friend bool operator==(const Function &, const Function &) = default;
};

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// `.file 1 "name", timestamp, size`.
struct File {
  std::uint32_t index = 0;
  std::string_view name;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> timestampAndSize;
  Origin pos;
  friend bool operator==(const File &, const File &) = default;
};

/// A number, `label`, `label+n` or `label-label` in a debug section.
struct SectionValue {
  std::string_view label, minusLabel;
  std::uint64_t bits = 0;
  friend bool operator==(const SectionValue &, const SectionValue &) = default;
};

/// A label (no type) or a line of data.
struct SectionLine {
  Type type = Type::none;
  std::string_view label;
  std::uint32_t firstValue = 0, valueCount = 0; ///< in `Section::values`
  friend bool operator==(const SectionLine &, const SectionLine &) = default;
};

/// `.section .debug_info { … }`.
struct Section {
  std::string_view name;
  std::vector<SectionLine> lines;
  std::vector<SectionValue> values;
  Origin pos;
  friend bool operator==(const Section &, const Section &) = default;
};

/// `.alias name, aliasee;`, both in `Module::symbols`.
struct Alias {
  std::uint32_t alias = 0, aliasee = 0;
  Origin pos;
  friend bool operator==(const Alias &, const Alias &) = default;
};

/// A name at module scope. `index` is that of the definition where there is
/// one, else of the first declaration.
struct Symbol {
  enum class Kind : std::uint8_t { variable, function };
  std::string_view name;
  Kind kind = Kind::variable;
  std::uint32_t index = 0; ///< into `Module::variables` or `functions`
  friend bool operator==(const Symbol &, const Symbol &) = default;
};

struct Version {
  std::uint32_t major = 0, minor = 0;
  Origin pos;
  friend bool operator==(const Version &, const Version &) = default;
  /// As the instruction table writes it: 6.2 is 62.
  [[nodiscard]] std::uint32_t number() const { return major * 10 + minor; }
};

struct Target {
  Arch arch;
  /// "debug", "texmode_unified", …: what follows the architecture.
  std::vector<std::string_view> options;
  Origin pos;
  friend bool operator==(const Target &, const Target &) = default;
};

/// A directive at module scope, like `Statement`.
struct ModuleItem {
  enum class Kind : std::uint8_t {
    variable,
    function,
    file,
    section,
    pragma,
    alias
  };
  Kind kind = Kind::variable;
  std::uint32_t index = 0;
  friend bool operator==(const ModuleItem &, const ModuleItem &) = default;
};

struct Module {
  Version version;
  Target target;
  std::optional<std::uint32_t> addressSize; ///< as written: 32 or 64

  std::vector<ModuleItem> items;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<File> files;
  std::vector<Section> sections;
  std::vector<Pragma> pragmas;
  std::vector<Alias> aliases;
  std::vector<Symbol> symbols;

  /// The text that names point into. Shared by copies.
  std::shared_ptr<const std::string> text;

  /// The function that a module symbol names, its definition if there is one;
  /// null when it is a variable.
  [[nodiscard]] const Function *functionOf(std::uint32_t symbol) const;
  [[nodiscard]] const Variable *variableOf(std::uint32_t symbol) const;
  /// By name; null when there is none.
  [[nodiscard]] const Function *findFunction(std::string_view name) const;
  [[nodiscard]] const Variable *findVariable(std::string_view name) const;
  [[nodiscard]] const File *findFile(std::uint32_t index) const;

  friend bool operator==(const Module &a, const Module &b) {
    return a.version == b.version && a.target == b.target &&
           a.addressSize == b.addressSize && a.items == b.items &&
           a.variables == b.variables && a.functions == b.functions &&
           a.files == b.files && a.sections == b.sections &&
           a.pragmas == b.pragmas && a.aliases == b.aliases &&
           a.symbols == b.symbols;
  }
};

} // namespace tessera::ptx

#endif // TESSERA_PTX_AST_H
