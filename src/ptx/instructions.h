// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction table: every opcode with its forms (modifiers in order,
// operands with roles and types, least `.version` and `.target`). The rows are
// in instructions.def; parser, printer, validator and whoever executes or
// analyses PTX read them here. A new instruction is a new row (and a meaning,
// in semantics.h, when it computes something).

#ifndef TESSERA_PTX_INSTRUCTIONS_H
#define TESSERA_PTX_INSTRUCTIONS_H

#include "ptx/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::ptx {

enum class Opcode : std::uint16_t {
#define PTX_OPCODE(NAME, SPELLING, CLASS) NAME,
#include "ptx/instructions.def"
};

/// What kind of thing an instruction does.
enum class OpcodeClass : std::uint8_t {
  compute, ///< results are a function of the operands alone: see semantics.h
  move,    ///< mov, cvta and other forms that may take addresses
  memory,  ///< reads or writes memory
  atomic,
  control, ///< changes the flow of control
  sync,    ///< barriers, fences, waits
  warp,    ///< exchanges values between the lanes of a warp
  async,   ///< asynchronous copies and their completion
  matrix,
  video, ///< computes; operands may select bytes and halves (`%r1.b3`)
  texture,
  misc,
};

/// A suffix of an opcode. Types are suffixes too, with names `t_f32`.
enum class Modifier : std::uint16_t {
  none,
#define PTX_TYPE(NAME, SPELLING, BITS, CLASS) t_##NAME,
#include "ptx/types.def"
#define PTX_MODIFIER(NAME, SPELLING, GROUP) NAME,
#include "ptx/modifiers.def"
};

/// What a modifier is about. An instruction has at most one modifier of most
/// groups; `flag` is for those that stand alone.
enum class ModifierGroup : std::uint8_t {
  type,
  space,
  rounding,
  integerRounding,
  comparison,
  booleanOp,
  half,      ///< .lo, .hi, .wide
  scope,     ///< .cta, .cluster, .gpu, .sys
  semantics, ///< .weak, .relaxed, .acquire, …
  cache,     ///< .ca, .cg, .cs, …
  eviction,
  prefetchSize,
  vector,    ///< .v2, .v4, .v8
  operation, ///< of atom, red, vote, shfl, prmt, testp, …
  shape,
  layout,
  kind, ///< of a product: `.kind::f8f6f4`
  flag,
};

enum class SpecialRegister : std::uint8_t {
#define PTX_SPECIAL_REGISTER(NAME, SPELLING, TYPE, COMPONENTS) NAME,
#include "ptx/special-registers.def"
};

/// An architecture: `sm_90a` is {90, 'a'}.
struct Arch {
  std::uint32_t sm = 0;
  char feature = '\0'; ///< 'a', 'f' or none
  friend bool operator==(const Arch &, const Arch &) = default;
  /// Whether code for this architecture may use what needs `required`. Both
  /// 'a' and 'f' features belong to one architecture (or family) only.
  [[nodiscard]] bool supports(Arch required) const;
  /// Whether it supports one of several alternatives.
  [[nodiscard]] bool supportsAny(std::span<const Arch> alternatives) const;
  /// "sm_90a"
  [[nodiscard]] std::string str() const;
};

/// "sm_90a or sm_100f"
[[nodiscard]] std::string alternativesText(std::span<const Arch> alternatives);

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// "mbarrier.try_wait"
[[nodiscard]] std::string_view spelling(Opcode opcode);
/// Without the dot: "shared::cta".
[[nodiscard]] std::string_view spelling(Modifier modifier);
/// With the percent sign: "%tid".
[[nodiscard]] std::string_view spelling(SpecialRegister id);

[[nodiscard]] OpcodeClass opcodeClass(Opcode opcode);
[[nodiscard]] ModifierGroup modifierGroup(Modifier modifier);
[[nodiscard]] Type specialRegisterType(SpecialRegister id);
/// Whether `%name.x` to `.w` exist.
[[nodiscard]] bool hasComponents(SpecialRegister id);
[[nodiscard]] std::optional<SpecialRegister>
specialRegisterFromSpelling(std::string_view spelling);
[[nodiscard]] std::optional<Modifier>
modifierFromSpelling(std::string_view spelling);
/// The type that a modifier of group `type` stands for, else `Type::none`.
[[nodiscard]] Type modifierType(Modifier modifier);
/// The state space that a modifier of group `space` stands for.
[[nodiscard]] StateSpace modifierSpace(Modifier modifier);

//===----------------------------------------------------------------------===//
// Mnemonics
//===----------------------------------------------------------------------===//

/// An opcode with its suffixes, decoded.
struct Mnemonic {
  static constexpr std::size_t maxModifiers = 18;
  static constexpr std::size_t maxTypes = 6;

  Opcode opcode{};
  std::uint16_t form = 0; ///< into `instructionForms()`
  std::uint8_t modifierCount = 0;
  std::uint8_t typeCount = 0;
  std::array<Type, maxTypes> types{}; ///< the types among the suffixes
  /// In the order of the form, which is not always the written one: see
  /// `matchMnemonic`.
  std::array<Modifier, maxModifiers> suffixes{};

  [[nodiscard]] std::span<const Modifier> modifiers() const {
    return std::span(suffixes).first(modifierCount);
  }
  [[nodiscard]] bool has(Modifier modifier) const;
  /// The first modifier of a group, `Modifier::none` when there is none.
  [[nodiscard]] Modifier find(ModifierGroup group) const;
  /// The `index`-th type suffix, `Type::none` when there are fewer.
  [[nodiscard]] Type type(unsigned index = 0) const {
    return index < typeCount ? types[index] : Type::none;
  }
  /// The state space suffix (the first, where there are two).
  [[nodiscard]] StateSpace space() const;
  /// Elements by `.v2`, `.v4`, `.v8`; 1 without.
  [[nodiscard]] unsigned vectorWidth() const;
  /// "add.sat.s32"
  [[nodiscard]] std::string str() const;
  friend bool operator==(const Mnemonic &, const Mnemonic &) = default;
};

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// A place in the sequence of suffixes: one of `choices`.
struct ModifierSlot {
  std::vector<Modifier> choices;
  bool optional = false;
};

/// What an operand place takes.
enum class OperandKind : std::uint8_t {
  value,     ///< a register; a source may be a constant or special register
  predicate, ///< a predicate; a source may be negated
  pair,      ///< a result with an optional second, predicate result
  address,   ///< `[…]`
  vector,    ///< `{…}` as long as `.v2`, `.v4`, `.v8` say; a value without
  fragment,  ///< `{…}` of any length, or a value
  constant,  ///< an integer constant
  anything,  ///< source of mov: value, symbol, vector
  symbol,    ///< the name of a variable, or a register
  label,
  callee,
  list,
  table, ///< .branchtargets, .calltargets or .callprototype
};

enum class Access : std::uint8_t { read, write, readWrite };

/// Which parts of its register an operand of a video instruction may select.
enum class SelectorKind : std::uint8_t {
  none,
  part,     ///< one byte or half: `.b0` to `.b3`, `.h0`, `.h1`
  halves,   ///< two of the four halves of both sources: `.h32`
  bytes,    ///< four of the eight bytes of both sources: `.b7654`
  halfMask, ///< halves of the result: `.h1`, `.h10`
  byteMask, ///< bytes of the result: `.b310`
};

struct OperandSpec {
  OperandKind kind = OperandKind::value;
  Access access = Access::read;
  bool optional = false;
  /// The type is that of the `typeIndex`-th type suffix, unless `fixedType`.
  Type fixedType = Type::none;
  std::uint8_t typeIndex = 0;
  bool isDoubleWidth = false; ///< twice the width: result of mul.wide
  SelectorKind selector = SelectorKind::none;
  bool needsSelector = false;
  bool canBeNegated = false; ///< `-%r1`: sources of vmad

  /// For a mnemonic, the type that the operand has; `none` when any will do.
  [[nodiscard]] Type typeFor(const Mnemonic &mnemonic) const;
};

/// One row of the table.
struct InstructionForm {
  Opcode opcode{};
  std::vector<ModifierSlot> modifiers;
  std::vector<OperandSpec> operands;
  std::uint32_t leastVersion = 10; ///< 6.2 is 62
  /// One of these must be supported: see `Arch::supportsAny`.
  std::vector<Arch> targets;
  std::string_view modifierPattern, operandPattern; ///< the row's text
};

/// All forms, in table order; those of one opcode are adjacent.
[[nodiscard]] std::span<const InstructionForm> instructionForms();
[[nodiscard]] std::span<const InstructionForm> formsOf(Opcode opcode);
[[nodiscard]] const InstructionForm &formOf(const Mnemonic &mnemonic);

/// Why a mnemonic is none, and at which byte of it.
struct MnemonicError {
  std::size_t offset = 0;
  std::string message;
};

/// A mnemonic whose form may still depend on the number of operands.
struct MnemonicMatch {
  Mnemonic mnemonic;                ///< with the first of `forms`
  std::vector<std::uint16_t> forms; ///< all that have these suffixes

  /// The mnemonic with the first form that takes `operandCount` operands; with
  /// the first of all if none does.
  [[nodiscard]] Mnemonic select(unsigned operandCount) const;
};

/// Decodes "add.sat.s32". Fails for an unknown instruction, an unknown
/// modifier, and modifiers that no form has. Modifiers may stand in any order,
/// as ptxas has it, but for those that belong to the name (`mul.lo`) and for
/// those whose order says which operand they are about (types, spaces,
/// layouts); the mnemonic has them in the form's order.
[[nodiscard]] std::expected<MnemonicMatch, MnemonicError>
matchMnemonic(std::string_view text);

/// What is wrong with instructions.def itself; empty unless a row was
/// mistyped. For the tests.
[[nodiscard]] std::span<const std::string> instructionTableErrors();

/// Whether `form` takes `count` operands.
[[nodiscard]] bool acceptsOperandCount(const InstructionForm &form,
                                       unsigned count);

} // namespace tessera::ptx

#endif // TESSERA_PTX_INSTRUCTIONS_H
