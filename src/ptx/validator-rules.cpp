// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/validator-rules.h"

#include <algorithm>
#include <array>

using namespace tessera::ptx;

std::optional<std::uint32_t> tessera::ptx::leastVersionFor(Arch arch) {
  struct Entry {
    std::uint32_t sm;
    std::uint32_t plain, architecture, family; ///< 0: does not exist
  };
  static constexpr Entry entries[] = {
      {20, 20, 0, 0},    {30, 30, 0, 0},    {32, 40, 0, 0},
      {35, 31, 0, 0},    {37, 41, 0, 0},    {50, 40, 0, 0},
      {52, 41, 0, 0},    {53, 42, 0, 0},    {60, 50, 0, 0},
      {61, 50, 0, 0},    {62, 50, 0, 0},    {70, 60, 0, 0},
      {72, 61, 0, 0},    {75, 63, 0, 0},    {80, 70, 0, 0},
      {86, 71, 0, 0},    {87, 74, 0, 0},    {88, 90, 0, 0},
      {89, 78, 0, 0},    {90, 78, 80, 0},   {100, 86, 86, 88},
      {101, 86, 86, 88}, {103, 88, 88, 88}, {110, 90, 90, 90},
      {120, 87, 87, 88}, {121, 88, 88, 88}};
  const auto *entry = std::ranges::find(entries, arch.sm, &Entry::sm);
  if (entry == std::end(entries))
    return std::nullopt;
  std::uint32_t version = arch.feature == 'a'   ? entry->architecture
                          : arch.feature == 'f' ? entry->family
                                                : entry->plain;
  return version == 0 ? std::nullopt : std::optional(version);
}

Type tessera::ptx::bitsType(unsigned width) {
  switch (width) {
  case 8:
    return Type::b8;
  case 16:
    return Type::b16;
  case 32:
    return Type::b32;
  case 64:
    return Type::b64;
  case 128:
    return Type::b128;
  default:
    return Type::none;
  }
}

namespace {

/// Instructions whose register may be wider than the type that they name.
bool allowsWiderRegister(Opcode opcode) {
  switch (opcode) {
  case Opcode::ld:
  case Opcode::ldu:
  case Opcode::st:
  case Opcode::cvt:
    return true;
  default:
    return false;
  }
}

bool classesAgree(Type wanted, Type has) {
  TypeClass wantedClass = typeClass(wanted), hasClass = typeClass(has);
  if (wantedClass == TypeClass::bits || hasClass == TypeClass::bits)
    return hasClass != TypeClass::predicate &&
           wantedClass != TypeClass::predicate;
  bool areIntegers = isInteger(wanted) && isInteger(has);
  return areIntegers || wanted == has;
}

} // namespace

bool tessera::ptx::fitsRegister(const Mnemonic &mnemonic, Type wanted,
                                Type has) {
  if (wanted == Type::pred || has == Type::pred)
    return wanted == has;
  unsigned wantedWidth = bitWidth(wanted), hasWidth = bitWidth(has);
  if (!allowsWiderRegister(mnemonic.opcode) || mnemonic.has(Modifier::rna))
    return wantedWidth == hasWidth && classesAgree(wanted, has);
  if (hasWidth < wantedWidth)
    return false;
  if (hasWidth == wantedWidth)
    return classesAgree(wanted, has);
  // Extension and cutting are for integers and bits.
  return !isFloat(wanted) && !isFloat(has);
}

bool tessera::ptx::isAccessible(StateSpace space, StateSpace variableSpace) {
  switch (space) {
  case StateSpace::generic:
    return true;
  case StateSpace::param:
  case StateSpace::paramEntry:
  case StateSpace::paramFunc:
    return variableSpace == StateSpace::param;
  case StateSpace::shared:
  case StateSpace::sharedCta:
  case StateSpace::sharedCluster:
    return variableSpace == StateSpace::shared;
  default:
    return variableSpace == space;
  }
}

//===----------------------------------------------------------------------===//
// Selectors
//===----------------------------------------------------------------------===//

namespace {

bool selects(Selector selector, bool bytes, unsigned count) {
  return selector.isBytes() == bytes && selector.count() == count;
}

/// A mask names each of at most `count` lanes once, the highest first.
bool isMask(Selector selector, bool bytes, unsigned count) {
  if (selector.isBytes() != bytes || selector.count() > count)
    return false;
  for (unsigned i = 0; i < selector.count(); ++i)
    if (selector.lane(i) >= count ||
        (i > 0 && selector.lane(i) <= selector.lane(i - 1)))
      return false;
  return true;
}

bool fitsSelectorKind(SelectorKind kind, Selector selector) {
  switch (kind) {
  case SelectorKind::none:
    return false;
  case SelectorKind::part:
    return (selects(selector, true, 1) && selector.lane(0) < 4) ||
           (selects(selector, false, 1) && selector.lane(0) < 2);
  case SelectorKind::halves:
    return selects(selector, false, 2);
  case SelectorKind::bytes:
    return selects(selector, true, 4);
  case SelectorKind::halfMask:
    return isMask(selector, false, 2);
  case SelectorKind::byteMask:
    return isMask(selector, true, 4);
  }
  return false;
}

} // namespace

std::optional<std::string>
tessera::ptx::selectorProblem(const OperandSpec &spec, Selector selector) {
  if (!selector)
    return spec.needsSelector
               ? std::optional<std::string>("this operand needs a selector")
               : std::nullopt;
  if (spec.selector == SelectorKind::none)
    return "this operand cannot have the selector '" + selector.str() + "'";
  if (!fitsSelectorKind(spec.selector, selector))
    return "'" + selector.str() + "' is no selector of this operand";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Combinations of modifiers
//===----------------------------------------------------------------------===//

namespace {

std::optional<std::string> comparisonProblem(const Mnemonic &mnemonic,
                                             Type type) {
  Modifier comparison = mnemonic.suffixes[0];
  auto isOneOf = [&](std::initializer_list<Modifier> modifiers) {
    return std::ranges::find(modifiers, comparison) != modifiers.end();
  };
  using enum Modifier;
  std::string name = "'." + std::string(spelling(comparison)) + "'";
  bool isFloating = isFloat(type) || typeClass(type) == TypeClass::packed;
  if (isOneOf({lo, ls, hi, hs}) && typeClass(type) != TypeClass::unsigned_)
    return name + " compares unsigned integers only";
  if (isOneOf({equ, neu, ltu, leu, gtu, geu, num, nan}) && !isFloating)
    return name + " compares floating-point numbers only";
  if (typeClass(type) == TypeClass::bits && !isOneOf({eq, ne}))
    return name + " does not compare untyped values";
  if (mnemonic.has(ftz) && type != Type::f32 && type != Type::f16 &&
      type != Type::f16x2)
    return "'.ftz' is for '.f32' and '.f16'";
  return std::nullopt;
}

unsigned significandBits(Type type) {
  switch (type) {
  case Type::f64:
    return 53;
  case Type::f32:
    return 24;
  case Type::f16:
    return 11;
  case Type::bf16:
    return 8;
  default:
    return 0;
  }
}

/// Whether an integer type holds every value of another.
bool holdsEvery(Type to, Type from) {
  if (isSigned(to) == isSigned(from))
    return bitWidth(to) >= bitWidth(from);
  return isSigned(to) && bitWidth(to) > bitWidth(from);
}

std::optional<std::string> conversionProblem(const Mnemonic &mnemonic) {
  Type to = mnemonic.type(0), from = mnemonic.type(1);
  bool toFloat = significandBits(to) != 0;
  bool fromFloat = significandBits(from) != 0;
  bool isPlain = (toFloat || isInteger(to)) && (fromFloat || isInteger(from));
  if (!isPlain)
    return std::nullopt;
  if (mnemonic.has(Modifier::ftz) && to != Type::f32 && from != Type::f32)
    return "'.ftz' is for '.f32'";
  if (mnemonic.has(Modifier::sat) && (to == Type::bf16 || from == Type::bf16))
    return "'.sat' is not for '.bf16'";
  if ((to == Type::bf16 && bitWidth(from) == 8) ||
      (from == Type::bf16 && bitWidth(to) == 8))
    return "'.bf16' is not converted from or to 8-bit integers";
  bool hasRounding = mnemonic.find(ModifierGroup::rounding) != Modifier::none;
  bool hasIntegerRounding =
      mnemonic.find(ModifierGroup::integerRounding) != Modifier::none;

  if (!toFloat && !fromFloat && (hasRounding || hasIntegerRounding))
    return "integers are converted without rounding";
  if (!toFloat && !fromFloat && mnemonic.has(Modifier::sat) &&
      holdsEvery(to, from))
    return "'.sat' has nothing to do here";
  if (!toFloat && fromFloat && !hasIntegerRounding)
    return "a conversion to an integer needs '.rni', '.rzi', '.rmi' or '.rpi'";
  if (toFloat && !fromFloat && !hasRounding)
    return "a conversion from an integer needs '.rn', '.rz', '.rm' or '.rp'";
  if (!toFloat || !fromFloat)
    return std::nullopt;
  bool isNarrowing = significandBits(to) < significandBits(from);
  bool isHalfToBfloat = to == Type::bf16 && from == Type::f16;
  if (isNarrowing && !hasRounding && !isHalfToBfloat)
    return "a conversion to a smaller format needs '.rn', '.rz', '.rm' or "
           "'.rp'";
  bool isExact = significandBits(to) >= significandBits(from);
  if (isExact && hasRounding && (from != Type::bf16 || to == from))
    return "a conversion to a format that is no smaller is exact and takes no "
           "rounding";
  if (hasIntegerRounding && to != from)
    return "rounding to an integral value keeps the format";
  return std::nullopt;
}

std::optional<std::string> vectorProblem(const Mnemonic &mnemonic) {
  unsigned width = mnemonic.vectorWidth();
  unsigned bits = width * bitWidth(mnemonic.type());
  bool isWide = width == 8 || bits > 128;
  bool isGlobal = mnemonic.space() == StateSpace::global;
  if (width == 1 || !isWide)
    return std::nullopt;
  if (bits != 256 || !isGlobal)
    return "vectors have at most 128 bits, in '.global' also 256";
  return std::nullopt;
}

/// The scope of atomics may stand before or behind the state space.
std::optional<std::string> scopeProblem(const Mnemonic &mnemonic) {
  if (std::ranges::count(mnemonic.modifiers(), ModifierGroup::scope,
                         modifierGroup) > 1)
    return "a scope may be given only once";
  return std::nullopt;
}

} // namespace

std::optional<std::string>
tessera::ptx::mnemonicProblem(const Mnemonic &mnemonic) {
  switch (mnemonic.opcode) {
  case Opcode::setp:
    return comparisonProblem(mnemonic, mnemonic.type(0));
  case Opcode::set:
    return comparisonProblem(mnemonic, mnemonic.type(1));
  case Opcode::cvt:
    return conversionProblem(mnemonic);
  case Opcode::ld:
  case Opcode::st:
    return vectorProblem(mnemonic);
  case Opcode::atom:
  case Opcode::red:
    return scopeProblem(mnemonic);
  default:
    return std::nullopt;
  }
}
