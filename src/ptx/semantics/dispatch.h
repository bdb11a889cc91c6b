// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a decoded mnemonic to its meaning. Each function calls
// `visit(std::type_identity<Operation>{})` with the class whose `apply` is the
// meaning, or returns false when the mnemonic is not of its kind. `apply`
// takes the sources in operand order; `Two` and `Four` are several results.
// An operation with `writesCarry` has CC.CF as its second result, one with
// `readsCarry` as its last source.
//
// A domain instantiates these once; which parts are visited is a run-time
// matter, so visiting is for decoding, not for executing.

#ifndef TESSERA_PTX_SEMANTICS_DISPATCH_H
#define TESSERA_PTX_SEMANTICS_DISPATCH_H

#include "ptx/instructions.h"
#include "ptx/semantics.h"

#include <type_traits>

namespace tessera::ptx::semantics {

namespace detail {

template <unsigned N> using Width = std::integral_constant<unsigned, N>;
template <auto Value>
using Constant = std::integral_constant<decltype(Value), Value>;

template <class Op, class Visitor> bool visitOp(Visitor &&visit) {
  visit(std::type_identity<Op>{});
  return true;
}

/// Calls `f` with the width of `type` as a constant.
template <class F> bool withWidth(Type type, F f) {
  switch (bitWidth(type)) {
  case 8:
    return f(Width<8>());
  case 16:
    return f(Width<16>());
  case 32:
    return f(Width<32>());
  case 64:
    return f(Width<64>());
  default:
    return false;
  }
}

/// The widths that integer arithmetic has.
template <class F> bool withArithmeticWidth(Type type, F f) {
  if (bitWidth(type) < 16)
    return false;
  return withWidth(type, [&](auto width) {
    if constexpr (width() >= 16)
      return f(width);
    else
      return false;
  });
}

template <class F> bool withWide(Type type, F f) {
  if (bitWidth(type) != 32 && bitWidth(type) != 64)
    return false;
  return bitWidth(type) == 32 ? f(Width<32>()) : f(Width<64>());
}

template <class F> bool withFlag(bool value, F f) {
  return value ? f(std::true_type()) : f(std::false_type());
}

template <class F> bool withHalf(const Mnemonic &m, F f) {
  return m.has(Modifier::hi) ? f(Constant<Half::hi>())
                             : f(Constant<Half::lo>());
}

template <class F> bool withFormat(Type type, F f) {
  switch (type) {
  case Type::f16:
  case Type::f16x2:
    return f(Constant<Format::f16>());
  case Type::bf16:
  case Type::bf16x2:
    return f(Constant<Format::bf16>());
  case Type::f32:
    return f(Constant<Format::f32>());
  case Type::f64:
    return f(Constant<Format::f64>());
  default:
    return false;
  }
}

inline Rounding roundingOf(const Mnemonic &m) {
  if (m.has(Modifier::rz) || m.has(Modifier::rzi))
    return Rounding::towardZero;
  if (m.has(Modifier::rm) || m.has(Modifier::rmi))
    return Rounding::down;
  if (m.has(Modifier::rp) || m.has(Modifier::rpi))
    return Rounding::up;
  if (m.has(Modifier::rna))
    return Rounding::nearestAway;
  return Rounding::nearestEven;
}

template <class F> bool withRounding(const Mnemonic &m, F f) {
  switch (roundingOf(m)) {
  case Rounding::nearestEven:
    return f(Constant<Rounding::nearestEven>());
  case Rounding::towardZero:
    return f(Constant<Rounding::towardZero>());
  case Rounding::down:
    return f(Constant<Rounding::down>());
  case Rounding::up:
    return f(Constant<Rounding::up>());
  case Rounding::nearestAway:
    return false;
  }
  return false;
}

inline bool isPackedType(Type type) {
  return typeClass(type) == TypeClass::packed;
}

} // namespace detail

//===----------------------------------------------------------------------===//
// Integer arithmetic
//===----------------------------------------------------------------------===//

template <class V> bool dispatchCarry(const Mnemonic &m, V &&visit) {
  using namespace detail;
  bool cc = m.has(Modifier::cc);
  return withWide(m.type(), [&](auto w) {
    constexpr unsigned n = w();
    switch (m.opcode) {
    case Opcode::add:
      return visitOp<AddCc<n>>(visit);
    case Opcode::addc:
      return cc ? visitOp<AddCCc<n>>(visit) : visitOp<AddC<n>>(visit);
    case Opcode::sub:
      return visitOp<SubCc<n>>(visit);
    case Opcode::subc:
      return cc ? visitOp<SubCCc<n>>(visit) : visitOp<SubC<n>>(visit);
    default:
      break;
    }
    return withHalf(m, [&](auto h) {
      return withFlag(isSigned(m.type()), [&](auto s) {
        if (m.opcode == Opcode::mad)
          return visitOp<MadCc<n, h(), s()>>(visit);
        return cc ? visitOp<MadCCc<n, h(), s()>>(visit)
                  : visitOp<MadC<n, h(), s()>>(visit);
      });
    });
  });
}

template <class V> bool dispatchMultiply(const Mnemonic &m, V &&visit) {
  using namespace detail;
  bool isMad = m.opcode == Opcode::mad;
  if (m.has(Modifier::sat))
    return visitOp<MadHiSat>(visit);
  return withFlag(isSigned(m.type()), [&](auto s) {
    return withArithmeticWidth(m.type(), [&](auto w) {
      constexpr unsigned n = w();
      if constexpr (n < 64) {
        if (m.has(Modifier::wide))
          return isMad ? visitOp<MadWide<n, s()>>(visit)
                       : visitOp<MulWide<n, s()>>(visit);
      }
      return withHalf(m, [&](auto h) {
        return isMad ? visitOp<Mad<n, h(), s()>>(visit)
                     : visitOp<Mul<n, h(), s()>>(visit);
      });
    });
  });
}

template <class V> bool dispatchMultiply24(const Mnemonic &m, V &&visit) {
  using namespace detail;
  if (m.has(Modifier::sat))
    return visitOp<Mad24HiSat>(visit);
  return withFlag(isSigned(m.type()), [&](auto s) {
    return withHalf(m, [&](auto h) {
      return m.opcode == Opcode::mad24 ? visitOp<Mad24<h(), s()>>(visit)
                                       : visitOp<Mul24<h(), s()>>(visit);
    });
  });
}

template <class V> bool dispatchDotProduct(const Mnemonic &m, V &&visit) {
  using namespace detail;
  return withFlag(isSigned(m.type(0)), [&](auto a) {
    return withFlag(isSigned(m.type(1)), [&](auto b) {
      if (m.opcode == Opcode::dp4a)
        return visitOp<DotProduct<8, 0, a(), b()>>(visit);
      return m.has(Modifier::hi) ? visitOp<DotProduct<16, 16, a(), b()>>(visit)
                                 : visitOp<DotProduct<16, 0, a(), b()>>(visit);
    });
  });
}

/// add, min and max of `.u16x2` and `.s16x2`, and `.relu` of integers.
template <class V> bool dispatchPackedInteger(const Mnemonic &m, V &&visit) {
  using namespace detail;
  bool isMax = m.opcode == Opcode::max;
  if (m.opcode == Opcode::add)
    return visitOp<Packed2<Add<16>>>(visit);
  if (m.type() == Type::s32)
    return isMax ? visitOp<IntegerRelu<32, Max<32, true>>>(visit)
                 : visitOp<IntegerRelu<32, Min<32, true>>>(visit);
  if (m.has(Modifier::relu))
    return isMax ? visitOp<Packed2<IntegerRelu<16, Max<16, true>>>>(visit)
                 : visitOp<Packed2<IntegerRelu<16, Min<16, true>>>>(visit);
  return withFlag(m.type() == Type::s16x2, [&](auto s) {
    return isMax ? visitOp<Packed2<Max<16, s()>>>(visit)
                 : visitOp<Packed2<Min<16, s()>>>(visit);
  });
}

template <class V> bool dispatchPlainInteger(const Mnemonic &m, V &&visit) {
  using namespace detail;
  return withArithmeticWidth(m.type(), [&](auto w) {
    constexpr unsigned n = w();
    return withFlag(isSigned(m.type()), [&](auto s) {
      switch (m.opcode) {
      case Opcode::add:
        return m.has(Modifier::sat) ? visitOp<AddSat<n>>(visit)
                                    : visitOp<Add<n>>(visit);
      case Opcode::sub:
        return m.has(Modifier::sat) ? visitOp<SubSat<n>>(visit)
                                    : visitOp<Sub<n>>(visit);
      case Opcode::sad:
        return visitOp<Sad<n, s()>>(visit);
      case Opcode::div:
        return visitOp<Div<n, s()>>(visit);
      case Opcode::rem:
        return visitOp<Rem<n, s()>>(visit);
      case Opcode::abs:
        return visitOp<Abs<n>>(visit);
      case Opcode::neg:
        return visitOp<Neg<n>>(visit);
      case Opcode::min:
        return visitOp<Min<n, s()>>(visit);
      case Opcode::max:
        return visitOp<Max<n, s()>>(visit);
      default:
        return false;
      }
    });
  });
}

template <class V> bool dispatchInteger(const Mnemonic &m, V &&visit) {
  switch (m.opcode) {
  case Opcode::mul24:
  case Opcode::mad24:
    return dispatchMultiply24(m, visit);
  case Opcode::dp4a:
  case Opcode::dp2a:
    return dispatchDotProduct(m, visit);
  case Opcode::addc:
  case Opcode::subc:
  case Opcode::madc:
    return dispatchCarry(m, visit);
  default:
    break;
  }
  bool isHalves = m.type() == Type::u16x2 || m.type() == Type::s16x2;
  if (isHalves || (isInteger(m.type()) && m.has(Modifier::relu)))
    return dispatchPackedInteger(m, visit);
  if (!isInteger(m.type()))
    return false;
  if (m.has(Modifier::cc))
    return dispatchCarry(m, visit);
  if (m.opcode == Opcode::mul || m.opcode == Opcode::mad)
    return dispatchMultiply(m, visit);
  return dispatchPlainInteger(m, visit);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

template <class V> bool dispatchPredicateLogic(const Mnemonic &m, V &&visit) {
  using namespace detail;
  switch (m.opcode) {
  case Opcode::and_:
    return visitOp<AndPred>(visit);
  case Opcode::or_:
    return visitOp<OrPred>(visit);
  case Opcode::xor_:
    return visitOp<XorPred>(visit);
  case Opcode::not_:
    return visitOp<NotPred>(visit);
  default:
    return false;
  }
}

template <class V> bool dispatchLogic(const Mnemonic &m, V &&visit) {
  using namespace detail;
  if (m.type() == Type::pred)
    return dispatchPredicateLogic(m, visit);
  return withArithmeticWidth(m.type(), [&](auto w) {
    constexpr unsigned n = w();
    switch (m.opcode) {
    case Opcode::and_:
      return visitOp<And<n>>(visit);
    case Opcode::or_:
      return visitOp<Or<n>>(visit);
    case Opcode::xor_:
      return visitOp<Xor<n>>(visit);
    case Opcode::not_:
      return visitOp<Not<n>>(visit);
    case Opcode::cnot:
      return visitOp<CNot<n>>(visit);
    case Opcode::shl:
      return visitOp<Shl<n>>(visit);
    case Opcode::shr:
      return isSigned(m.type()) ? visitOp<Shr<n, true>>(visit)
                                : visitOp<Shr<n, false>>(visit);
    case Opcode::selp:
      return visitOp<Selp<n>>(visit);
    case Opcode::slct:
      if (m.type(1) == Type::s32)
        return visitOp<SlctInt<n>>(visit);
      return m.has(Modifier::ftz) ? visitOp<SlctFloat<n, true>>(visit)
                                  : visitOp<SlctFloat<n, false>>(visit);
    default:
      return false;
    }
  });
}

template <class V> bool dispatchBitField(const Mnemonic &m, V &&visit) {
  using namespace detail;
  return withWide(m.type(), [&](auto w) {
    constexpr unsigned n = w();
    return withFlag(isSigned(m.type()), [&](auto s) {
      switch (m.opcode) {
      case Opcode::popc:
        return visitOp<Popc<n>>(visit);
      case Opcode::clz:
        return visitOp<Clz<n>>(visit);
      case Opcode::brev:
        return visitOp<Brev<n>>(visit);
      case Opcode::bfe:
        return visitOp<Bfe<n, s()>>(visit);
      case Opcode::bfi:
        return visitOp<Bfi<n>>(visit);
      case Opcode::bfind:
        return m.has(Modifier::shiftamt) ? visitOp<Bfind<n, s(), true>>(visit)
                                         : visitOp<Bfind<n, s(), false>>(visit);
      default:
        return false;
      }
    });
  });
}

template <class V> bool dispatchPermute(const Mnemonic &m, V &&visit) {
  using namespace detail;
  switch (m.find(ModifierGroup::operation)) {
  case Modifier::f4e:
    return visitOp<Prmt<PermuteMode::f4e>>(visit);
  case Modifier::b4e:
    return visitOp<Prmt<PermuteMode::b4e>>(visit);
  case Modifier::rc8:
    return visitOp<Prmt<PermuteMode::rc8>>(visit);
  case Modifier::ecl:
    return visitOp<Prmt<PermuteMode::ecl>>(visit);
  case Modifier::ecr:
    return visitOp<Prmt<PermuteMode::ecr>>(visit);
  case Modifier::rc16:
    return visitOp<Prmt<PermuteMode::rc16>>(visit);
  default:
    return visitOp<Prmt<PermuteMode::any>>(visit);
  }
}

template <class V> bool dispatchBits(const Mnemonic &m, V &&visit) {
  using namespace detail;
  bool wrap = m.has(Modifier::wrap);
  switch (m.opcode) {
  case Opcode::lop3:
    if (m.has(Modifier::and_))
      return visitOp<Lop3Pred<true>>(visit);
    return m.has(Modifier::or_) ? visitOp<Lop3Pred<false>>(visit)
                                : visitOp<Lop3>(visit);
  case Opcode::shf:
    return withFlag(m.has(Modifier::l), [&](auto left) {
      return wrap ? visitOp<Shf<left(), true>>(visit)
                  : visitOp<Shf<left(), false>>(visit);
    });
  case Opcode::prmt:
    return dispatchPermute(m, visit);
  case Opcode::fns:
    return visitOp<Fns>(visit);
  case Opcode::bmsk:
    return wrap ? visitOp<Bmsk<true>>(visit) : visitOp<Bmsk<false>>(visit);
  case Opcode::szext:
    return withFlag(isSigned(m.type()), [&](auto s) {
      return wrap ? visitOp<Szext<s(), true>>(visit)
                  : visitOp<Szext<s(), false>>(visit);
    });
  default:
    return dispatchBitField(m, visit) || dispatchLogic(m, visit);
  }
}

/// mov: `resultCount` and `sourceCount` tell packing (n, 1 or 1, n) from a
/// plain move.
template <class V>
bool dispatchMove(const Mnemonic &m, unsigned resultCount, unsigned sourceCount,
                  V &&visit) {
  using namespace detail;
  if (m.type() == Type::pred)
    return visitOp<MovPred>(visit);
  return withArithmeticWidth(m.type(), [&](auto w) {
    constexpr unsigned n = w();
    if (resultCount == 1 && sourceCount == 1)
      return visitOp<Mov<n>>(visit);
    if (resultCount == 1 && sourceCount == 2)
      return visitOp<Pack2<n>>(visit);
    if (resultCount == 2 && sourceCount == 1)
      return visitOp<Unpack2<n>>(visit);
    if constexpr (n > 16) {
      if (resultCount == 1 && sourceCount == 4)
        return visitOp<Pack4<n>>(visit);
      if (resultCount == 4 && sourceCount == 1)
        return visitOp<Unpack4<n>>(visit);
    }
    return false;
  });
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

namespace detail {

template <class F> bool withOrdered(Modifier modifier, F f) {
  switch (modifier) {
  case Modifier::eq:
    return f(Constant<Comparison::eq>());
  case Modifier::ne:
    return f(Constant<Comparison::ne>());
  case Modifier::lt:
  case Modifier::lo:
    return f(Constant<Comparison::lt>());
  case Modifier::le:
  case Modifier::ls:
    return f(Constant<Comparison::le>());
  case Modifier::gt:
  case Modifier::hi:
    return f(Constant<Comparison::gt>());
  case Modifier::ge:
  case Modifier::hs:
    return f(Constant<Comparison::ge>());
  default:
    return false;
  }
}

template <class F> bool withComparison(Modifier modifier, F f) {
  switch (modifier) {
  case Modifier::equ:
    return f(Constant<Comparison::equ>());
  case Modifier::neu:
    return f(Constant<Comparison::neu>());
  case Modifier::ltu:
    return f(Constant<Comparison::ltu>());
  case Modifier::leu:
    return f(Constant<Comparison::leu>());
  case Modifier::gtu:
    return f(Constant<Comparison::gtu>());
  case Modifier::geu:
    return f(Constant<Comparison::geu>());
  case Modifier::num:
    return f(Constant<Comparison::num>());
  case Modifier::nan:
    return f(Constant<Comparison::nan>());
  default:
    return withOrdered(modifier, f);
  }
}

template <class F> bool withBooleanOp(const Mnemonic &m, F f) {
  switch (m.find(ModifierGroup::booleanOp)) {
  case Modifier::and_:
    return f(Constant<BooleanOp::and_>());
  case Modifier::or_:
    return f(Constant<BooleanOp::or_>());
  case Modifier::xor_:
    return f(Constant<BooleanOp::xor_>());
  default:
    return false;
  }
}

/// The comparison is the first suffix; `.lo` and `.hi` count as one here.
inline Modifier comparisonOf(const Mnemonic &m) { return m.suffixes[0]; }

/// Calls `f` with the comparison class for values of `type`.
template <class F> bool withCompare(const Mnemonic &m, Type type, F f) {
  Modifier modifier = comparisonOf(m);
  if (isFloat(type) || isPackedType(type)) {
    return withComparison(modifier, [&](auto c) {
      return withFormat(type, [&](auto format) {
        if constexpr (format() == Format::f32 || format() == Format::f16)
          if (m.has(Modifier::ftz))
            return f(std::type_identity<FloatCompare<format(), c(), true>>());
        return f(std::type_identity<FloatCompare<format(), c(), false>>());
      });
    });
  }
  return withOrdered(modifier, [&](auto c) {
    return withArithmeticWidth(type, [&](auto w) {
      return withFlag(isSigned(type), [&](auto s) {
        return f(std::type_identity<IntegerCompare<w(), s(), c()>>());
      });
    });
  });
}

} // namespace detail

template <class V> bool dispatchSetp(const Mnemonic &m, V &&visit) {
  using namespace detail;
  bool isCombined = m.find(ModifierGroup::booleanOp) != Modifier::none;
  return withCompare(m, m.type(), [&](auto compare) {
    using Compare = typename decltype(compare)::type;
    if constexpr (Compare::width == 16) {
      if (isPackedType(m.type())) {
        if (!isCombined)
          return visitOp<SetpPacked<Compare>>(visit);
        return withBooleanOp(m, [&](auto op) {
          return visitOp<SetpPackedCombined<Compare, op()>>(visit);
        });
      }
      if (isFloat(m.type())) {
        if (!isCombined)
          return visitOp<Compare>(visit);
        return withBooleanOp(m, [&](auto op) {
          return visitOp<CompareCombined<Compare, op()>>(visit);
        });
      }
    }
    if (!isCombined)
      return visitOp<Setp<Compare>>(visit);
    return withBooleanOp(m, [&](auto op) {
      return visitOp<SetpCombined<Compare, op()>>(visit);
    });
  });
}

namespace detail {

/// Visits set with the given result, combined or not.
template <class Compare, unsigned N, std::uint64_t True, class V>
bool visitSet(const Mnemonic &m, V &&visit) {
  if (m.find(ModifierGroup::booleanOp) == Modifier::none)
    return visitOp<Set<Compare, N, True>>(visit);
  return withBooleanOp(m, [&](auto op) {
    return visitOp<SetCombined<Compare, op(), N, True>>(visit);
  });
}

/// As `visitSet` for the halves of a register.
template <class Compare, std::uint64_t True, class V>
bool visitPackedSet(const Mnemonic &m, V &&visit) {
  if (m.find(ModifierGroup::booleanOp) == Modifier::none)
    return visitOp<Packed2<Set<Compare, 16, True>>>(visit);
  return withBooleanOp(m, [&](auto op) {
    return visitOp<SetPackedCombined<Compare, op(), True>>(visit);
  });
}

} // namespace detail

template <class V> bool dispatchSet(const Mnemonic &m, V &&visit) {
  using namespace detail;
  constexpr std::uint64_t ones = ~std::uint64_t(0);
  return withCompare(m, m.type(1), [&](auto compare) {
    using Compare = typename decltype(compare)::type;
    Type to = m.type();
    if constexpr (Compare::width == 16) {
      if (isPackedType(m.type(1))) {
        if (to == Type::f16x2)
          return visitPackedSet<Compare, oneBits(Format::f16)>(m, visit);
        if (to == Type::bf16x2)
          return visitPackedSet<Compare, oneBits(Format::bf16)>(m, visit);
        return visitPackedSet<Compare, 0xffff>(m, visit);
      }
      if (to == Type::f16)
        return visitSet<Compare, 16, oneBits(Format::f16)>(m, visit);
      if (to == Type::bf16)
        return visitSet<Compare, 16, oneBits(Format::bf16)>(m, visit);
      if (bitWidth(to) == 16)
        return visitSet<Compare, 16, ones>(m, visit);
    }
    if (to == Type::f32)
      return visitSet<Compare, 32, oneBits(Format::f32)>(m, visit);
    return visitSet<Compare, 32, ones>(m, visit);
  });
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

namespace detail {

template <class F> bool withResultRules(const Mnemonic &m, F f) {
  bool ftz = m.has(Modifier::ftz);
  if (m.has(Modifier::sat))
    return ftz ? f(Constant<ResultRules{.ftz = true, .sat = true}>())
               : f(Constant<ResultRules{.sat = true}>());
  if (m.has(Modifier::relu))
    return ftz ? f(Constant<ResultRules{.ftz = true, .relu = true}>())
               : f(Constant<ResultRules{.relu = true}>());
  return ftz ? f(Constant<ResultRules{.ftz = true}>())
             : f(Constant<ResultRules{}>());
}

/// Visits the operation that `Make` names for format, rounding and rules,
/// on one number or on two halves.
template <template <Format, Rounding, ResultRules> class Op,
          template <class> class PackedOp, class V>
bool visitArithmetic(const Mnemonic &m, V &&visit) {
  return withFormat(m.type(), [&](auto format) {
    return withResultRules(m, [&](auto rules) {
      constexpr Format f = format();
      constexpr Rounding nearest = Rounding::nearestEven;
      if constexpr (widthOf(f) == 16)
        return isPackedType(m.type())
                   ? visitOp<PackedOp<Op<f, nearest, rules()>>>(visit)
                   : visitOp<Op<f, nearest, rules()>>(visit);
      else
        return withRounding(
            m, [&](auto r) { return visitOp<Op<f, r(), rules()>>(visit); });
    });
  });
}

/// As `visitArithmetic` for what only f32 and f64 have.
template <template <Format, Rounding, ResultRules> class Op, class V>
bool visitWideArithmetic(const Mnemonic &m, V &&visit) {
  return withFormat(m.type(), [&](auto format) {
    constexpr Format f = format();
    if constexpr (widthOf(f) >= 32)
      return withRounding(m, [&](auto r) {
        return withFlag(m.has(Modifier::ftz), [&](auto ftz) {
          constexpr ResultRules rules{.ftz = ftz()};
          return visitOp<Op<f, r(), rules>>(visit);
        });
      });
    else
      return false;
  });
}

template <ApproxFunction Function, class V>
bool visitApprox(const Mnemonic &m, V &&visit) {
  if (m.type() == Type::f64 && m.has(Modifier::ftz))
    return visitOp<FApproxHighWord<Function>>(visit);
  return withFormat(m.type(), [&](auto format) {
    return withFlag(m.has(Modifier::ftz), [&](auto ftz) {
      using Op = FApprox<format(), Function, ftz()>;
      if constexpr (widthOf(format()) == 16)
        if (isPackedType(m.type()))
          return visitOp<Packed1<Op>>(visit);
      return visitOp<Op>(visit);
    });
  });
}

template <template <Format, bool> class Op, class V>
bool visitSign(const Mnemonic &m, V &&visit) {
  return withFormat(m.type(), [&](auto format) {
    return withFlag(m.has(Modifier::ftz), [&](auto ftz) {
      if constexpr (widthOf(format()) == 16)
        if (isPackedType(m.type()))
          return visitOp<Packed1<Op<format(), ftz()>>>(visit);
      return visitOp<Op<format(), ftz()>>(visit);
    });
  });
}

template <class F> bool withMinMaxRules(const Mnemonic &m, F f) {
  return withFlag(m.opcode == Opcode::max, [&](auto isMax) {
    return withFlag(m.has(Modifier::ftz), [&](auto ftz) {
      return withFlag(m.has(Modifier::NaN), [&](auto nan) {
        return withFlag(m.has(Modifier::xorsign), [&](auto xorsign) {
          return f(Constant<MinMaxRules{isMax(), ftz(), nan(), xorsign()}>());
        });
      });
    });
  });
}

} // namespace detail

template <class V>
bool dispatchMinMax(const Mnemonic &m, unsigned sourceCount, V &&visit) {
  using namespace detail;
  return withFormat(m.type(), [&](auto format) {
    return withMinMaxRules(m, [&](auto rules) {
      using Op = FMinMax<format(), rules()>;
      if (sourceCount == 3)
        return visitOp<FMinMax3<format(), rules()>>(visit);
      if constexpr (widthOf(format()) == 16)
        if (isPackedType(m.type()))
          return visitOp<Packed2<Op>>(visit);
      return visitOp<Op>(visit);
    });
  });
}

template <class V> bool dispatchTestp(const Mnemonic &m, V &&visit) {
  using namespace detail;
  return withFormat(m.type(), [&](auto format) {
    constexpr Format f = format();
    switch (m.find(ModifierGroup::operation)) {
    case Modifier::finite:
      return visitOp<Testp<f, FloatClass::finite>>(visit);
    case Modifier::infinite:
      return visitOp<Testp<f, FloatClass::infinite>>(visit);
    case Modifier::number:
      return visitOp<Testp<f, FloatClass::number>>(visit);
    case Modifier::notanumber:
      return visitOp<Testp<f, FloatClass::notanumber>>(visit);
    case Modifier::normal:
      return visitOp<Testp<f, FloatClass::normal>>(visit);
    case Modifier::subnormal:
      return visitOp<Testp<f, FloatClass::subnormal>>(visit);
    default:
      return false;
    }
  });
}

template <class V> bool dispatchApprox(const Mnemonic &m, V &&visit) {
  using namespace detail;
  switch (m.opcode) {
  case Opcode::rcp:
    return visitApprox<ApproxFunction::reciprocal>(m, visit);
  case Opcode::sqrt:
    return visitApprox<ApproxFunction::squareRoot>(m, visit);
  case Opcode::rsqrt:
    return visitApprox<ApproxFunction::reciprocalSquareRoot>(m, visit);
  case Opcode::sin:
    return visitApprox<ApproxFunction::sine>(m, visit);
  case Opcode::cos:
    return visitApprox<ApproxFunction::cosine>(m, visit);
  case Opcode::lg2:
    return visitApprox<ApproxFunction::log2>(m, visit);
  case Opcode::ex2:
    return visitApprox<ApproxFunction::exp2>(m, visit);
  case Opcode::tanh:
    return visitApprox<ApproxFunction::tanh>(m, visit);
  default:
    return false;
  }
}

namespace detail {

/// Visits add, sub, mul and fma in single precision through `Wrap`, which
/// makes the operation of one on numbers.
template <class Wrap, class V> bool visitWrapped(const Mnemonic &m, V &&visit) {
  constexpr Format f32 = Format::f32;
  return withRounding(m, [&](auto r) {
    return withResultRules(m, [&](auto rules) {
      switch (m.opcode) {
      case Opcode::add:
        return visitOp<typename Wrap::template Two<FAdd<f32, r(), rules()>>>(
            visit);
      case Opcode::sub:
        return visitOp<typename Wrap::template Two<FSub<f32, r(), rules()>>>(
            visit);
      case Opcode::mul:
        return visitOp<typename Wrap::template Two<FMul<f32, r(), rules()>>>(
            visit);
      case Opcode::fma:
        return visitOp<typename Wrap::template Three<Fma<f32, r(), rules()>>>(
            visit);
      default:
        return false;
      }
    });
  });
}

template <class V> bool visitOutOfBoundsFma(const Mnemonic &m, V &&visit) {
  return withFormat(m.type(), [&](auto format) {
    constexpr Format f = format();
    if constexpr (widthOf(f) != 16)
      return false;
    else
      return withFlag(m.has(Modifier::relu), [&](auto relu) {
        constexpr ResultRules rules{.relu = relu()};
        using Op = FmaOutOfBounds<f, Fma<f, Rounding::nearestEven, rules>>;
        return isPackedType(m.type()) ? visitOp<Packed3<Op>>(visit)
                                      : visitOp<Op>(visit);
      });
  });
}

struct WrapHalves {
  template <class Op> using Two = PackedWide2<Op>;
  template <class Op> using Three = PackedWide3<Op>;
};
template <Format From> struct WrapMixed {
  template <class Op> using Two = MixedFirst<From, Op>;
  template <class Op> using Three = MixedFactors<From, Op>;
};

} // namespace detail

template <class V>
bool dispatchFloat(const Mnemonic &m, unsigned sourceCount, V &&visit) {
  using namespace detail;
  if (m.type() == Type::f32x2)
    return visitWrapped<WrapHalves>(m, visit);
  if (m.typeCount == 2)
    return m.type(1) == Type::f16
               ? visitWrapped<WrapMixed<Format::f16>>(m, visit)
               : visitWrapped<WrapMixed<Format::bf16>>(m, visit);
  if (m.has(Modifier::oob))
    return visitOutOfBoundsFma(m, visit);
  bool isApprox = m.has(Modifier::approx);
  switch (m.opcode) {
  case Opcode::add:
    return visitArithmetic<FAdd, Packed2>(m, visit);
  case Opcode::sub:
    return visitArithmetic<FSub, Packed2>(m, visit);
  case Opcode::mul:
    return visitArithmetic<FMul, Packed2>(m, visit);
  case Opcode::fma:
  case Opcode::mad:
    return visitArithmetic<Fma, Packed3>(m, visit);
  case Opcode::div: // .full is a bound that exact division keeps.
    if (isApprox)
      return m.has(Modifier::ftz) ? visitOp<FDivApprox<true>>(visit)
                                  : visitOp<FDivApprox<false>>(visit);
    return visitWideArithmetic<FDiv>(m, visit);
  case Opcode::rcp:
    return isApprox ? dispatchApprox(m, visit)
                    : visitWideArithmetic<FRcp>(m, visit);
  case Opcode::sqrt:
    return isApprox ? dispatchApprox(m, visit)
                    : visitWideArithmetic<FSqrt>(m, visit);
  case Opcode::abs:
    return visitSign<FAbs>(m, visit);
  case Opcode::neg:
    return visitSign<FNeg>(m, visit);
  case Opcode::min:
  case Opcode::max:
    return dispatchMinMax(m, sourceCount, visit);
  case Opcode::testp:
    return dispatchTestp(m, visit);
  case Opcode::copysign:
    return withFormat(m.type(), [&](auto format) {
      return visitOp<Copysign<format()>>(visit);
    });
  default:
    return dispatchApprox(m, visit);
  }
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

namespace detail {

template <class V> bool visitIntegerCvt(const Mnemonic &m, V &&visit) {
  return withWidth(m.type(0), [&](auto to) {
    return withFlag(isSigned(m.type(0)), [&](auto toSigned) {
      return withWidth(m.type(1), [&](auto from) {
        return withFlag(isSigned(m.type(1)), [&](auto fromSigned) {
          return withFlag(m.has(Modifier::sat), [&](auto sat) {
            return visitOp<
                ConvertInteger<to(), toSigned(), from(), fromSigned(), sat()>>(
                visit);
          });
        });
      });
    });
  });
}

template <class V> bool visitToIntegerCvt(const Mnemonic &m, V &&visit) {
  return withFormat(m.type(1), [&](auto from) {
    return withRounding(m, [&](auto r) {
      return withWidth(m.type(0), [&](auto to) {
        return withFlag(isSigned(m.type(0)), [&](auto s) {
          constexpr Format f = from();
          if constexpr (f == Format::f32)
            if (m.has(Modifier::ftz))
              return visitOp<ConvertToInteger<to(), s(), f, r(), true>>(visit);
          return visitOp<ConvertToInteger<to(), s(), f, r(), false>>(visit);
        });
      });
    });
  });
}

template <class V> bool visitFromIntegerCvt(const Mnemonic &m, V &&visit) {
  return withFormat(m.type(0), [&](auto to) {
    return withRounding(m, [&](auto r) {
      return withWidth(m.type(1), [&](auto from) {
        return withFlag(isSigned(m.type(1)), [&](auto s) {
          return withFlag(m.has(Modifier::sat), [&](auto sat) {
            return visitOp<ConvertFromInteger<to(), from(), s(), r(), sat()>>(
                visit);
          });
        });
      });
    });
  });
}

template <class V> bool visitFloatCvt(const Mnemonic &m, V &&visit) {
  bool isIntegral = m.find(ModifierGroup::integerRounding) != Modifier::none;
  return withFormat(m.type(0), [&](auto to) {
    return withFormat(m.type(1), [&](auto from) {
      return withRounding(m, [&](auto r) {
        return withResultRules(m, [&](auto rules) {
          constexpr Format t = to(), f = from();
          if constexpr (t == f)
            if (isIntegral)
              return visitOp<RoundToIntegral<t, r(), rules()>>(visit);
          using Convert = ConvertFloat<t, f, r(), rules()>;
          if constexpr (widthOf(t) == 16 && f == Format::f32) {
            if (m.has(Modifier::satfinite))
              return isPackedType(m.type(0))
                         ? visitOp<ConvertPair<SaturateFinite<Convert, t, f>>>(
                               visit)
                         : visitOp<SaturateFinite<Convert, t, f>>(visit);
            if (isPackedType(m.type(0)))
              return visitOp<ConvertPair<Convert>>(visit);
          }
          return visitOp<Convert>(visit);
        });
      });
    });
  });
}

template <class V> bool visitTf32Cvt(const Mnemonic &m, V &&visit) {
  return withFlag(m.has(Modifier::relu), [&](auto relu) {
    return withFlag(m.has(Modifier::satfinite), [&](auto satFinite) {
      constexpr bool r = relu(), s = satFinite();
      switch (roundingOf(m)) {
      case Rounding::nearestAway:
        return visitOp<ConvertToTf32<Rounding::nearestAway, r, s>>(visit);
      case Rounding::towardZero:
        return visitOp<ConvertToTf32<Rounding::towardZero, r, s>>(visit);
      default:
        return visitOp<ConvertToTf32<Rounding::nearestEven, r, s>>(visit);
      }
    });
  });
}

template <class F> bool withMiniFormat(Type type, F f) {
  switch (type) {
  case Type::e4m3x2:
    return f(Constant<e4m3>());
  case Type::e5m2x2:
    return f(Constant<e5m2>());
  case Type::e3m2x2:
    return f(Constant<e3m2>());
  case Type::e2m3x2:
    return f(Constant<e2m3>());
  case Type::e2m1x2:
    return f(Constant<e2m1>());
  default:
    return false;
  }
}

/// From and to two numbers of 8 bits or fewer.
template <class V> bool visitMiniCvt(const Mnemonic &m, V &&visit) {
  return withFlag(m.has(Modifier::relu), [&](auto relu) {
    if (m.type(0) == Type::f16x2)
      return withMiniFormat(m.type(1), [&](auto from) {
        return visitOp<ConvertFromMini<from(), relu()>>(visit);
      });
    return withMiniFormat(m.type(0), [&](auto to) {
      return m.type(1) == Type::f16x2
                 ? visitOp<ConvertHalvesToMini<to(), relu()>>(visit)
                 : visitOp<ConvertToMini<to(), relu()>>(visit);
    });
  });
}

template <class V> bool visitPowerCvt(const Mnemonic &m, V &&visit) {
  if (m.type(1) == Type::ue8m0x2)
    return visitOp<ConvertFromPowers>(visit);
  return withFlag(m.has(Modifier::rp), [&](auto up) {
    return withFlag(m.has(Modifier::satfinite), [&](auto satFinite) {
      return m.type(1) == Type::bf16x2
                 ? visitOp<ConvertHalvesToPowers<up(), satFinite()>>(visit)
                 : visitOp<ConvertToPowers<up(), satFinite()>>(visit);
    });
  });
}

inline bool isMiniPair(Type type) {
  return withMiniFormat(type, [](auto) { return true; });
}

} // namespace detail

template <class V> bool dispatchCvtPack(const Mnemonic &m, V &&visit) {
  using namespace detail;
  switch (m.type()) {
  case Type::u16:
    return visitOp<CvtPack16<false>>(visit);
  case Type::s16:
    return visitOp<CvtPack16<true>>(visit);
  case Type::u8:
    return visitOp<CvtPackSmall<8, false>>(visit);
  case Type::s8:
    return visitOp<CvtPackSmall<8, true>>(visit);
  case Type::u4:
    return visitOp<CvtPackSmall<4, false>>(visit);
  case Type::s4:
    return visitOp<CvtPackSmall<4, true>>(visit);
  case Type::u2:
    return visitOp<CvtPackSmall<2, false>>(visit);
  case Type::s2:
    return visitOp<CvtPackSmall<2, true>>(visit);
  default:
    return false;
  }
}

template <class V> bool dispatchConvert(const Mnemonic &m, V &&visit) {
  using namespace detail;
  if (m.opcode == Opcode::cvt_pack)
    return dispatchCvtPack(m, visit);
  if (m.has(Modifier::rs))
    return false;
  if (m.type(0) == Type::tf32)
    return visitTf32Cvt(m, visit);
  if (isMiniPair(m.type(0)) || isMiniPair(m.type(1)))
    return visitMiniCvt(m, visit);
  if (m.type(0) == Type::ue8m0x2 || m.type(1) == Type::ue8m0x2)
    return visitPowerCvt(m, visit);
  bool toInteger = isInteger(m.type(0)), fromInteger = isInteger(m.type(1));
  if (toInteger && fromInteger)
    return visitIntegerCvt(m, visit);
  if (toInteger)
    return visitToIntegerCvt(m, visit);
  if (fromInteger)
    return visitFromIntegerCvt(m, visit);
  return visitFloatCvt(m, visit);
}

} // namespace tessera::ptx::semantics

#endif // TESSERA_PTX_SEMANTICS_DISPATCH_H
