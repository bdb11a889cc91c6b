// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the device headers speak to the compiler. Not for users.
//
// The declarations in these headers are the table of built-ins: each annotated
// function names the LLVM intrinsic or the `mir` operation that a call to it
// becomes in device code. Adding an intrinsic means adding a declaration; the
// compiler has no list of its own.
//
// The files must stay plain C++20 that any compiler reads quietly. Without the
// Tessera plugin kernels are ordinary functions, and what only a device can do
// ends the program with a message that says so.

#ifndef TESSERA_DEVICE_DETAIL_H
#define TESSERA_DEVICE_DETAIL_H

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include <tessera/abi.h>

// TESSERA_HAS_PLUGIN: this translation unit is compiled by clang with the
// Tessera plugin, which defines `__TESSERA__`.
#ifdef __TESSERA__
#define TESSERA_HAS_PLUGIN 1
#else
#define TESSERA_HAS_PLUGIN 0
#endif

// Attributes that a compiler without the plugin does not know are part of the
// language here, so it need not warn about them.
#if !TESSERA_HAS_PLUGIN
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunknown-attributes"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored_attributes                                      \
    "tessera::kernel,tessera::shared,tessera::constant,tessera::unsafe,"       \
    "clang::annotate"
#endif
#endif

// TESSERA_ANNOTATE("tessera.…", args…): an attribute for the compiler; nothing
// where clang does not read it.
#if defined(__clang__)
#define TESSERA_ANNOTATE(...) [[clang::annotate(__VA_ARGS__)]]
#else
#define TESSERA_ANNOTATE(...)
#endif

// A function of the library that debuggers step over: the place that matters to
// the user is the call.
#define TESSERA_FORWARD [[gnu::artificial]] inline

// TESSERA_INTRINSIC(result, name, (parameters), "llvm.…"[, sm[, ptx]]);
// Declares `result name(parameters)`, a call of which becomes the LLVM
// intrinsic with that full name. `sm` and `ptx` are the least versions, where
// they are above sm_75 and PTX 6.3. The plugin gives such a function a weak
// host body; without the plugin it has one here.
//
// TESSERA_OP(result, name, (parameters), "mir.…"[, arguments…]);
// The same for a `mir` operation.
#if TESSERA_HAS_PLUGIN
#define TESSERA_INTRINSIC(result, name, parameters, ...)                       \
  TESSERA_ANNOTATE("tessera.intrinsic", __VA_ARGS__) result name parameters
#define TESSERA_OP(result, name, parameters, ...)                              \
  TESSERA_ANNOTATE("tessera.op", __VA_ARGS__) result name parameters
#else
// Annotated here as well: the text may be preprocessed first and compiled with
// the plugin later (-save-temps, compiler caches).
#define TESSERA_INTRINSIC(result, name, parameters, ...)                       \
  TESSERA_ANNOTATE("tessera.intrinsic", __VA_ARGS__)                           \
  inline result name parameters { ::__tessera_device_only(#name); }            \
  static_assert(true)
#define TESSERA_OP(result, name, parameters, ...)                              \
  TESSERA_ANNOTATE("tessera.op", __VA_ARGS__)                                  \
  inline result name parameters { ::__tessera_device_only(#name); }            \
  static_assert(true)
#endif

namespace tessera::detail {

/// The element types that operations on memory tell apart; everything else is
/// `bytes`, and its size says how many.
enum elem : int {
  elem_bytes = 0,
  elem_i8 = 1,
  elem_i16 = 2,
  elem_i32 = 3,
  elem_i64 = 4,
  elem_f16 = 5,
  elem_bf16 = 6,
  elem_f32 = 7,
  elem_f64 = 8,
  elem_pointer = 9,
  elem_bool = 10,
};

template <class T> constexpr int elem_code_of() {
  if constexpr (std::is_same_v<T, bool>)
    return elem_bool;
  else if constexpr (std::is_pointer_v<T>)
    return elem_pointer;
  else if constexpr (std::is_same_v<T, float>)
    return elem_f32;
  else if constexpr (std::is_same_v<T, double>)
    return elem_f64;
#ifdef __FLT16_MAX__
  else if constexpr (std::is_same_v<T, _Float16>)
    return elem_f16;
#endif
#ifdef __clang__
  else if constexpr (std::is_same_v<T, __bf16>)
    return elem_bf16;
#endif
  else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    return sizeof(T) == 1   ? elem_i8
           : sizeof(T) == 2 ? elem_i16
           : sizeof(T) == 4 ? elem_i32
           : sizeof(T) == 8 ? elem_i64
                            : elem_bytes;
  else
    return elem_bytes;
}

/// The code of an element type; `const` and `volatile` do not matter.
template <class T>
inline constexpr int elem_code = elem_code_of<std::remove_cv_t<T>>();

/// What a failed check does on the host: says what failed and aborts.
[[noreturn]] inline void out_of_range(const char *what, std::size_t index,
                                      std::size_t length) {
  std::fprintf(stderr, "tessera: %s %zu is out of range for a length of %zu\n",
               what, index, length);
  std::abort();
}

/// The checked place `base[index]`; traps when `index >= length`.
template <class T>
TESSERA_ANNOTATE("tessera.op", "mir.index_addr", elem_code<T>, sizeof(T))
constexpr T *index_addr(T *base, std::size_t length, std::size_t index) {
  if (index >= length)
    out_of_range("index", index, length);
  return base + index;
}

/// `base + from`, the beginning of `count` elements; traps unless all of them
/// lie within `length`.
template <class T>
TESSERA_ANNOTATE("tessera.op", "mir.subslice", elem_code<T>, sizeof(T))
constexpr T *subslice(T *base, std::size_t length, std::size_t from,
                      std::size_t count) {
  if (from > length)
    out_of_range("begin of a subspan", from, length);
  if (count > length - from)
    out_of_range("end of a subspan", from + count, length);
  return base + from;
}

/// `base + witness`, or null when `witness >= length`.
template <class T>
TESSERA_ANNOTATE("tessera.op", "mir.disjoint_addr", elem_code<T>, sizeof(T))
constexpr T *disjoint_addr(T *base, std::size_t length, std::size_t witness) {
  return witness < length ? base + witness : nullptr;
}

/// `blockIdx.x * blockDim.x + threadIdx.x` in 64 bits.
TESSERA_OP(std::size_t, thread_index_1d, (), "mir.thread_index");

/// Bytes of dynamic shared memory that the launch gave to each block.
TESSERA_OP(std::size_t, dynamic_shared_bytes, (), "mir.dynamic_shared_size");

/// The beginning of the block's dynamic shared memory.
template <class T>
TESSERA_OP(T *, dynamic_shared, (), "mir.dynamic_shared", elem_code<T>,
           sizeof(T));

} // namespace tessera::detail

#endif // TESSERA_DEVICE_DETAIL_H
