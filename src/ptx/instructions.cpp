// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/instructions.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <unordered_map>

using namespace tessera::ptx;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {

struct OpcodeInfo {
  std::string_view spelling;
  OpcodeClass opcodeClass;
};

constexpr std::array opcodeInfos = {
#define PTX_OPCODE(NAME, SPELLING, CLASS)                                      \
  OpcodeInfo{SPELLING, OpcodeClass::CLASS},
#include "ptx/instructions.def"
};

struct ModifierInfo {
  std::string_view spelling;
  ModifierGroup group;
};

constexpr std::array modifierInfos = {
    ModifierInfo{"", ModifierGroup::flag},
#define PTX_TYPE(NAME, SPELLING, BITS, CLASS)                                  \
  ModifierInfo{SPELLING, ModifierGroup::type},
#include "ptx/types.def"
#define PTX_MODIFIER(NAME, SPELLING, GROUP)                                    \
  ModifierInfo{SPELLING, ModifierGroup::GROUP},
#include "ptx/modifiers.def"
};

struct SpecialRegisterInfo {
  std::string_view spelling;
  Type type;
  bool hasComponents;
};

constexpr std::array specialRegisterInfos = {
#define PTX_SPECIAL_REGISTER(NAME, SPELLING, TYPE, COMPONENTS)                 \
  SpecialRegisterInfo{SPELLING, Type::TYPE, COMPONENTS},
#include "ptx/special-registers.def"
};

/// A map from the spellings of an array of infos to their indices.
template <class Infos>
std::unordered_map<std::string_view, std::uint16_t>
indexBySpelling(const Infos &infos) {
  std::unordered_map<std::string_view, std::uint16_t> map;
  for (std::size_t i = 0; i < infos.size(); ++i)
    map.emplace(infos[i].spelling, std::uint16_t(i));
  return map;
}

template <class Map>
std::optional<std::uint16_t> lookUp(const Map &map, std::string_view key) {
  auto found = map.find(key);
  if (found == map.end())
    return std::nullopt;
  return found->second;
}

} // namespace

std::string_view tessera::ptx::spelling(Opcode opcode) {
  return opcodeInfos[std::size_t(opcode)].spelling;
}

std::string_view tessera::ptx::spelling(Modifier modifier) {
  return modifierInfos[std::size_t(modifier)].spelling;
}

std::string_view tessera::ptx::spelling(SpecialRegister id) {
  return specialRegisterInfos[std::size_t(id)].spelling;
}

OpcodeClass tessera::ptx::opcodeClass(Opcode opcode) {
  return opcodeInfos[std::size_t(opcode)].opcodeClass;
}

ModifierGroup tessera::ptx::modifierGroup(Modifier modifier) {
  return modifierInfos[std::size_t(modifier)].group;
}

Type tessera::ptx::specialRegisterType(SpecialRegister id) {
  return specialRegisterInfos[std::size_t(id)].type;
}

bool tessera::ptx::hasComponents(SpecialRegister id) {
  return specialRegisterInfos[std::size_t(id)].hasComponents;
}

std::optional<SpecialRegister>
tessera::ptx::specialRegisterFromSpelling(std::string_view spelling) {
  static const auto map = indexBySpelling(specialRegisterInfos);
  auto index = lookUp(map, spelling);
  return index ? std::optional(SpecialRegister(*index)) : std::nullopt;
}

std::optional<Modifier>
tessera::ptx::modifierFromSpelling(std::string_view spelling) {
  static const auto map = indexBySpelling(modifierInfos);
  auto index = lookUp(map, spelling);
  return index && *index ? std::optional(Modifier(*index)) : std::nullopt;
}

Type tessera::ptx::modifierType(Modifier modifier) {
  if (modifier == Modifier::none ||
      modifierGroup(modifier) != ModifierGroup::type)
    return Type::none;
  return Type(modifier); // Both enumerations begin with none and the types.
}

StateSpace tessera::ptx::modifierSpace(Modifier modifier) {
  switch (modifier) {
  case Modifier::const_:
    return StateSpace::const_;
  case Modifier::global:
    return StateSpace::global;
  case Modifier::local:
    return StateSpace::local;
  case Modifier::param:
    return StateSpace::param;
  case Modifier::param_entry:
    return StateSpace::paramEntry;
  case Modifier::param_func:
    return StateSpace::paramFunc;
  case Modifier::shared:
    return StateSpace::shared;
  case Modifier::shared_cta:
    return StateSpace::sharedCta;
  case Modifier::shared_cluster:
    return StateSpace::sharedCluster;
  default:
    return StateSpace::generic;
  }
}

bool Arch::supports(Arch required) const {
  if (required.feature == 'a')
    return sm == required.sm && feature == 'a';
  if (required.feature == 'f')
    return sm / 10 == required.sm / 10 && sm >= required.sm && feature != '\0';
  return sm >= required.sm;
}

bool Arch::supportsAny(std::span<const Arch> alternatives) const {
  return std::ranges::any_of(alternatives,
                             [this](Arch each) { return supports(each); });
}

std::string Arch::str() const {
  std::string text = "sm_" + std::to_string(sm);
  if (feature != '\0')
    text += feature;
  return text;
}

std::string tessera::ptx::alternativesText(std::span<const Arch> alternatives) {
  std::string text;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (i > 0)
      text += i + 1 == alternatives.size() ? " or " : ", ";
    text += alternatives[i].str();
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Mnemonics
//===----------------------------------------------------------------------===//

bool Mnemonic::has(Modifier modifier) const {
  return std::ranges::find(modifiers(), modifier) != modifiers().end();
}

Modifier Mnemonic::find(ModifierGroup group) const {
  for (Modifier modifier : modifiers())
    if (modifierGroup(modifier) == group)
      return modifier;
  return Modifier::none;
}

StateSpace Mnemonic::space() const {
  return modifierSpace(find(ModifierGroup::space));
}

unsigned Mnemonic::vectorWidth() const {
  switch (find(ModifierGroup::vector)) {
  case Modifier::v2:
    return 2;
  case Modifier::v4:
    return 4;
  case Modifier::v8:
    return 8;
  default:
    return 1;
  }
}

std::string Mnemonic::str() const {
  std::string out(spelling(opcode));
  for (Modifier modifier : modifiers())
    out.append(".").append(spelling(modifier));
  return out;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

struct Row {
  Opcode opcode;
  std::string_view modifiers, operands;
  std::uint32_t version;
  std::string_view target;
};

constexpr Row rows[] = {
#define PTX_FORM(OPCODE, MODIFIERS, OPERANDS, VERSION, TARGET)                 \
  {Opcode::OPCODE, MODIFIERS, OPERANDS, VERSION, TARGET},
#include "ptx/instructions.def"
};

struct ModifierSet {
  std::string_view name, choices;
};

constexpr ModifierSet modifierSets[] = {
#define PTX_SET(NAME, CHOICES) {#NAME, CHOICES},
#include "ptx/instructions.def"
};

/// Calls `visit` for every part of `text` between separators.
template <class Visitor>
void forEachPart(std::string_view text, char separator, Visitor visit) {
  while (!text.empty()) {
    std::size_t end = text.find(separator);
    if (end != 0)
      visit(text.substr(0, end));
    if (end == std::string_view::npos)
      return;
    text.remove_prefix(end + 1);
  }
}

/// The table in its useful form, made from the rows once.
class Table {
public:
  Table() {
    forms.reserve(std::size(rows));
    for (const Row &row : rows)
      addRow(row);
  }

  std::vector<InstructionForm> forms;
  std::vector<std::string> errors;
  struct Range {
    std::uint16_t first = 0, count = 0;
  };
  std::array<Range, opcodeInfos.size()> byOpcode{};
  std::unordered_map<std::string_view, std::uint16_t> opcodes =
      indexBySpelling(opcodeInfos);

private:
  void fail(const Row &row, std::string_view what, std::string_view part) {
    errors.push_back(std::string(spelling(row.opcode)) + ": " +
                     std::string(what) + " '" + std::string(part) + "'");
  }

  void addRow(const Row &row) {
    Range &range = byOpcode[std::size_t(row.opcode)];
    if (range.count == 0)
      range.first = std::uint16_t(forms.size());
    if (range.first + range.count != int(forms.size()))
      fail(row, "row is not with the others of its opcode:", row.modifiers);
    ++range.count;

    InstructionForm form;
    form.opcode = row.opcode;
    form.leastVersion = row.version;
    forEachPart(row.target, '|', [&](std::string_view part) {
      form.targets.push_back(parseArch(row, part));
    });
    form.modifierPattern = row.modifiers;
    form.operandPattern = row.operands;
    forEachPart(row.modifiers, ' ', [&](std::string_view part) {
      form.modifiers.push_back(parseSlot(row, part));
    });
    forEachPart(row.operands, ' ', [&](std::string_view part) {
      form.operands.push_back(parseOperand(row, part));
    });
    forms.push_back(std::move(form));
  }

  Arch parseArch(const Row &row, std::string_view text) {
    Arch arch;
    if (!text.starts_with("sm_")) {
      fail(row, "bad target", text);
      return arch;
    }
    text.remove_prefix(3);
    auto [end, ec] =
        std::from_chars(text.data(), text.data() + text.size(), arch.sm);
    text.remove_prefix(std::size_t(end - text.data()));
    if (ec != std::errc() || text.size() > 1)
      fail(row, "bad target", row.target);
    if (!text.empty())
      arch.feature = text.front();
    return arch;
  }

  ModifierSlot parseSlot(const Row &row, std::string_view part) {
    ModifierSlot slot;
    if (part.ends_with('?')) {
      slot.optional = true;
      part.remove_suffix(1);
    }
    if (part.starts_with('$')) {
      const auto *set =
          std::ranges::find(modifierSets, part.substr(1), &ModifierSet::name);
      if (set == std::end(modifierSets)) {
        fail(row, "unknown modifier set", part);
        return slot;
      }
      part = set->choices;
    }
    forEachPart(part, '|', [&](std::string_view choice) {
      if (auto modifier = modifierFromSpelling(choice))
        slot.choices.push_back(*modifier);
      else
        fail(row, "unknown modifier", choice);
    });
    return slot;
  }

  OperandSpec parseOperand(const Row &row, std::string_view part) {
    OperandSpec spec;
    std::string_view whole = part;
    if (part.ends_with('?')) {
      spec.optional = true;
      part.remove_suffix(1);
    }
    if (part.starts_with('=') || part.starts_with('+')) {
      spec.access = part.front() == '=' ? Access::write : Access::readWrite;
      part.remove_prefix(1);
    }
    if (part.starts_with('-')) {
      spec.canBeNegated = true;
      part.remove_prefix(1);
    }
    if (std::size_t colon = part.find(':'); colon != std::string_view::npos) {
      if (!parseSelectorKind(part.substr(colon + 1), spec))
        fail(row, "bad selector", whole);
      part = part.substr(0, colon);
    }
    part = stripKind(part, spec.kind);
    if (!parseOperandType(part, spec))
      fail(row, "bad operand", whole);
    return spec;
  }

  static bool parseSelectorKind(std::string_view text, OperandSpec &spec) {
    static constexpr std::pair<std::string_view, SelectorKind> names[] = {
        {"part", SelectorKind::part},      {"halves", SelectorKind::halves},
        {"bytes", SelectorKind::bytes},    {"hmask", SelectorKind::halfMask},
        {"bmask", SelectorKind::byteMask},
    };
    if (text.ends_with('!')) {
      spec.needsSelector = true;
      text.remove_suffix(1);
    }
    for (auto [name, kind] : names)
      if (name == text)
        spec.selector = kind;
    return spec.selector != SelectorKind::none;
  }

  /// Removes the punctuation or keyword that says the kind; leaves the type.
  static std::string_view stripKind(std::string_view part, OperandKind &kind) {
    auto bracketed = [&](char open, char close) {
      return part.size() > 2 && part.front() == open && part.back() == close;
    };
    auto inner = [&] { return part.substr(1, part.size() - 2); };
    static constexpr std::pair<std::string_view, OperandKind> keywords[] = {
        {"any", OperandKind::anything}, {"sym", OperandKind::symbol},
        {"label", OperandKind::label},  {"callee", OperandKind::callee},
        {"list", OperandKind::list},    {"table", OperandKind::table},
    };
    for (auto [keyword, keywordKind] : keywords) {
      if (part != keyword)
        continue;
      kind = keywordKind;
      return kind == OperandKind::anything || kind == OperandKind::symbol ? "T"
                                                                          : "*";
    }
    if (part.ends_with("|pred")) {
      kind = OperandKind::pair;
      return part.substr(0, part.size() - 5);
    }
    if (bracketed('[', ']')) {
      kind = OperandKind::address;
      return inner();
    }
    if (bracketed('{', '}')) {
      kind = OperandKind::vector;
      return inner();
    }
    if (bracketed('<', '>')) {
      kind = OperandKind::fragment;
      return inner();
    }
    if (part.starts_with('#')) {
      kind = OperandKind::constant;
      return part.substr(1);
    }
    if (part == "pred")
      kind = OperandKind::predicate;
    return part;
  }

  static bool parseOperandType(std::string_view part, OperandSpec &spec) {
    static constexpr std::string_view letters[] = {"T", "U", "X", "Y"};
    if (part == "*") {
      spec.typeIndex = Mnemonic::maxTypes;
      return true;
    }
    if (part == "W") {
      spec.isDoubleWidth = true;
      return true;
    }
    if (const auto *letter = std::ranges::find(letters, part);
        letter != std::end(letters)) {
      spec.typeIndex = std::uint8_t(letter - std::begin(letters));
      return true;
    }
    auto type = typeFromSpelling(part);
    if (type)
      spec.fixedType = *type;
    return type.has_value();
  }
};

const Table &table() {
  static const Table instance;
  return instance;
}

Type doubleWidth(Type type) {
  switch (type) {
  case Type::u16:
    return Type::u32;
  case Type::s16:
    return Type::s32;
  case Type::u32:
    return Type::u64;
  case Type::s32:
    return Type::s64;
  default:
    return Type::none;
  }
}

/// Matches suffixes against the places of a form; `furthest` is the number of
/// suffixes that could be matched at most.
bool matchSuffixes(std::span<const Modifier> suffixes,
                   std::span<const ModifierSlot> slots, std::size_t at,
                   std::size_t &furthest) {
  furthest = std::max(furthest, at);
  if (slots.empty())
    return at == suffixes.size();
  const ModifierSlot &slot = slots.front();
  if (at < suffixes.size() &&
      std::ranges::find(slot.choices, suffixes[at]) != slot.choices.end() &&
      matchSuffixes(suffixes, slots.subspan(1), at + 1, furthest))
    return true;
  return slot.optional &&
         matchSuffixes(suffixes, slots.subspan(1), at, furthest);
}

/// Modifiers that ptxas reads as a part of the name: they keep their place.
bool isPartOfName(Modifier modifier) {
  switch (modifier) {
  case Modifier::lo:
  case Modifier::hi:
  case Modifier::wide:
  case Modifier::l:
  case Modifier::r:
  case Modifier::to:
  case Modifier::parity:
  case Modifier::expect_tx:
    return true;
  default:
    return false;
  }
}

/// Whether several modifiers of a group are told apart by their order.
bool isOrderedGroup(ModifierGroup group) {
  return group == ModifierGroup::type || group == ModifierGroup::space ||
         group == ModifierGroup::layout;
}

/// Assigns suffixes to the places of a form in whatever order they stand.
class UnorderedMatch {
public:
  UnorderedMatch(std::span<const Modifier> suffixes,
                 std::span<const ModifierSlot> slots)
      : suffixes(suffixes), slots(slots) {}

  /// The suffixes in the order of the form.
  std::optional<std::vector<Modifier>> run() {
    if (suffixes.size() > slots.size() || !assign(0))
      return std::nullopt;
    std::vector<Modifier> ordered;
    for (std::size_t i : chosen)
      ordered.push_back(suffixes[i]);
    return ordered;
  }

private:
  bool assign(std::size_t slot) {
    // Rows have few alternatives; the limit is for hostile text.
    if (++steps > 2000 || suffixes.size() - chosen.size() > slots.size() - slot)
      return false;
    if (slot == slots.size())
      return chosen.size() == suffixes.size();
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      if (!isCandidate(slot, i))
        continue;
      used[i] = true;
      chosen.push_back(i);
      if (assign(slot + 1))
        return true;
      chosen.pop_back();
      used[i] = false;
    }
    return slots[slot].optional && assign(slot + 1);
  }

  bool isCandidate(std::size_t slot, std::size_t i) const {
    const auto &choices = slots[slot].choices;
    if (used[i] || std::ranges::find(choices, suffixes[i]) == choices.end())
      return false;
    if (isPartOfName(suffixes[i]))
      return std::ranges::all_of(std::span(used).first(i), std::identity());
    ModifierGroup group = modifierGroup(suffixes[i]);
    if (!isOrderedGroup(group))
      return true;
    for (std::size_t before = 0; before < i; ++before)
      if (!used[before] && modifierGroup(suffixes[before]) == group)
        return false;
    return true;
  }

  std::span<const Modifier> suffixes;
  std::span<const ModifierSlot> slots;
  std::array<bool, Mnemonic::maxModifiers> used{};
  std::vector<std::size_t> chosen;
  unsigned steps = 0;
};

/// The opcode with the longest name that `text` begins with, by whole words.
std::optional<Opcode> leadingOpcode(std::string_view text,
                                    std::size_t &length) {
  // No opcode is longer; the limit keeps hostile text from costing time.
  constexpr std::size_t maxOpcodeLength = 48;
  std::size_t start = text.size();
  if (start > maxOpcodeLength)
    start = text.rfind('.', maxOpcodeLength);
  for (std::size_t end = start; end != std::string_view::npos;
       end = end == 0 ? std::string_view::npos : text.rfind('.', end - 1)) {
    if (auto opcode = lookUp(table().opcodes, text.substr(0, end))) {
      length = end;
      return Opcode(*opcode);
    }
  }
  return std::nullopt;
}

/// Looks for forms that have the suffixes of `match` in another order; brings
/// them into that of the first. Further forms must agree with its order.
void matchUnordered(std::size_t first, std::size_t count,
                    MnemonicMatch &match) {
  Mnemonic &mnemonic = match.mnemonic;
  for (std::size_t i = first; i < first + count; ++i) {
    const auto &slots = table().forms[i].modifiers;
    auto ordered = UnorderedMatch(mnemonic.modifiers(), slots).run();
    if (!ordered)
      continue;
    bool isSame = std::ranges::equal(*ordered, mnemonic.modifiers());
    if (!match.forms.empty() && !isSame)
      continue;
    std::ranges::copy(*ordered, mnemonic.suffixes.begin());
    match.forms.push_back(std::uint16_t(i));
  }
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

} // namespace

std::span<const InstructionForm> tessera::ptx::instructionForms() {
  return table().forms;
}

std::span<const InstructionForm> tessera::ptx::formsOf(Opcode opcode) {
  Table::Range range = table().byOpcode[std::size_t(opcode)];
  return instructionForms().subspan(range.first, range.count);
}

const InstructionForm &tessera::ptx::formOf(const Mnemonic &mnemonic) {
  return instructionForms()[mnemonic.form];
}

std::span<const std::string> tessera::ptx::instructionTableErrors() {
  return table().errors;
}

Type OperandSpec::typeFor(const Mnemonic &mnemonic) const {
  if (fixedType != Type::none)
    return fixedType;
  Type type = mnemonic.type(typeIndex);
  return isDoubleWidth ? doubleWidth(type) : type;
}

bool tessera::ptx::acceptsOperandCount(const InstructionForm &form,
                                       unsigned count) {
  auto required =
      std::ranges::count(form.operands, false, &OperandSpec::optional);
  return count >= std::size_t(required) && count <= form.operands.size();
}

Mnemonic MnemonicMatch::select(unsigned operandCount) const {
  Mnemonic result = mnemonic;
  for (std::uint16_t form : forms) {
    if (!acceptsOperandCount(instructionForms()[form], operandCount))
      continue;
    result.form = form;
    break;
  }
  return result;
}

std::expected<MnemonicMatch, MnemonicError>
tessera::ptx::matchMnemonic(std::string_view text) {
  std::size_t length = 0;
  auto opcode = leadingOpcode(text, length);
  if (!opcode)
    return std::unexpected(
        MnemonicError{0, "unknown instruction " + quoted(text)});

  MnemonicMatch match;
  Mnemonic &mnemonic = match.mnemonic;
  mnemonic.opcode = *opcode;
  std::array<std::size_t, Mnemonic::maxModifiers> offsets{};
  for (std::size_t at = length; at < text.size();) {
    std::size_t end = std::min(text.find('.', at + 1), text.size());
    std::string_view word = text.substr(at + 1, end - at - 1);
    auto modifier = modifierFromSpelling(word);
    if (!modifier)
      return std::unexpected(MnemonicError{
          at, "unknown instruction " + quoted(text) + ": " +
                  quoted(spelling(*opcode)) + " has no modifier '." +
                  std::string(word) + "'"});
    if (mnemonic.modifierCount == Mnemonic::maxModifiers)
      return std::unexpected(
          MnemonicError{at, "too many modifiers in " + quoted(text)});
    offsets[mnemonic.modifierCount] = at;
    mnemonic.suffixes[mnemonic.modifierCount++] = *modifier;
    if (Type type = modifierType(*modifier);
        type != Type::none && mnemonic.typeCount < Mnemonic::maxTypes)
      mnemonic.types[mnemonic.typeCount++] = type;
    at = end;
  }

  std::size_t furthest = 0;
  Table::Range range = table().byOpcode[std::size_t(*opcode)];
  for (unsigned i = range.first; i < unsigned(range.first) + range.count; ++i)
    if (matchSuffixes(mnemonic.modifiers(), instructionForms()[i].modifiers, 0,
                      furthest))
      match.forms.push_back(std::uint16_t(i));
  if (match.forms.empty())
    matchUnordered(range.first, range.count, match);
  if (!match.forms.empty()) {
    mnemonic.form = match.forms.front();
    return match;
  }
  if (furthest < mnemonic.modifierCount)
    return std::unexpected(MnemonicError{
        offsets[furthest],
        "unknown instruction " + quoted(text) + ": '." +
            std::string(spelling(mnemonic.suffixes[furthest])) +
            "' cannot follow " + quoted(text.substr(0, offsets[furthest]))});
  return std::unexpected(
      MnemonicError{0, "unknown instruction " + quoted(text) +
                           ": a modifier is missing at its end"});
}
