// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The serialised image. All numbers are little-endian.
//
//   magic       8 bytes
//   version     u32
//   sections    u32, their number; then for each
//     tag       u32, four letters
//     flags     u32, bit 0: a reader that does not know the tag must refuse
//     length    u64, bytes of the payload that follows
//   checksum    u64, FNV-1a of everything before it: no change of a single
//               byte goes unnoticed, for each of its steps is a bijection
//
// A string is a u32 length and its bytes; a vector a u32 count and its
// elements; a structure its fields in the order of `visit` below, which writer
// and reader share.

#include "image/image.h"
#include "image/read.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>
#include <set>
#include <type_traits>
#include <utility>

namespace tessera::image {
namespace {

constexpr std::string_view magic{"\x7fTSRIMG\n", 8};
constexpr std::size_t checksumSize = 8;
constexpr std::uint32_t requiredSection = 1;

consteval std::uint32_t tag(const char (&letters)[5]) {
  std::uint32_t value = 0;
  for (int i = 0; i != 4; ++i)
    value |= std::uint32_t(static_cast<unsigned char>(letters[i])) << (8 * i);
  return value;
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::byte b : bytes)
    hash = (hash ^ std::to_integer<std::uint64_t>(b)) * 0x100000001b3;
  return hash;
}

/// The last enumerator of each enumeration that is stored.
template <class E> constexpr E lastEnumerator;
template <>
constexpr ParamKind lastEnumerator<ParamKind> = ParamKind::disjointSlice;
template <> constexpr Space lastEnumerator<Space> = Space::shared;
template <> constexpr TrapKind lastEnumerator<TrapKind> = TrapKind::user;

//===----------------------------------------------------------------------===//
// What is stored of each structure
//===----------------------------------------------------------------------===//

void visit(auto &archive, auto &value, const SourceLocation &) {
  archive(value.file, value.line, value.column);
}
void visit(auto &archive, auto &value, const Shape &) {
  archive(value.x, value.y, value.z);
}
void visit(auto &archive, auto &value, const Arch &) {
  archive(value.sm, value.feature);
}
void visit(auto &archive, auto &value, const Param &) {
  archive(value.name, value.type, value.kind, value.size, value.align,
          value.offset, value.elementSize);
}
void visit(auto &archive, auto &value, const Kernel &) {
  archive(value.symbol, value.name, value.location, value.params,
          value.paramBytes, value.block, value.maxThreads, value.minBlocks,
          value.cluster, value.staticShared, value.usesDynamicShared,
          value.linearLaunch);
}
void visit(auto &archive, auto &value, const Variable &) {
  archive(value.symbol, value.name, value.space, value.size, value.align,
          value.location);
}
void visit(auto &archive, auto &value, const TrapSite &) {
  archive(value.id, value.kind, value.location, value.expression,
          value.function);
}
void visit(auto &archive, auto &value, const Variant &) {
  archive(value.arch, value.ptxVersion, value.ptx);
}

template <class T> constexpr bool isVector = false;
template <class T> constexpr bool isVector<std::vector<T>> = true;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

class Writer {
public:
  template <class... T> void operator()(const T &...values) {
    (put(values), ...);
  }

  /// Appends a section whose payload is `values`.
  template <class... T> void section(std::uint32_t name, const T &...values) {
    (*this)(name, requiredSection);
    const std::size_t lengthAt = bytes.size();
    (*this)(std::uint64_t(0));
    const std::size_t begin = bytes.size();
    (*this)(values...);
    store(lengthAt, std::uint64_t(bytes.size() - begin));
  }

  std::vector<std::byte> bytes;

private:
  template <class T> void put(const T &value) {
    if constexpr (std::is_enum_v<T>) {
      put(std::to_underlying(value));
    } else if constexpr (std::integral<T>) {
      bytes.resize(bytes.size() + sizeof(T));
      store(bytes.size() - sizeof(T), value);
    } else if constexpr (std::same_as<T, std::string>) {
      put(std::uint32_t(value.size()));
      const auto raw = std::as_bytes(std::span(value));
      bytes.insert(bytes.end(), raw.begin(), raw.end());
    } else if constexpr (isVector<T>) {
      put(std::uint32_t(value.size()));
      for (const auto &element : value)
        put(element);
    } else {
      visit(*this, value, value);
    }
  }

  template <std::integral T> void store(std::size_t at, T value) {
    for (std::size_t i = 0; i != sizeof(T); ++i)
      bytes[at + i] = std::byte(std::uint64_t(value) >> (8 * i));
  }
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads values from bytes; after the first error it reads nothing more.
class Reader {
public:
  /// `base` is the offset of `bytes` in the image, for errors.
  Reader(std::span<const std::byte> bytes, std::size_t base)
      : bytes(bytes), base(base) {}

  template <class... T> void operator()(T &...values) { (get(values), ...); }

  template <std::integral T> T number() {
    T value{};
    get(value);
    return value;
  }
  std::span<const std::byte> take(std::uint64_t count) {
    if (count > remaining()) {
      fail(std::to_string(count) + " bytes are needed and " +
           std::to_string(remaining()) + " are left");
      return {};
    }
    const auto taken = bytes.subspan(position, count);
    position += count;
    return taken;
  }

  void fail(std::string message) {
    if (error)
      return;
    error = ReadError{offset(), std::move(message)};
    position = bytes.size();
  }
  [[nodiscard]] std::size_t offset() const { return base + position; }
  [[nodiscard]] std::size_t remaining() const {
    return bytes.size() - position;
  }

  std::optional<ReadError> error;

private:
  template <std::integral T> void get(T &value) {
    std::uint64_t bits = 0;
    int shift = 0;
    for (std::byte b : take(sizeof(T))) {
      bits |= std::to_integer<std::uint64_t>(b) << shift;
      shift += 8;
    }
    value = static_cast<T>(bits);
  }
  void get(bool &value) {
    const auto stored = number<std::uint8_t>();
    if (stored > 1)
      fail("a truth value is " + std::to_string(stored));
    value = stored == 1;
  }
  template <class T>
    requires std::is_enum_v<T>
  void get(T &value) {
    const auto stored = number<std::underlying_type_t<T>>();
    if (stored > std::to_underlying(lastEnumerator<T>))
      fail("an enumerator is " + std::to_string(stored));
    value = static_cast<T>(stored);
  }
  void get(std::string &value) {
    const auto raw = take(number<std::uint32_t>());
    value.assign(reinterpret_cast<const char *>(raw.data()), raw.size());
  }
  template <class T> void get(std::vector<T> &values) {
    // Each element takes bytes, so the loop ends with the data.
    for (auto count = number<std::uint32_t>(); count != 0 && !error; --count)
      get(values.emplace_back());
  }
  template <class T>
    requires std::is_class_v<T>
  void get(T &value) {
    visit(*this, value, value);
    check(value);
  }

  void check(const auto &) {}
  void check(const Arch &arch) {
    if (arch.feature != '\0' && arch.feature != 'a' && arch.feature != 'f')
      fail("the feature letter of an architecture is unknown");
  }
  void check(const Variable &variable) {
    if (!std::has_single_bit(variable.align))
      fail("the alignment of variable '" + variable.symbol +
           "' is no power of two");
  }
  void check(const Kernel &kernel) {
    std::uint64_t end = 0;
    for (const Param &param : kernel.params) {
      const std::string where =
          "parameter '" + param.name + "' of kernel '" + kernel.symbol + "'";
      if (!std::has_single_bit(param.align) || param.offset % param.align != 0)
        return fail("the alignment of " + where + " is wrong");
      if (param.offset < end)
        return fail(where + " overlaps the one before it");
      end = std::uint64_t(param.offset) + param.size;
      if (end > kernel.paramBytes)
        return fail(where + " lies outside the parameter block");
      if (param.size != expectedSize(param))
        return fail("the size of " + where + " is not that of its kind");
    }
  }
  static std::uint32_t expectedSize(const Param &param) {
    switch (param.kind) {
    case ParamKind::value:
      return param.size;
    case ParamKind::pointer:
      return 8;
    case ParamKind::slice:
    case ParamKind::disjointSlice:
      return 16;
    }
    std::unreachable();
  }

  std::span<const std::byte> bytes;
  std::size_t base;
  std::size_t position = 0;
};

std::unexpected<ReadError> refuse(std::size_t offset, std::string message) {
  return std::unexpected(ReadError{offset, std::move(message)});
}

/// The name of `values`' first member that an earlier element has as well.
template <class T, class Key>
std::optional<Key> findDuplicate(const std::vector<T> &values, Key T::*member) {
  std::set<Key> seen;
  for (const T &value : values)
    if (!seen.insert(value.*member).second)
      return value.*member;
  return std::nullopt;
}

/// Checks what spans several sections or elements.
std::expected<Image, ReadError> checkWhole(Image image, std::size_t end) {
  if (auto twice = findDuplicate(image.kernels, &Kernel::symbol))
    return refuse(end, "kernel '" + *twice + "' is there twice");
  if (auto twice = findDuplicate(image.variables, &Variable::symbol))
    return refuse(end, "variable '" + *twice + "' is there twice");
  if (auto twice = findDuplicate(image.trapSites, &TrapSite::id))
    return refuse(end,
                  "trap site " + std::to_string(*twice) + " is there twice");
  return image;
}

/// Reads the sections into an image.
class SectionReader {
public:
  void read(std::uint32_t name, std::uint32_t flags, Reader &payload) {
    if (flags & ~requiredSection)
      return payload.fail("section " + text(name) + " has unknown flags");
    switch (name) {
    case tag("INFO"):
      return fill(name, payload, image.producer, image.source);
    case tag("KERN"):
      return fill(name, payload, image.kernels);
    case tag("VARS"):
      return fill(name, payload, image.variables);
    case tag("TRAP"):
      return fill(name, payload, image.trapSites);
    case tag("PTXS"):
      return fill(name, payload, image.variants);
    default:
      if (flags & requiredSection)
        payload.fail("section " + text(name) + " is not known to this version");
    }
  }

  /// A section that must be there and is not.
  [[nodiscard]] std::optional<std::string> missing() const {
    for (std::uint32_t name :
         {tag("INFO"), tag("KERN"), tag("VARS"), tag("TRAP"), tag("PTXS")})
      if (!seen.contains(name))
        return text(name);
    return std::nullopt;
  }

  Image image;

private:
  template <class... T>
  void fill(std::uint32_t name, Reader &payload, T &...values) {
    if (!seen.insert(name).second)
      return payload.fail("section " + text(name) + " is there twice");
    payload(values...);
    if (!payload.error && payload.remaining() != 0)
      payload.fail("section " + text(name) + " has " +
                   std::to_string(payload.remaining()) + " bytes too many");
  }

  static std::string text(std::uint32_t name) {
    std::string result;
    for (int i = 0; i != 4; ++i) {
      const char letter = static_cast<char>(name >> (8 * i));
      result += letter >= ' ' && letter <= '~' ? letter : '?';
    }
    return result;
  }

  std::set<std::uint32_t> seen;
};

} // namespace

std::vector<std::byte> write(const Image &image) {
  Writer writer;
  const auto start = std::as_bytes(std::span(magic));
  writer.bytes.assign(start.begin(), start.end());
  writer(formatVersion, std::uint32_t(5));
  writer.section(tag("INFO"), image.producer, image.source);
  writer.section(tag("KERN"), image.kernels);
  writer.section(tag("VARS"), image.variables);
  writer.section(tag("TRAP"), image.trapSites);
  writer.section(tag("PTXS"), image.variants);
  writer(checksum(writer.bytes));
  return std::move(writer.bytes);
}

std::expected<Image, ReadError> read(std::span<const std::byte> bytes) {
  const auto start = std::as_bytes(std::span(magic));
  if (bytes.size() < start.size() ||
      !std::ranges::equal(bytes.first(start.size()), start))
    return refuse(0, "these bytes are no Tessera image");
  Reader header(bytes.subspan(start.size()), start.size());
  const auto version = header.number<std::uint32_t>();
  if (!header.error && (version == 0 || version > formatVersion))
    return refuse(start.size(), "the image has format version " +
                                    std::to_string(version) +
                                    " and this reader knows up to " +
                                    std::to_string(formatVersion));
  if (header.error || header.remaining() < checksumSize)
    return refuse(bytes.size(), "the image is cut off");

  const std::size_t end = bytes.size() - checksumSize;
  Reader stored(bytes.subspan(end), end);
  if (stored.number<std::uint64_t>() != checksum(bytes.first(end)))
    return refuse(end, "the checksum is wrong: the image is damaged");

  Reader body(bytes.subspan(header.offset(), end - header.offset()),
              header.offset());
  SectionReader sections;
  for (auto count = body.number<std::uint32_t>(); count != 0 && !body.error;
       --count) {
    const auto name = body.number<std::uint32_t>();
    const auto flags = body.number<std::uint32_t>();
    const auto length = body.number<std::uint64_t>();
    const std::size_t payloadAt = body.offset();
    Reader payload(body.take(length), payloadAt);
    if (body.error)
      break;
    sections.read(name, flags, payload);
    if (payload.error)
      return std::unexpected(*std::move(payload.error));
  }
  if (body.error)
    return std::unexpected(*std::move(body.error));
  if (body.remaining() != 0)
    return refuse(body.offset(), "there are bytes after the last section");
  if (auto name = sections.missing())
    return refuse(end, "section " + *name + " is missing");
  return checkWhole(std::move(sections.image), end);
}

} // namespace tessera::image
