// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tessera::buffer<T>: an array in the memory of a device.

#ifndef TESSERA_BUFFER_H
#define TESSERA_BUFFER_H

#include <tessera/stream.h>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

namespace detail {

/// The bytes of a buffer. Every offset and size is checked against them.
class device_memory {
public:
  device_memory() noexcept = default;
  device_memory(stream &on, std::size_t count, std::size_t element_size,
                std::source_location where);
  device_memory(device_memory &&other) noexcept;
  device_memory &operator=(device_memory &&other) noexcept;
  ~device_memory();

  [[nodiscard]] void *data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] runtime::DeviceState *owner() const noexcept { return owner_; }

  void copy_from_host(stream &on, std::size_t offset, const void *from,
                      std::size_t bytes, std::source_location where);
  void copy_to_host(stream &on, std::size_t offset, void *to, std::size_t bytes,
                    std::source_location where) const;
  void copy_from(stream &on, std::size_t offset, const device_memory &from,
                 std::source_location where);
  void fill(stream &on, std::byte value, std::source_location where);

private:
  runtime::DeviceState *owner_ = nullptr;
  void *data_ = nullptr;
  std::size_t bytes_ = 0;
};

template <class R, class T>
concept host_array =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::same_as<std::remove_cv_t<std::ranges::range_value_t<R>>, T>;

} // namespace detail

/// An array of `T` in the memory of a device, owned by this object. A launch
/// takes it for a parameter `T *`, `const T *`, `span<T>`, `span<const T>` or
/// `disjoint_span<T>`.
///
/// All functions queue their work on the stream `on`, which must be of the
/// buffer's device; sizes and offsets count elements, and one that does not
/// fit throws. Move-only; a buffer that was moved from is empty. Freeing waits
/// for the device.
template <class T> class buffer {
  static_assert(std::is_trivially_copyable_v<T>,
                "tessera::buffer<T>: T must be trivially copyable, for it is "
                "copied to the device byte by byte");
  static_assert(!std::is_const_v<T>,
                "tessera::buffer<T>: T must not be const; a const buffer<T> is "
                "read-only");

public:
  using value_type = T;

  /// An empty buffer of no device.
  buffer() noexcept = default;
  /// `size` elements, uninitialised.
  buffer(stream &on, std::size_t size,
         std::source_location where = std::source_location::current())
      : memory_(on, size, sizeof(T), where), size_(size) {}
  buffer(buffer &&other) noexcept
      : memory_(std::move(other.memory_)),
        size_(std::exchange(other.size_, 0)) {}
  buffer &operator=(buffer &&other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~buffer() = default;

  /// `size` elements, all bytes zero.
  [[nodiscard]] static buffer
  zeroed(stream &on, std::size_t size,
         std::source_location where = std::source_location::current()) {
    buffer result(on, size, where);
    result.fill(on, std::byte{0}, where);
    return result;
  }

  /// A copy of a host array: std::vector, std::array, std::span, ….
  template <detail::host_array<T> R>
  [[nodiscard]] static buffer
  from_host(stream &on, const R &from,
            std::source_location where = std::source_location::current()) {
    buffer result(on, std::ranges::size(from), where);
    result.copy_from(on, from, 0, where);
    return result;
  }
  [[nodiscard]] static buffer
  from_host(stream &on, std::initializer_list<T> from,
            std::source_location where = std::source_location::current()) {
    return from_host(on, std::span<const T>(from.begin(), from.size()), where);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// The address on the device, null where the buffer is empty. The host must
  /// not read or write through it.
  [[nodiscard]] T *data() noexcept { return static_cast<T *>(memory_.data()); }
  [[nodiscard]] const T *data() const noexcept {
    return static_cast<const T *>(memory_.data());
  }

  /// All elements, once the work queued before has been done.
  [[nodiscard]] std::vector<T>
  to_host(stream &on,
          std::source_location where = std::source_location::current()) const
    requires(!std::same_as<T, bool>)
  {
    std::vector<T> result(size_);
    memory_.copy_to_host(on, 0, result.data(), size_ * sizeof(T), where);
    return result;
  }
  /// std::vector<bool> has no array of elements to copy to.
  [[nodiscard]] std::vector<bool>
  to_host(stream &on,
          std::source_location where = std::source_location::current()) const
    requires std::same_as<T, bool>
  {
    auto bytes = std::make_unique<bool[]>(size_);
    memory_.copy_to_host(on, 0, bytes.get(), size_, where);
    return std::vector<bool>(bytes.get(), bytes.get() + size_);
  }

  /// Copies `to.size()` elements, from element `from` on, and waits for them.
  void
  copy_to(stream &on, std::span<T> to, std::size_t from = 0,
          std::source_location where = std::source_location::current()) const {
    memory_.copy_to_host(on, byte_offset(from), to.data(), to.size_bytes(),
                         where);
  }

  /// Copies a host array over the elements from `to` on. The array may be
  /// changed or destroyed as soon as the call returns.
  template <detail::host_array<T> R>
  void copy_from(stream &on, const R &from, std::size_t to = 0,
                 std::source_location where = std::source_location::current()) {
    memory_.copy_from_host(on, byte_offset(to), std::ranges::data(from),
                           std::ranges::size(from) * sizeof(T), where);
  }
  /// Copies another buffer of the same device over the elements from `to` on.
  void copy_from(stream &on, const buffer &from, std::size_t to = 0,
                 std::source_location where = std::source_location::current()) {
    memory_.copy_from(on, byte_offset(to), from.memory_, where);
  }

  /// Sets every byte.
  void fill(stream &on, std::byte value,
            std::source_location where = std::source_location::current()) {
    memory_.fill(on, value, where);
  }
  void fill(stream &on, unsigned char value,
            std::source_location where = std::source_location::current()) {
    memory_.fill(on, std::byte{value}, where);
  }

  /// For the library itself.
  [[nodiscard]] const detail::device_memory &memory() const noexcept {
    return memory_;
  }

private:
  /// Past every size where the product does not fit, so that it is refused.
  static constexpr std::size_t byte_offset(std::size_t element) noexcept {
    constexpr std::size_t most = static_cast<std::size_t>(-1);
    return element > most / sizeof(T) ? most : element * sizeof(T);
  }

  detail::device_memory memory_;
  std::size_t size_ = 0;
};

} // namespace tessera

#endif // TESSERA_BUFFER_H
