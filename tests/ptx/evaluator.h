// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one instruction on given values, for the tests.

#ifndef TESSERA_TESTS_PTX_EVALUATOR_H
#define TESSERA_TESTS_PTX_EVALUATOR_H

#include "ptx/evaluate.h"
#include "support.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace tessera::ptx {

struct Evaluated {
  std::uint64_t value = 0;
  std::uint64_t second = 0; ///< of instructions with two results
  bool carry = false;
};

/// The instruction `mnemonic` with registers for its operands, in a module.
inline std::string textFor(const Mnemonic &mnemonic,
                           const std::vector<std::uint64_t> &sources) {
  std::string declarations, operands;
  std::size_t nextSource = 0;
  int number = 0;
  auto name = [&](Type type) {
    std::string result = "v" + std::to_string(number++);
    unsigned width = std::max(8u, bitWidth(type));
    std::string declared =
        type == Type::pred ? ".pred" : ".b" + std::to_string(width);
    declarations += ".reg " + declared + " " + result + ";\n";
    return result;
  };
  for (const OperandSpec &spec : formOf(mnemonic).operands) {
    if (!operands.empty())
      operands += ", ";
    Type type = spec.typeFor(mnemonic);
    if (spec.access == Access::read && nextSource == sources.size())
      break;
    if (spec.kind == OperandKind::constant)
      operands += std::to_string(sources[nextSource]);
    else if (spec.kind == OperandKind::pair)
      operands += name(type) + "|" + name(Type::pred);
    else
      operands += name(type);
    if (spec.access == Access::read)
      ++nextSource;
  }
  return ".version 9.0\n.target sm_100a\n.entry k {\n" + declarations +
         mnemonic.str() + " " + operands + ";\n}";
}

/// Evaluates for all 32 lanes, which must agree.
inline Evaluated evaluate(std::string_view mnemonicText,
                          std::vector<std::uint64_t> sources,
                          bool carryIn = false) {
  auto match = matchMnemonic(mnemonicText);
  if (!match) {
    ADD_FAILURE() << match.error().message;
    return {};
  }
  Mnemonic mnemonic = match->select(unsigned(sources.size()) + 1);
  Module module = parsed(textFor(mnemonic, sources));
  if (module.functions.empty())
    return {};
  const Function &function = module.functions[0];
  auto operation = resolve(function, function.instructions.at(0));
  if (!operation) {
    ADD_FAILURE() << operation.error();
    return {};
  }

  std::vector<std::array<std::uint64_t, warpSize>> storage(
      operation->slots.size());
  std::vector<Lanes> lanes;
  std::size_t nextSource = 0;
  for (std::size_t i = 0; i < operation->slots.size(); ++i) {
    const WarpOperation::Slot &slot = operation->slots[i];
    std::uint64_t value = slot.isResult ? 0 : sources.at(nextSource++);
    if (slot.type == Type::pred)
      value = value ? ~std::uint64_t(0) : 0;
    storage[i].fill(value);
    lanes.push_back({storage[i].data(), 8, false});
  }
  std::uint32_t carry = carryIn ? ~0u : 0;
  operation->run(lanes.data(), ~0u, carry);

  auto result = [&](std::size_t i) -> std::uint64_t {
    if (i >= operation->slots.size() || !operation->slots[i].isResult)
      return 0;
    if (operation->slots[i].type == Type::pred)
      return storage[i][0] & 1;
    EXPECT_TRUE(std::ranges::all_of(
        storage[i], [&](auto value) { return value == storage[i][0]; }));
    unsigned width = bitWidth(operation->slots[i].type);
    return width == 64 ? storage[i][0]
                       : storage[i][0] & ((std::uint64_t(1) << width) - 1);
  };
  return {result(0), result(1), (carry & 1) != 0};
}

inline std::uint64_t bitsOf(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
inline std::uint64_t bitsOf(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

/// The value of an instruction.
template <class... Sources>
std::uint64_t valueOf(std::string_view mnemonic, Sources... sources) {
  auto bits = [](auto source) -> std::uint64_t {
    if constexpr (std::is_floating_point_v<decltype(source)>)
      return bitsOf(source);
    else
      return std::uint64_t(std::int64_t(source));
  };
  return evaluate(mnemonic, {bits(sources)...}).value;
}

} // namespace tessera::ptx

#endif // TESSERA_TESTS_PTX_EVALUATOR_H
