// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an argument of tessera::launch becomes a parameter of a kernel.

#ifndef TESSERA_DETAIL_ARGUMENT_H
#define TESSERA_DETAIL_ARGUMENT_H

#include <tessera/buffer.h>

#include <cstddef>
#include <limits>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tessera {

template <class T> class span;
template <class T> class disjoint_span;

namespace detail {

/// The name of a type, for messages.
template <class T> constexpr std::string_view type_name() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;
  constexpr std::size_t begin = text.find("T = ") + 4;
#ifdef __clang__
  constexpr std::size_t end = text.rfind(']');
#else
  constexpr std::size_t end = text.rfind("; std::string_view");
#endif
  return text.substr(begin, end - begin);
}

/// What the library needs to know of one argument.
enum class argument_kind : unsigned char {
  value,          ///< bytes
  pointer,        ///< a device address
  slice,          ///< {address, length}
  disjoint_slice, ///< {address, length}
  buffer,         ///< {address, length}; the address alone where that fits
};
struct argument {
  const void *bytes;
  std::size_t size;
  std::size_t alignment;
  argument_kind kind;
  std::size_t element_size;          ///< 0 for values
  const runtime::DeviceState *owner; ///< of a buffer's memory, else null
  std::string_view type;
};

/// How device code receives a span or buffer.
struct slice_bytes {
  const void *address;
  std::size_t length;
};

template <class T> struct slice_traits {
  static constexpr bool is_slice = false;
};
template <class T> struct slice_traits<span<T>> {
  static constexpr bool is_slice = true;
  static constexpr argument_kind kind = argument_kind::slice;
  using element = T;
};
template <class T> struct slice_traits<disjoint_span<T>> {
  static constexpr bool is_slice = true;
  static constexpr argument_kind kind = argument_kind::disjoint_slice;
  using element = T;
};
template <class T> inline constexpr bool is_slice = slice_traits<T>::is_slice;

template <class T> inline constexpr bool is_buffer = false;
template <class T> inline constexpr bool is_buffer<buffer<T>> = true;

/// The size of what a pointer type points to, 0 where that has none.
template <class Pointer> constexpr std::size_t pointee_size() {
  using Pointee = std::remove_pointer_t<Pointer>;
  if constexpr (!std::is_object_v<Pointee>)
    return 0;
  else if constexpr (requires { sizeof(Pointee); })
    return sizeof(Pointee);
  else
    return 0;
}

/// What the elements of a buffer are for a launch: const when the buffer is.
template <class Buffer>
using buffer_element =
    std::remove_pointer_t<decltype(std::declval<Buffer &>().data())>;

template <class From, class To>
inline constexpr bool same_elements =
    std::is_convertible_v<From (*)[], To (*)[]>;

/// Whether every value of the arithmetic type `From` is one of `To`.
template <class From, class To> constexpr bool fits_always() {
  if constexpr (std::is_same_v<From, To>)
    return true;
  else if constexpr (std::is_same_v<To, bool>)
    return false;
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return false;
  else
    return std::numeric_limits<From>::digits <=
               std::numeric_limits<To>::digits &&
           (!std::is_signed_v<From> || std::is_signed_v<To>);
}

/// Whether a value of `From` may be checked when the program runs: an integer,
/// whose type alone cannot tell a literal from a variable. Floating-point
/// values are not: 0.1 never equals 0.1f.
template <class From, class To>
inline constexpr bool is_checked_by_value =
    std::is_integral_v<From> && std::is_arithmetic_v<To> &&
    !std::is_same_v<To, bool> && !std::is_same_v<From, bool>;

/// What keeps an argument from being a parameter.
enum class mismatch {
  none,
  host_array,      ///< an array of the host where the device needs memory
  not_a_buffer,    ///< something else for a span
  other_elements,  ///< buffer or span of another element type, or const
  buffer_as_value, ///< a buffer for a number or structure
  narrowing,
  unrelated,
};

template <class Param, class Arg> constexpr mismatch find_mismatch() {
  using Given = std::remove_reference_t<Arg>;
  using Value = std::remove_cv_t<Given>;
  if constexpr (is_slice<Param>) {
    using Element = typename slice_traits<Param>::element;
    if constexpr (is_buffer<Value>)
      return same_elements<buffer_element<Given>, Element>
                 ? mismatch::none
                 : mismatch::other_elements;
    else if constexpr (is_slice<Value>)
      return std::is_convertible_v<Given &, Param> ? mismatch::none
                                                   : mismatch::other_elements;
    else
      return mismatch::not_a_buffer;
  } else if constexpr (std::is_pointer_v<Param>) {
    if constexpr (std::is_array_v<Given>)
      return mismatch::host_array;
    else if constexpr (is_buffer<Value>)
      return std::is_convertible_v<buffer_element<Given> *, Param>
                 ? mismatch::none
                 : mismatch::other_elements;
    else
      return std::is_convertible_v<Given &, Param> ? mismatch::none
                                                   : mismatch::unrelated;
  } else if constexpr (is_buffer<Value>) {
    return mismatch::buffer_as_value;
  } else if constexpr (std::is_arithmetic_v<Param> &&
                       std::is_arithmetic_v<Value>) {
    return fits_always<Value, Param>() || is_checked_by_value<Value, Param>
               ? mismatch::none
               : mismatch::narrowing;
  } else if constexpr (std::is_arithmetic_v<Param> && !std::is_class_v<Value>) {
    // Enumerations and pointers: what braces accept.
    if constexpr (requires(Given &value) { Param{value}; })
      return std::is_same_v<Param, bool> ? mismatch::unrelated : mismatch::none;
    else
      return std::is_convertible_v<Given &, Param> ? mismatch::narrowing
                                                   : mismatch::unrelated;
  } else {
    return std::is_convertible_v<Arg, Param> ? mismatch::none
                                             : mismatch::unrelated;
  }
}

template <class Param>
inline constexpr bool can_be_parameter =
    !std::is_reference_v<Param> && std::is_trivially_copyable_v<Param> &&
    !std::is_function_v<std::remove_pointer_t<Param>>;

template <class Param, class Arg>
inline constexpr bool is_argument_for =
    can_be_parameter<Param> && find_mismatch<Param, Arg>() == mismatch::none;

/// Checks argument number `Position` (from 1). The type of the parameter and
/// of the argument are in the compiler's note about this instantiation. An
/// argument converts to
///   - span and disjoint_span: from a buffer or span of the same elements;
///   - a pointer: from a buffer of the same elements or a device pointer;
///   - a number: from a number whose type fits, and from any integer, whose
///     value is then checked by the launch; `double` to `float` and floating
///     point to integer are refused;
///   - another type: as C++ converts implicitly.
template <std::size_t Position, class Param, class Arg> struct argument_check {
  static_assert(!std::is_reference_v<Param>,
                "tessera::launch: a parameter of the kernel is a reference, "
                "which cannot be passed to a device; use a value, a pointer or "
                "a span");
  static_assert(std::is_reference_v<Param> ||
                    std::is_trivially_copyable_v<Param>,
                "tessera::launch: a parameter of the kernel is not trivially "
                "copyable, so it cannot be passed to a device");
  static_assert(!std::is_function_v<std::remove_pointer_t<Param>>,
                "tessera::launch: a parameter of the kernel points to a "
                "function, and the host's functions are not on the device");
  static constexpr bool is_passable = can_be_parameter<Param>;
  static constexpr mismatch found = find_mismatch<Param, Arg>();
  static_assert(!is_passable || found != mismatch::host_array,
                "tessera::launch: an argument is an array in host memory; copy "
                "it with tessera::buffer<T>::from_host and pass the buffer");
  static_assert(!is_passable || found != mismatch::not_a_buffer,
                "tessera::launch: the kernel takes a span here; pass a "
                "tessera::buffer, or a tessera::span of device memory");
  static_assert(!is_passable || found != mismatch::other_elements,
                "tessera::launch: the elements of a buffer or span have "
                "another type than the kernel's parameter, or are const");
  static_assert(!is_passable || found != mismatch::buffer_as_value,
                "tessera::launch: an argument is a buffer, but the kernel's "
                "parameter is neither a pointer nor a span");
  static_assert(!is_passable || found != mismatch::narrowing,
                "tessera::launch: an argument would be narrowed (a "
                "floating-point number to a smaller type or an integer, or "
                "anything to bool); write the parameter's type, as in 2.0f, or "
                "a static_cast");
  static_assert(!is_passable || found != mismatch::unrelated,
                "tessera::launch: an argument does not convert to the kernel's "
                "parameter");

  static constexpr void check() {}
};

/// Throws: `value` of argument number `position` changes in the conversion.
[[noreturn]] void throw_value_changes(std::size_t position, std::string value,
                                      std::string_view from,
                                      std::string_view to,
                                      std::source_location where);

template <class Param, class Arg>
Param to_number(std::size_t position, Arg value, std::source_location where) {
  const auto result = static_cast<Param>(value);
  if constexpr (!fits_always<Arg, Param>()) {
    // The 64 bits of its significand hold every integer.
    static_assert(std::numeric_limits<long double>::digits >= 64);
    if (static_cast<long double>(result) != static_cast<long double>(value))
      throw_value_changes(position, std::to_string(value), type_name<Arg>(),
                          type_name<Param>(), where);
  }
  return result;
}

template <class Param, class Arg>
Param to_parameter(std::size_t position, Arg &value,
                   std::source_location where) {
  using Value = std::remove_cv_t<Arg>;
  if constexpr (is_buffer<Value> && is_slice<Param>)
    return Param(value.data(), value.size());
  else if constexpr (is_buffer<Value>)
    return value.data();
  else if constexpr (std::is_arithmetic_v<Param> && std::is_arithmetic_v<Value>)
    return to_number<Param, Value>(position, value, where);
  else
    return static_cast<Param>(value);
}

template <class T> const runtime::DeviceState *owner_of(const T &value) {
  if constexpr (is_buffer<T>)
    return value.memory().owner();
  else
    return nullptr;
}

/// Describes a parameter's value, which must outlive the description.
template <class T>
argument describe(const T &value, const runtime::DeviceState *owner) {
  argument result{&value, sizeof(T), alignof(T),    argument_kind::value,
                  0,      owner,     type_name<T>()};
  if constexpr (std::is_pointer_v<T>) {
    result.kind = argument_kind::pointer;
    result.element_size = pointee_size<T>();
  } else if constexpr (is_slice<T>) {
    static_assert(sizeof(T) == sizeof(slice_bytes));
    result.kind = slice_traits<T>::kind;
    result.element_size = sizeof(typename slice_traits<T>::element);
  }
  return result;
}

/// An argument of a module's kernel in the form in which it is passed.
template <class T> struct untyped_argument {
  const T &value;
  slice_bytes slice{};
  const runtime::DeviceState *owner = nullptr;
};

template <class T> auto untyped(const T &value) {
  static_assert(!std::is_array_v<T>,
                "tessera::launch: an argument is an array in host memory; copy "
                "it with tessera::buffer<T>::from_host and pass the buffer");
  static_assert(is_buffer<T> || std::is_trivially_copyable_v<T>,
                "tessera::launch: an argument is not trivially copyable, so it "
                "cannot be passed to a device");
  untyped_argument<T> result{value};
  if constexpr (is_buffer<T>) {
    result.slice = {value.data(), value.size()};
    result.owner = value.memory().owner();
  }
  return result;
}

template <class T> argument describe_untyped(const untyped_argument<T> &from) {
  if constexpr (is_buffer<T>) {
    using Element = typename T::value_type;
    return {&from.slice,           sizeof(slice_bytes), alignof(slice_bytes),
            argument_kind::buffer, sizeof(Element),     from.owner,
            type_name<T>()};
  } else {
    return describe(from.value, nullptr);
  }
}

} // namespace detail
} // namespace tessera

#endif // TESSERA_DETAIL_ARGUMENT_H
