// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `atom` and `red`. Lanes take part in rising order. Numbers of up to 64 bits
// are changed by atomic operations of the host, so that host threads may share
// mapped memory with a kernel; 128-bit ones are atomic among the threads of the
// launch only. The elements of a vector are separate atomics.

#include "vgpu/access.h"
#include "vgpu/async/transfer.h"
#include "vgpu/half.h"
#include "vgpu/handlers.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <mutex>
#include <type_traits>

using namespace tessera::vgpu;
using tessera::ptx::Modifier;
using tessera::ptx::Type;

namespace {

using Wide = unsigned __int128;

/// Replaces the value at `at` by `change(value)`; returns the old one.
template <class Bits, class Change> Bits modify(std::byte *at, Change change) {
  if constexpr (std::is_same_v<Bits, Wide>) {
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    Wide old;
    std::memcpy(&old, at, sizeof(old));
    const Wide next = change(old);
    std::memcpy(at, &next, sizeof(next));
    return old;
  } else {
    std::atomic_ref<Bits> value(*reinterpret_cast<Bits *>(at));
    Bits old = value.load();
    while (!value.compare_exchange_weak(old, change(old)))
      ;
    return old;
  }
}

/// Two numbers of half the width, by `single` on each.
template <class Single> struct Pair {
  using Bits = std::uint32_t;
  static Bits apply(Bits a, Bits b) {
    const std::uint32_t low = Single::apply(std::uint16_t(a), std::uint16_t(b));
    const std::uint32_t high =
        Single::apply(std::uint16_t(a >> 16), std::uint16_t(b >> 16));
    return low | high << 16;
  }
};

template <class Number> struct Add {
  using Bits = std::conditional_t<
      sizeof(Number) == 8, std::uint64_t,
      std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint16_t>>;
  static Bits apply(Bits a, Bits b) {
    if constexpr (std::is_same_v<Number, float>)
      return std::bit_cast<Bits>(
          canonical(std::bit_cast<float>(a) + std::bit_cast<float>(b)));
    else if constexpr (std::is_same_v<Number, double>)
      return std::bit_cast<Bits>(std::bit_cast<double>(a) +
                                 std::bit_cast<double>(b));
    else
      return Bits(a + b);
  }
  /// In global memory single precision flushes denormal operands and results
  /// (PTX ISA, atom), and a NaN in double precision is stored as it is, of two
  /// the operand (H200).
  static Bits applyGlobal(Bits a, Bits b)
    requires std::is_floating_point_v<Number>
  {
    if constexpr (std::is_same_v<Number, float>)
      return flushed(apply(flushed(a), flushed(b)));
    const auto isNan = [](Bits bits) {
      return std::isnan(std::bit_cast<Number>(bits));
    };
    return isNan(b) ? b : isNan(a) ? a : apply(a, b);
  }

private:
  /// Single-precision results that are no number have one bit pattern.
  static float canonical(float value) {
    return value == value ? value : std::bit_cast<float>(0x7fffffffu);
  }
  static Bits flushed(Bits bits) {
    constexpr Bits exponent = 0x7f800000, sign = 0x80000000;
    return (bits & exponent) == 0 ? bits & sign : bits;
  }
};

template <class Format> struct HalfAdd {
  using Bits = std::uint16_t;
  static Bits apply(Bits a, Bits b) { return Format::add(a, b); }
};
template <class Format> struct HalfMin {
  using Bits = std::uint16_t;
  static Bits apply(Bits a, Bits b) { return Format::min(a, b); }
};
template <class Format> struct HalfMax {
  using Bits = std::uint16_t;
  static Bits apply(Bits a, Bits b) { return Format::max(a, b); }
};

template <class Number> struct Min {
  using Bits = std::make_unsigned_t<Number>;
  static Bits apply(Bits a, Bits b) {
    return Bits(std::min(Number(a), Number(b)));
  }
};
template <class Number> struct Max {
  using Bits = std::make_unsigned_t<Number>;
  static Bits apply(Bits a, Bits b) {
    return Bits(std::max(Number(a), Number(b)));
  }
};
template <class Number> struct And {
  using Bits = Number;
  static Bits apply(Bits a, Bits b) { return a & b; }
};
template <class Number> struct Or {
  using Bits = Number;
  static Bits apply(Bits a, Bits b) { return a | b; }
};
template <class Number> struct Xor {
  using Bits = Number;
  static Bits apply(Bits a, Bits b) { return a ^ b; }
};
template <class Number> struct Exchange {
  using Bits = Number;
  static Bits apply(Bits, Bits b) { return b; }
};
struct Increment {
  using Bits = std::uint32_t;
  static Bits apply(Bits a, Bits b) { return a >= b ? 0 : a + 1; }
};
struct Decrement {
  using Bits = std::uint32_t;
  static Bits apply(Bits a, Bits b) { return a == 0 || a > b ? b : a - 1; }
};

/// The executing lanes whose address lies in shared memory.
std::uint32_t sharedLanes(Warp &warp, const Instr &instr) {
  if (instr.space == MemorySpace::shared ||
      instr.space == MemorySpace::sharedCluster)
    return warp.exec;
  if (instr.space != MemorySpace::generic)
    return 0;
  std::uint64_t addresses[warpSize];
  computeAddresses(warp, instr, addresses);
  std::uint32_t lanes = 0;
  for (unsigned lane : LanesOf(warp.exec))
    if (window::contains(window::shared, addresses[lane]))
      lanes |= std::uint32_t(1) << lane;
  return lanes;
}

/// `slots[detail]` and on: `width` sources, then as many results or none.
template <class Operation>
const Instr *executeAtomic(Warp &warp, const Instr &instr) {
  using Bits = Operation::Bits;
  Access access;
  if (!resolveAccess(warp, instr, sizeof(Bits) * instr.width,
                     AccessKind::atomic, access))
    return nullptr;
  const Slot *sources =
      warp.current->frame->function->slots.data() + instr.detail;
  const Slot *results = sources + instr.width;
  constexpr bool hasGlobalRule =
      requires(Bits value) { Operation::applyGlobal(value, value); };
  [[maybe_unused]] std::uint32_t shared = 0;
  if constexpr (hasGlobalRule)
    shared = sharedLanes(warp, instr);
  for (unsigned lane : LanesOf(warp.exec))
    for (unsigned element = 0; element < instr.width; ++element) {
      const Bits operand = warp.lanes<Bits>(sources[element])[lane];
      const Bits old = modify<Bits>(
          access.at[lane] + element * sizeof(Bits), [&](Bits value) {
            if constexpr (hasGlobalRule)
              if ((shared >> lane & 1) == 0)
                return Operation::applyGlobal(value, operand);
            return Operation::apply(value, operand);
          });
      if (results[element])
        warp.lanes<Bits>(results[element])[lane] = old;
    }
  return &instr + 1;
}

/// The source is the new value, b the one to compare with.
template <class Bits>
const Instr *executeCompareAndSwap(Warp &warp, const Instr &instr) {
  Access access;
  if (!resolveAccess(warp, instr, sizeof(Bits), AccessKind::atomic, access))
    return nullptr;
  const Slot *slots =
      warp.current->frame->function->slots.data() + instr.detail;
  for (unsigned lane : LanesOf(warp.exec)) {
    const Bits wanted = warp.lanes<Bits>(instr.b)[lane];
    const Bits next = warp.lanes<Bits>(slots[0])[lane];
    const Bits old = modify<Bits>(access.at[lane], [&](Bits value) {
      return value == wanted ? next : value;
    });
    if (slots[1])
      warp.lanes<Bits>(slots[1])[lane] = old;
  }
  return &instr + 1;
}

/// Combines numbers in memory with others, one by one.
template <class Operation>
void combineAll(std::byte *to, const std::byte *from, std::size_t bytes) {
  using Bits = Operation::Bits;
  for (std::size_t i = 0; i + sizeof(Bits) <= bytes; i += sizeof(Bits)) {
    Bits operand;
    std::memcpy(&operand, from + i, sizeof(Bits));
    modify<Bits>(to + i,
                 [&](Bits value) { return Operation::apply(value, operand); });
  }
}

/// What is done with an operation: by an instruction, or asynchronously.
struct AtomicFunctions {
  Handler handler = nullptr;
  Combine combine = nullptr;
};

template <class Operation>
constexpr AtomicFunctions functionsOf{&executeAtomic<Operation>,
                                      &combineAll<Operation>};

AtomicFunctions addFunctions(Type type) {
  switch (type) {
  case Type::u32:
  case Type::s32:
    return functionsOf<Add<std::uint32_t>>;
  case Type::u64:
  case Type::s64:
    return functionsOf<Add<std::uint64_t>>;
  case Type::f32:
    return functionsOf<Add<float>>;
  case Type::f64:
    return functionsOf<Add<double>>;
  case Type::f16:
    return functionsOf<HalfAdd<Float16>>;
  case Type::bf16:
    return functionsOf<HalfAdd<BFloat16>>;
  case Type::f16x2:
    return functionsOf<Pair<HalfAdd<Float16>>>;
  case Type::bf16x2:
    return functionsOf<Pair<HalfAdd<BFloat16>>>;
  default:
    return {};
  }
}

template <template <class> class Integer, template <class> class Half>
AtomicFunctions orderFunctions(Type type) {
  switch (type) {
  case Type::u32:
    return functionsOf<Integer<std::uint32_t>>;
  case Type::s32:
    return functionsOf<Integer<std::int32_t>>;
  case Type::u64:
    return functionsOf<Integer<std::uint64_t>>;
  case Type::s64:
    return functionsOf<Integer<std::int64_t>>;
  case Type::f16:
    return functionsOf<Half<Float16>>;
  case Type::bf16:
    return functionsOf<Half<BFloat16>>;
  case Type::f16x2:
    return functionsOf<Pair<Half<Float16>>>;
  case Type::bf16x2:
    return functionsOf<Pair<Half<BFloat16>>>;
  default:
    return {};
  }
}

template <template <class> class Operation>
AtomicFunctions bitsFunctions(Type type) {
  switch (tessera::ptx::bitWidth(type)) {
  case 32:
    return functionsOf<Operation<std::uint32_t>>;
  case 64:
    return functionsOf<Operation<std::uint64_t>>;
  case 128:
    return functionsOf<Operation<Wide>>;
  default:
    return {};
  }
}

Handler compareAndSwapHandler(Type type) {
  switch (tessera::ptx::bitWidth(type)) {
  case 16:
    return &executeCompareAndSwap<std::uint16_t>;
  case 32:
    return &executeCompareAndSwap<std::uint32_t>;
  case 64:
    return &executeCompareAndSwap<std::uint64_t>;
  case 128:
    return &executeCompareAndSwap<Wide>;
  default:
    return nullptr;
  }
}

AtomicFunctions functions(Modifier operation, Type type) {
  switch (operation) {
  case Modifier::add:
    return addFunctions(type);
  case Modifier::min:
    return orderFunctions<Min, HalfMin>(type);
  case Modifier::max:
    return orderFunctions<Max, HalfMax>(type);
  case Modifier::inc:
    return functionsOf<Increment>;
  case Modifier::dec:
    return functionsOf<Decrement>;
  case Modifier::and_:
    return bitsFunctions<And>(type);
  case Modifier::or_:
    return bitsFunctions<Or>(type);
  case Modifier::xor_:
    return bitsFunctions<Xor>(type);
  case Modifier::exch:
    return bitsFunctions<Exchange>(type);
  default:
    return {};
  }
}

} // namespace

Handler tessera::vgpu::atomicHandler(ptx::Modifier operation, ptx::Type type) {
  return operation == Modifier::cas ? compareAndSwapHandler(type)
                                    : functions(operation, type).handler;
}

Combine tessera::vgpu::combineFunction(ptx::Modifier operation,
                                       ptx::Type type) {
  return functions(operation, type).combine;
}
