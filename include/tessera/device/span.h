// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of memory that kernels take as parameters. Both are passed as 16
// bytes: the address, then the length in elements.

#ifndef TESSERA_DEVICE_SPAN_H
#define TESSERA_DEVICE_SPAN_H

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <tessera/device/detail.h>
#include <tessera/device/thread.h>

namespace tessera {

template <class T> class span;
template <class T> class disjoint_span;

namespace detail {

template <class> inline constexpr bool is_tessera_span = false;
template <class T> inline constexpr bool is_tessera_span<span<T>> = true;
template <class T>
inline constexpr bool is_tessera_span<disjoint_span<T>> = true;

/// `From *` may become `To *` by adding qualifiers only.
template <class From, class To>
concept adds_qualifiers = std::is_convertible_v<From (*)[], To (*)[]>;

/// A range such as std::vector or std::span that a `span<T>` may view, by the
/// rules of std::span.
template <class Range, class T>
concept viewable_as =
    !is_tessera_span<std::remove_cvref_t<Range>> &&
    !std::is_array_v<std::remove_cvref_t<Range>> &&
    std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
    (std::ranges::borrowed_range<Range> || std::is_const_v<T>) &&
    adds_qualifiers<
        std::remove_reference_t<std::ranges::range_reference_t<Range>>, T>;

} // namespace detail

/// A view of `size()` elements in consecutive memory, like std::span, with
/// every index checked: out of range traps on the device (the host gets file,
/// line, index, length, block and thread) and aborts on the host.
///
/// Iterators are plain pointers and are not checked.
template <class T> class TESSERA_ANNOTATE("tessera.type", "slice") span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using iterator = T *;

  constexpr span() = default;

  /// The `size` elements from `data` on.
  TESSERA_FORWARD constexpr span(T *data, std::size_t size)
      : data_(data), size_(size) {}

  template <std::size_t N>
  TESSERA_FORWARD constexpr span(T (&array)[N]) : data_(array), size_(N) {}

  template <class U>
    requires detail::adds_qualifiers<U, T>
  TESSERA_FORWARD constexpr span(span<U> other)
      : data_(other.data()), size_(other.size()) {}

  template <detail::viewable_as<T> Range>
  TESSERA_FORWARD constexpr span(Range &&range)
      : data_(std::ranges::data(range)), size_(std::ranges::size(range)) {}

  [[nodiscard]] TESSERA_FORWARD constexpr T *data() const { return data_; }
  [[nodiscard]] TESSERA_FORWARD constexpr std::size_t size() const {
    return size_;
  }
  [[nodiscard]] TESSERA_FORWARD constexpr bool empty() const {
    return size_ == 0;
  }

  /// The element at `index`; traps when `index >= size()`.
  [[nodiscard]] TESSERA_FORWARD constexpr T &
  operator[](std::size_t index) const {
    return *detail::index_addr(data_, size_, index);
  }

  /// The first and the last element; trap when the span is empty.
  [[nodiscard]] TESSERA_FORWARD constexpr T &front() const {
    return *detail::index_addr(data_, size_, 0);
  }
  [[nodiscard]] TESSERA_FORWARD constexpr T &back() const {
    return *detail::index_addr(data_, size_, size_ - 1);
  }

  /// `count` elements from `from` on; traps unless they lie within the span.
  [[nodiscard]] TESSERA_FORWARD constexpr span
  subspan(std::size_t from, std::size_t count) const {
    return {detail::subslice(data_, size_, from, count), count};
  }

  [[nodiscard]] TESSERA_FORWARD constexpr iterator begin() const {
    return data_;
  }
  [[nodiscard]] TESSERA_FORWARD constexpr iterator end() const {
    return data_ + size_;
  }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T> span(T *, std::size_t) -> span<T>;
template <class T, std::size_t N> span(T (&)[N]) -> span<T>;
template <std::ranges::contiguous_range Range>
span(Range &&)
    -> span<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;

/// A view whose elements each thread reaches only through an index that it
/// alone holds, so that no two threads write the same element.
template <class T>
class TESSERA_ANNOTATE("tessera.type", "disjoint_slice") disjoint_span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;

  constexpr disjoint_span() = default;

  /// The `size` elements from `data` on.
  TESSERA_FORWARD constexpr disjoint_span(T *data, std::size_t size)
      : data_(data), size_(size) {}

  [[nodiscard]] TESSERA_FORWARD constexpr std::size_t size() const {
    return size_;
  }
  [[nodiscard]] TESSERA_FORWARD constexpr bool empty() const {
    return size_ == 0;
  }

  /// This thread's element, or null when the index is past the end.
  [[nodiscard]] TESSERA_FORWARD constexpr T *at(unique_index index) const {
    return detail::disjoint_addr(data_, size_, index);
  }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace tessera

template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<tessera::span<T>> =
    true;
template <class T>
inline constexpr bool std::ranges::enable_view<tessera::span<T>> = true;

#endif // TESSERA_DEVICE_SPAN_H
