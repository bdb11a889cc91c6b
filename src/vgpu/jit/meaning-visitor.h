// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A visitor for ptx/semantics/dispatch.h; private to meaning-*.cpp.

#ifndef TESSERA_VGPU_JIT_MEANING_VISITOR_H
#define TESSERA_VGPU_JIT_MEANING_VISITOR_H

#include "ptx/semantics/dispatch.h"
#include "vgpu/jit/meaning.h"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tessera::vgpu::jit {

class ApplyVisitor {
public:
  explicit ApplyVisitor(Application &application) : application(application) {}

  template <class Op> void operator()(std::type_identity<Op>) {
    apply<Op>(&Op::template apply<IrDomain>);
  }

private:
  template <class Op, class Result, class... Sources>
  void apply(Result (*meaning)(IrDomain &, Sources...)) {
    constexpr bool readsCarry = requires { Op::readsCarry; };
    if (sizeof...(Sources) != application.sources.size() + readsCarry)
      return;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      put<Op>(meaning(application.domain, source<Sources>(I)...));
    }(std::index_sequence_for<Sources...>());
  }

  template <class V> V source(std::size_t index) {
    if (index == application.sources.size())
      return carry<V>();
    const Operand &operand = application.sources[index];
    if constexpr (std::is_same_v<V, Truth>)
      return operand.truth;
    else
      return {application.domain.truncateTo(operand.lanes, widthOf(V()))};
  }
  template <class V> V carry() {
    if constexpr (std::is_same_v<V, Truth>)
      return application.carry;
    else
      return {};
  }
  template <unsigned N>
  static constexpr unsigned widthOf(const IrDomain::Bits<N> &) {
    return N;
  }

  template <class Op>
  static constexpr bool isSigned = [] {
    if constexpr (requires { Op::isResultSigned; })
      return Op::isResultSigned;
    return false;
  }();

  template <class Op, unsigned N> void put(const IrDomain::Bits<N> &value) {
    application.results.push_back({.lanes = value, .isSigned = isSigned<Op>});
  }
  template <class Op> void put(const Truth &value) {
    application.results.push_back({.truth = value, .isTruth = true});
  }
  template <class Op, class A, class B>
  void put(const ptx::semantics::Two<A, B> &both) {
    put<Op>(both.first);
    if constexpr (requires { Op::writesCarry; }) {
      application.writesCarry = true;
      application.newCarry = both.second;
    } else {
      put<Op>(both.second);
    }
  }
  template <class Op, class V> void put(const ptx::semantics::Four<V> &all) {
    for (const V &value : {all.first, all.second, all.third, all.fourth})
      put<Op>(value);
  }

  Application &application;
};

} // namespace tessera::vgpu::jit

#endif // TESSERA_VGPU_JIT_MEANING_VISITOR_H
