// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx/ast.h"

#include <algorithm>
#include <bit>
#include <ranges>

using namespace tessera::ptx;

//===----------------------------------------------------------------------===//
// Selectors
//===----------------------------------------------------------------------===//

std::optional<Selector> Selector::fromSpelling(std::string_view text) {
  if (!text.starts_with(".b") && !text.starts_with(".h"))
    return std::nullopt;
  Selector selector;
  unsigned bits = text[1] == 'b' ? bytesBit : 0;
  char last = text[1] == 'b' ? '7' : '3';
  text.remove_prefix(2);
  if (text.empty() || text.size() > maxLanes)
    return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char digit = text[text.size() - 1 - i];
    if (digit < '0' || digit > last)
      return std::nullopt;
    bits |= unsigned(digit - '0') << (3 * i);
  }
  selector.bits = std::uint16_t(bits | unsigned(text.size()) << 13);
  return selector;
}

std::string Selector::str() const {
  if (!*this)
    return {};
  std::string text = isBytes() ? ".b" : ".h";
  for (unsigned i = count(); i-- > 0;)
    text += char('0' + lane(i));
  return text;
}

//===----------------------------------------------------------------------===//
// Immediates
//===----------------------------------------------------------------------===//

namespace {

double valueOf(const FloatImmediate &immediate) {
  if (immediate.isSingle)
    return std::bit_cast<float>(std::uint32_t(immediate.bits));
  return std::bit_cast<double>(immediate.bits);
}

std::optional<std::uint64_t> floatBits(const FloatImmediate &immediate,
                                       Type type) {
  switch (type) {
  case Type::f32:
    if (!immediate.isSingle)
      return std::bit_cast<std::uint32_t>(float(valueOf(immediate)));
    return immediate.bits;
  case Type::f64:
    return std::bit_cast<std::uint64_t>(valueOf(immediate));
  case Type::b32:
    return immediate.isSingle ? std::optional(immediate.bits) : std::nullopt;
  case Type::b64:
    return immediate.isSingle ? std::nullopt : std::optional(immediate.bits);
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<std::uint64_t> tessera::ptx::immediateBits(const Operand &operand,
                                                         Type type) {
  if (const auto *value = operand.getIf<FloatImmediate>())
    return floatBits(*value, type);
  const auto *value = operand.getIf<IntImmediate>();
  bool isFloatOnly = isFloat(type) && bitWidth(type) >= 32;
  if (!value || isFloatOnly || typeClass(type) == TypeClass::opaque)
    return std::nullopt;
  if (typeClass(type) == TypeClass::predicate)
    return value->bits != 0;
  unsigned width = bitWidth(type);
  return width >= 64 ? value->bits
                     : value->bits & ((std::uint64_t(1) << width) - 1);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

namespace {

/// Places the scalars of nested lists as C does: a nested list begins the next
/// sub-array, a scalar takes the next element.
class InitializerWalk {
public:
  InitializerWalk(const Variable &variable, std::vector<InitialValue> *values)
      : scalarSize(byteSize(variable.type)), values(values) {
    // strides[d]: scalars in one element of a list at depth d.
    std::uint64_t stride = 1;
    if (variable.vectorWidth > 1) {
      strides.push_back(stride);
      stride = variable.vectorWidth;
    }
    for (std::uint64_t extent : variable.dims | std::views::reverse) {
      strides.push_back(stride);
      stride *= std::max<std::uint64_t>(extent, 1);
    }
    std::ranges::reverse(strides);
  }

  /// Returns the number of scalars that the list reaches over.
  std::uint64_t place(const Initializer &init, std::size_t depth,
                      std::uint64_t base) {
    const auto *list = std::get_if<std::vector<Initializer>>(&init.value);
    if (!list) {
      if (values)
        values->push_back({base * scalarSize, &init});
      return 1;
    }
    std::uint64_t stride = depth < strides.size() ? strides[depth] : 1;
    std::uint64_t position = 0;
    for (const Initializer &element : *list) {
      if (!std::holds_alternative<std::vector<Initializer>>(element.value)) {
        place(element, depth + 1, base + position);
        ++position;
        continue;
      }
      position = roundUp(position, stride);
      place(element, depth + 1, base + position);
      position += stride;
    }
    return position;
  }

  [[nodiscard]] std::uint64_t outermostStride() const {
    return strides.empty() ? 1 : strides.front();
  }

  static std::uint64_t roundUp(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
  }

private:
  std::uint64_t scalarSize;
  std::vector<InitialValue> *values;
  std::vector<std::uint64_t> strides;
};

} // namespace

std::uint64_t Variable::elementSize() const {
  return std::uint64_t(byteSize(type)) * vectorWidth;
}

std::uint64_t Variable::elementCount() const {
  std::uint64_t count = 1;
  for (std::uint64_t extent : dims)
    count *= extent;
  return count;
}

std::uint64_t Variable::size() const {
  if (dims.empty() || dims.front() != 0 || !init)
    return elementSize() * elementCount();
  InitializerWalk walk(*this, nullptr);
  std::uint64_t scalars =
      InitializerWalk::roundUp(walk.place(*init, 0, 0), walk.outermostStride());
  return scalars * byteSize(type);
}

std::uint32_t Variable::alignment() const {
  if (align != 0)
    return align;
  return std::max<std::uint32_t>(1, std::uint32_t(elementSize()));
}

std::vector<InitialValue>
tessera::ptx::initialValues(const Variable &variable) {
  std::vector<InitialValue> values;
  if (variable.init)
    InitializerWalk(variable, &values).place(*variable.init, 0, 0);
  return values;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

const Function *Module::functionOf(std::uint32_t symbol) const {
  const Symbol &found = symbols[symbol];
  return found.kind == Symbol::Kind::function ? &functions[found.index]
                                              : nullptr;
}

const Variable *Module::variableOf(std::uint32_t symbol) const {
  const Symbol &found = symbols[symbol];
  return found.kind == Symbol::Kind::variable ? &variables[found.index]
                                              : nullptr;
}

const Function *Module::findFunction(std::string_view name) const {
  auto found = std::ranges::find(symbols, name, &Symbol::name);
  return found == symbols.end()
             ? nullptr
             : functionOf(std::uint32_t(found - symbols.begin()));
}

const Variable *Module::findVariable(std::string_view name) const {
  auto found = std::ranges::find(symbols, name, &Symbol::name);
  return found == symbols.end()
             ? nullptr
             : variableOf(std::uint32_t(found - symbols.begin()));
}

const File *Module::findFile(std::uint32_t index) const {
  auto found = std::ranges::find(files, index, &File::index);
  return found == files.end() ? nullptr : &*found;
}
