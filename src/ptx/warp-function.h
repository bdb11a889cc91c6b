// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a `WarpFunction` of the meaning of an instruction; private to this
// folder. The instantiations are spread over evaluate-*.cpp.

#ifndef TESSERA_PTX_WARP_FUNCTION_H
#define TESSERA_PTX_WARP_FUNCTION_H

#include "ptx/evaluate.h"
#include "ptx/semantics/concrete.h"
#include "ptx/semantics/dispatch.h"

#include <array>
#include <bit>
#include <cstddef>
#include <tuple>
#include <utility>

namespace tessera::ptx {

/// A function and what it takes: the widths of its operands in bits (1 for a
/// predicate), results first.
struct FunctionInfo {
  static constexpr std::size_t maxOperands = 8;
  WarpFunction run = nullptr;
  std::uint8_t resultCount = 0;
  std::uint8_t operandCount = 0;
  std::array<std::uint8_t, maxOperands> widths{};
};

// What has no meaning has no `run`.
FunctionInfo integerFunction(const Mnemonic &mnemonic);
FunctionInfo bitsFunction(const Mnemonic &mnemonic);
FunctionInfo moveFunction(const Mnemonic &mnemonic, unsigned resultCount,
                          unsigned sourceCount);
FunctionInfo setpFunction(const Mnemonic &mnemonic);
FunctionInfo setFunction(const Mnemonic &mnemonic);
FunctionInfo floatFunction(const Mnemonic &mnemonic, unsigned sourceCount);
FunctionInfo convertFunction(const Mnemonic &mnemonic);

namespace detail {

template <class V> using LaneArray = std::array<V, warpSize>;

/// Reads a source. Out of line: once per type, not once per operation.
template <class V> void gather(const Lanes &from, LaneArray<V> &to);
/// Writes a result for the lanes in `mask`, extended to the stride.
template <class V>
void scatter(const LaneArray<V> &from, std::uint32_t mask, const Lanes &to,
             bool isSigned);

//===----------------------------------------------------------------------===//
// The shape of an operation: what it takes and gives in the concrete domain
//===----------------------------------------------------------------------===//

using semantics::ConcreteDomain;

template <class V> struct ResultShape {
  using Arrays = std::tuple<LaneArray<V>>;
  static void put(Arrays &to, unsigned lane, V value) {
    std::get<0>(to)[lane] = value;
  }
};

template <class A, class B> struct ResultShape<semantics::Two<A, B>> {
  using Arrays = std::tuple<LaneArray<A>, LaneArray<B>>;
  static void put(Arrays &to, unsigned lane, semantics::Two<A, B> value) {
    std::get<0>(to)[lane] = value.first;
    std::get<1>(to)[lane] = value.second;
  }
};

template <class V> struct ResultShape<semantics::Four<V>> {
  using Arrays =
      std::tuple<LaneArray<V>, LaneArray<V>, LaneArray<V>, LaneArray<V>>;
  static void put(Arrays &to, unsigned lane, semantics::Four<V> value) {
    std::get<0>(to)[lane] = value.first;
    std::get<1>(to)[lane] = value.second;
    std::get<2>(to)[lane] = value.third;
    std::get<3>(to)[lane] = value.fourth;
  }
};

template <class Function> struct Shape;
template <class R, class... Sources>
struct Shape<R (*)(ConcreteDomain &, Sources...)> {
  using Result = ResultShape<R>;
  using SourceArrays = std::tuple<LaneArray<Sources>...>;
};

template <class Op>
using ShapeOf = Shape<decltype(&Op::template apply<ConcreteDomain>)>;

template <class Op> constexpr bool readsCarry = requires { Op::readsCarry; };
template <class Op> constexpr bool writesCarry = requires { Op::writesCarry; };
template <class Op>
constexpr bool isResultSigned = [] {
  if constexpr (requires { Op::isResultSigned; })
    return Op::isResultSigned;
  return false;
}();

template <class Op>
constexpr bool isCostly = [] {
  if constexpr (requires { Op::isCostly; })
    return Op::isCostly;
  return false;
}();

template <class Op>
void runWarp(const Lanes *operands, std::uint32_t mask, std::uint32_t &carry) {
  using OpShape = ShapeOf<Op>;
  using SourceArrays = typename OpShape::SourceArrays;
  using ResultArrays = typename OpShape::Result::Arrays;
  constexpr std::size_t sourceCount = std::tuple_size_v<SourceArrays>;
  constexpr std::size_t resultCount = std::tuple_size_v<ResultArrays>;
  constexpr std::size_t sourceSlots = sourceCount - readsCarry<Op>;
  constexpr std::size_t resultSlots = resultCount - writesCarry<Op>;

  SourceArrays sources;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (gather(operands[resultSlots + I], std::get<I>(sources)), ...);
  }(std::make_index_sequence<sourceSlots>());
  if constexpr (readsCarry<Op>)
    gather(Lanes{.data = &carry}, std::get<sourceCount - 1>(sources));

  ResultArrays results;
  ConcreteDomain domain;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto evaluate = [&](unsigned lane) {
      OpShape::Result::put(results, lane,
                           Op::apply(domain, std::get<I>(sources)[lane]...));
    };
    // Cheap operations are evaluated for all lanes, in vectors.
    if constexpr (isCostly<Op>)
      for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
        evaluate(unsigned(std::countr_zero(rest)));
    else
      for (unsigned lane = 0; lane < warpSize; ++lane)
        evaluate(lane);
  }(std::make_index_sequence<sourceCount>());

  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (scatter(std::get<I>(results), mask, operands[I], isResultSigned<Op>), ...);
  }(std::make_index_sequence<resultSlots>());
  if constexpr (writesCarry<Op>)
    scatter(std::get<resultCount - 1>(results), mask, Lanes{.data = &carry},
            false);
}

template <class V>
constexpr std::uint8_t widthOfValue =
    std::is_same_v<V, bool> ? 1 : std::uint8_t(8 * sizeof(V));

template <class... V>
void addWidths(FunctionInfo &info, std::size_t count,
               std::type_identity<std::tuple<LaneArray<V>...>>) {
  std::array<std::uint8_t, sizeof...(V)> widths{widthOfValue<V>...};
  for (std::size_t i = 0; i < count; ++i)
    info.widths[info.operandCount++] = widths[i];
}

/// A visitor for the dispatch functions.
struct TakeFunction {
  FunctionInfo &info;

  template <class Op> void operator()(std::type_identity<Op>) {
    using Results = typename ShapeOf<Op>::Result::Arrays;
    using Sources = typename ShapeOf<Op>::SourceArrays;
    info = {.run = &runWarp<Op>};
    addWidths(info, std::tuple_size_v<Results> - writesCarry<Op>,
              std::type_identity<Results>{});
    info.resultCount = info.operandCount;
    addWidths(info, std::tuple_size_v<Sources> - readsCarry<Op>,
              std::type_identity<Sources>{});
  }
};

} // namespace detail
} // namespace tessera::ptx

#endif // TESSERA_PTX_WARP_FUNCTION_H
