// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic access to objects in global or shared memory; works on the host too.
//
// PTX ISA: atom, red, and ld, st with .relaxed, .acquire, .release.

#ifndef TESSERA_DEVICE_ATOMIC_H
#define TESSERA_DEVICE_ATOMIC_H

#include <atomic>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include <tessera/device/detail.h>

namespace tessera {

/// Which threads an operation is atomic with respect to.
enum class thread_scope : int {
  system = 0, ///< all threads of the host and its devices
  device = 1, ///< all threads of the device
  block = 2,  ///< all threads of the block
};

namespace detail {

template <class T>
concept atomic_integer =
    std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;

template <class T>
concept atomic_number =
    atomic_integer<T> || std::same_as<T, float> || std::same_as<T, double>;

/// The unsigned integer that stands for an object of `Size` bytes where only
/// its bytes matter.
template <std::size_t Size> struct atomic_bits;
template <> struct atomic_bits<1> {
  using type [[gnu::may_alias]] = unsigned char;
};
template <> struct atomic_bits<2> {
  using type [[gnu::may_alias]] = unsigned short;
};
template <> struct atomic_bits<4> {
  using type [[gnu::may_alias]] = unsigned int;
};
template <> struct atomic_bits<8> {
  using type [[gnu::may_alias]] = unsigned long long;
};

/// The order of the load when a compare-exchange of order `order` fails.
constexpr std::memory_order failure_order(std::memory_order order) {
  if (order == std::memory_order_acq_rel)
    return std::memory_order_acquire;
  if (order == std::memory_order_release)
    return std::memory_order_relaxed;
  return order;
}

} // namespace detail

// The scope of the atomic instructions in a function. A compiler that does not
// read it gives them system scope, which is right for every scope.
#define TESSERA_SCOPE                                                          \
  TESSERA_ANNOTATE("tessera.scope", static_cast<int>(Scope)) TESSERA_FORWARD

/// Atomic operations on an object that lives elsewhere, like
/// cuda::atomic_ref. The object must be aligned to its size; as long as
/// references to it are in use, it must be accessed through them only.
/// Padding within `T` takes part in comparisons.
///
/// Numbers are float, double and the integers other than bool. Integers wrap.
template <class T, thread_scope Scope = thread_scope::device> class atomic_ref {
  static_assert(std::is_trivially_copyable_v<T>,
                "tessera: an atomic object must be trivially copyable");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 ||
                    sizeof(T) == 8,
                "tessera: an atomic object has 1, 2, 4 or 8 bytes");

public:
  using value_type = T;
  static constexpr std::size_t required_alignment = sizeof(T);

  TESSERA_FORWARD explicit atomic_ref(T &object) : object_(&object) {}

  TESSERA_SCOPE T
  load(std::memory_order order = std::memory_order_seq_cst) const {
    return __builtin_bit_cast(
        T, __atomic_load_n(place(), static_cast<int>(order)));
  }

  TESSERA_SCOPE void
  store(T value, std::memory_order order = std::memory_order_seq_cst) const {
    __atomic_store_n(place(), __builtin_bit_cast(bits, value),
                     static_cast<int>(order));
  }

  /// Stores `value`; returns what was there.
  TESSERA_SCOPE T
  exchange(T value, std::memory_order order = std::memory_order_seq_cst) const {
    return __builtin_bit_cast(
        T, __atomic_exchange_n(place(), __builtin_bit_cast(bits, value),
                               static_cast<int>(order)));
  }

  /// Stores `desired` if the object's bytes equal those of `expected`;
  /// otherwise loads the object into `expected`. Returns whether it stored.
  /// The weak form may fail without a reason.
  TESSERA_FORWARD bool
  compare_exchange_strong(T &expected, T desired, std::memory_order success,
                          std::memory_order failure) const {
    return compare_exchange(expected, desired, false, success, failure);
  }
  TESSERA_FORWARD bool compare_exchange_weak(T &expected, T desired,
                                             std::memory_order success,
                                             std::memory_order failure) const {
    return compare_exchange(expected, desired, true, success, failure);
  }
  TESSERA_FORWARD bool compare_exchange_strong(
      T &expected, T desired,
      std::memory_order order = std::memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, order,
                                   detail::failure_order(order));
  }
  TESSERA_FORWARD bool compare_exchange_weak(
      T &expected, T desired,
      std::memory_order order = std::memory_order_seq_cst) const {
    return compare_exchange_weak(expected, desired, order,
                                 detail::failure_order(order));
  }

  /// Each of these replaces the value by its combination with `operand` and
  /// returns the value before.
  TESSERA_SCOPE T fetch_add(
      T operand, std::memory_order order = std::memory_order_seq_cst) const
    requires detail::atomic_number<T>
  {
#ifdef __clang__
    return __atomic_fetch_add(object_, operand, static_cast<int>(order));
#else
    return update(order, [=](T value) { return value + operand; });
#endif
  }

  TESSERA_SCOPE T fetch_sub(
      T operand, std::memory_order order = std::memory_order_seq_cst) const
    requires detail::atomic_number<T>
  {
#ifdef __clang__
    return __atomic_fetch_sub(object_, operand, static_cast<int>(order));
#else
    return update(order, [=](T value) { return value - operand; });
#endif
  }

  TESSERA_SCOPE T fetch_min(
      T operand, std::memory_order order = std::memory_order_seq_cst) const
    requires detail::atomic_number<T>
  {
#ifdef __clang__
    return __atomic_fetch_min(object_, operand, static_cast<int>(order));
#else
    return update(order,
                  [=](T value) { return operand < value ? operand : value; });
#endif
  }

  TESSERA_SCOPE T fetch_max(
      T operand, std::memory_order order = std::memory_order_seq_cst) const
    requires detail::atomic_number<T>
  {
#ifdef __clang__
    return __atomic_fetch_max(object_, operand, static_cast<int>(order));
#else
    return update(order,
                  [=](T value) { return value < operand ? operand : value; });
#endif
  }

  TESSERA_SCOPE T fetch_and(
      T operand, std::memory_order order = std::memory_order_seq_cst) const
    requires detail::atomic_integer<T>
  {
    return __atomic_fetch_and(object_, operand, static_cast<int>(order));
  }

  TESSERA_SCOPE T
  fetch_or(T operand, std::memory_order order = std::memory_order_seq_cst) const
    requires detail::atomic_integer<T>
  {
    return __atomic_fetch_or(object_, operand, static_cast<int>(order));
  }

  TESSERA_SCOPE T fetch_xor(
      T operand, std::memory_order order = std::memory_order_seq_cst) const
    requires detail::atomic_integer<T>
  {
    return __atomic_fetch_xor(object_, operand, static_cast<int>(order));
  }

private:
  using bits = typename detail::atomic_bits<sizeof(T)>::type;

  TESSERA_FORWARD bits *place() const {
    return reinterpret_cast<bits *>(object_);
  }

  TESSERA_SCOPE bool compare_exchange(T &expected, T desired, bool weak,
                                      std::memory_order success,
                                      std::memory_order failure) const {
    bits found = __builtin_bit_cast(bits, expected);
    const bool stored = __atomic_compare_exchange_n(
        place(), &found, __builtin_bit_cast(bits, desired), weak,
        static_cast<int>(success), static_cast<int>(failure));
    expected = __builtin_bit_cast(T, found);
    return stored;
  }

#ifndef __clang__
  /// For compilers whose builtins lack floating point, minimum and maximum.
  template <class Combine>
  T update(std::memory_order order, Combine combine) const {
    T expected = load(std::memory_order_relaxed);
    while (!compare_exchange_weak(expected, static_cast<T>(combine(expected)),
                                  order, detail::failure_order(order)))
      ;
    return expected;
  }
#endif

  T *object_;
};

#undef TESSERA_SCOPE

} // namespace tessera

#endif // TESSERA_DEVICE_ATOMIC_H
