// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/ptx_values.h"

#include "vgpu/half.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace tessera::driver {

namespace {

using ptx::Type;

/// Buffers end where a mistyped size would begin.
constexpr std::uint64_t mostBytes = std::uint64_t(1) << 34;

/// The types that arguments may name, and those with which values are shown.
constexpr std::array scalarTypes = {
    Type::b8,  Type::b16, Type::b32, Type::b64, Type::u8,  Type::u16,
    Type::u32, Type::u64, Type::s8,  Type::s16, Type::s32, Type::s64,
    Type::f16, Type::f32, Type::f64, Type::bf16};

/// `i32` is what many call `s32`.
std::optional<Type> typeNamed(std::string_view name) {
  const std::string signedName =
      "s" + std::string(name.substr(std::min<std::size_t>(1, name.size())));
  const std::string_view wanted = name.starts_with('i') ? signedName : name;
  for (Type type : scalarTypes)
    if (ptx::spelling(type) == wanted)
      return type;
  return std::nullopt;
}

std::string inQuotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// The part before the first colon, if there is one; `text` keeps the rest.
std::optional<std::string_view> takeHead(std::string_view &text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos)
    return std::nullopt;
  const std::string_view head = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  return head;
}

//===-- Numbers -----------------------------------------------------------===//

struct Integer {
  bool isNegative = false;
  std::uint64_t magnitude = 0;
};

std::optional<Integer> parseInteger(std::string_view text) {
  Integer result;
  if (text.starts_with('-') || text.starts_with('+')) {
    result.isNegative = text[0] == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  const char *end = text.data() + text.size();
  const auto [stop, status] =
      std::from_chars(text.data(), end, result.magnitude, base);
  if (text.empty() || status != std::errc() || stop != end)
    return std::nullopt;
  return result;
}

/// Also `nan`, `inf`, and an `f` at the end of a decimal number.
std::optional<double> parseReal(std::string_view text) {
  if (text.starts_with('+'))
    text.remove_prefix(1);
  if (text.ends_with('f') && !text.ends_with("inf"))
    text.remove_suffix(1);
  double value = 0;
  const char *end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (text.empty() || status != std::errc() || stop != end)
    return std::nullopt;
  return value;
}

template <class T> std::vector<std::byte> bytesOf(T value) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

Result<std::vector<std::byte>> realBytes(Type type, std::string_view text) {
  const std::optional<double> value = parseReal(text);
  if (!value)
    return fail(inQuotes(text) + " is no number", exitUsage);
  switch (type) {
  case Type::f16:
    return bytesOf(vgpu::Float16::fromDouble(*value));
  case Type::bf16:
    return bytesOf(vgpu::BFloat16::fromDouble(*value));
  case Type::f32:
    return bytesOf(float(*value));
  default:
    return bytesOf(*value);
  }
}

/// Unsigned or signed, as the value is; it must fit the type's bits.
Result<std::vector<std::byte>> integerBytes(Type type, std::string_view text) {
  const std::optional<Integer> value = parseInteger(text);
  if (!value)
    return fail(inQuotes(text) + " is no whole number of 64 bits", exitUsage);
  const unsigned bits = 8 * ptx::byteSize(type);
  const std::uint64_t sign = std::uint64_t(1) << (bits - 1);
  const std::uint64_t most = ptx::isSigned(type) ? sign - 1 : sign - 1 + sign;
  const bool takesNegative = ptx::typeClass(type) != ptx::TypeClass::unsigned_;
  if (value->isNegative ? !takesNegative || value->magnitude > sign
                        : value->magnitude > most)
    return fail(inQuotes(text) + " does not fit ." +
                    std::string(ptx::spelling(type)),
                exitUsage);
  const std::uint64_t word =
      value->isNegative ? 0 - value->magnitude : value->magnitude;
  auto bytes = bytesOf(word);
  bytes.resize(bits / 8);
  return bytes;
}

Result<std::vector<std::byte>> numberBytes(Type type, std::string_view text) {
  return ptx::isFloat(type) ? realBytes(type, text) : integerBytes(type, text);
}

Type bitsOfSize(std::size_t bytes) {
  return bytes == 1   ? Type::b8
         : bytes == 2 ? Type::b16
         : bytes == 4 ? Type::b32
                      : Type::b64;
}

/// For a number without a type: the parameter's, or where that says only how
/// many bits there are, what the number looks like.
Result<Type> impliedType(std::string_view text, const PtxParameter &parameter) {
  const bool isKnown =
      std::ranges::find(scalarTypes, parameter.type) != scalarTypes.end();
  if (parameter.isArray || !isKnown)
    return fail("the parameter has " + std::to_string(parameter.size) +
                    " bytes: give them as hex:…",
                exitUsage);
  if (ptx::isFloat(parameter.type))
    return parameter.type;
  // Compilers declare signed integers as unsigned ones.
  if (parseInteger(text))
    return bitsOfSize(parameter.size);
  if (!parseReal(text))
    return fail(inQuotes(text) + " is no number, and no in:FILE, zero:BYTES, "
                                 "fill:BYTES:VALUE or hex:DIGITS",
                exitUsage);
  switch (parameter.size) {
  case 4:
    return Type::f32;
  case 8:
    return Type::f64;
  default:
    return fail("a number with a fraction for a parameter of " +
                    std::to_string(parameter.size) +
                    (parameter.size == 1 ? " byte" : " bytes") +
                    ": give its type, as in f16:1.5",
                exitUsage);
  }
}

Result<std::vector<std::byte>> hexBytes(std::string_view text) {
  std::vector<std::byte> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    unsigned value = 0;
    const char *at = text.data() + 2 * i;
    const auto [stop, status] = std::from_chars(at, at + 2, value, 16);
    if (status != std::errc() || stop != at + 2)
      return fail("hex: wants two digits for each byte, and has " +
                      inQuotes(text.substr(2 * i, 2)),
                  exitUsage);
    bytes[i] = std::byte(value);
  }
  if (text.size() % 2 != 0 || text.empty())
    return fail("hex: wants two digits for each byte", exitUsage);
  return bytes;
}

//===-- Buffers -----------------------------------------------------------===//

Result<std::uint64_t> readSize(std::string_view text) {
  Result<std::uint64_t> bytes = readCount(text, "size");
  if (bytes && *bytes > mostBytes)
    return fail("a buffer of " + std::string(text) +
                    " bytes: " + std::to_string(mostBytes) + " are the most",
                exitUsage);
  return bytes;
}

Result<PtxArgument> fileBuffer(std::string_view text) {
  // The size stands after the last colon, when a number does.
  std::optional<std::uint64_t> size;
  const std::size_t colon = text.rfind(':');
  if (colon != text.npos) {
    Result<std::uint64_t> given = readSize(text.substr(colon + 1));
    if (!given)
      return std::unexpected(given.error());
    size = *given;
    text = text.substr(0, colon);
  }
  const Result<std::string> read = readWholeFile(std::string(text));
  if (!read)
    return std::unexpected(read.error());
  const std::string &content = *read;
  if (size && content.size() > *size)
    return fail(inQuotes(text) + " has " + std::to_string(content.size()) +
                    " bytes, which do not fit into the buffer of " +
                    std::to_string(*size),
                exitUsage);
  PtxArgument result{.isBuffer = true, .bytes = {}};
  result.bytes.resize(size.value_or(content.size()));
  std::memcpy(result.bytes.data(), content.data(), content.size());
  return result;
}

Result<PtxArgument> filledBuffer(std::string_view text) {
  const std::optional<std::string_view> sizeText = takeHead(text);
  if (!sizeText)
    return fail("fill: wants a size and a value, as in fill:4096:0xff or "
                "fill:4096:f32:1.5",
                exitUsage);
  const Result<std::uint64_t> size = readSize(*sizeText);
  if (!size)
    return std::unexpected(size.error());
  Type type = Type::b8;
  if (const auto name = takeHead(text)) {
    const std::optional<Type> named = typeNamed(*name);
    if (!named)
      return fail("unknown type " + inQuotes(*name), exitUsage);
    type = *named;
  }
  const auto value = numberBytes(type, text);
  if (!value)
    return std::unexpected(value.error());
  if (*size % value->size() != 0)
    return fail(std::string(*sizeText) + " bytes are no whole number of ." +
                    std::string(ptx::spelling(type)),
                exitUsage);
  PtxArgument result{.isBuffer = true, .bytes = {}};
  result.bytes.resize(*size);
  for (std::size_t at = 0; at < *size; at += value->size())
    std::ranges::copy(*value, result.bytes.begin() + std::ptrdiff_t(at));
  return result;
}

Result<PtxArgument> zeroBuffer(std::string_view text) {
  const Result<std::uint64_t> size = readSize(text);
  if (!size)
    return std::unexpected(size.error());
  return PtxArgument{.isBuffer = true, .bytes = std::vector<std::byte>(*size)};
}

struct BufferKind {
  std::string_view name;
  Result<PtxArgument> (*read)(std::string_view);
};
constexpr BufferKind bufferKinds[] = {
    {"in", fileBuffer}, {"zero", zeroBuffer}, {"fill", filledBuffer}};

Result<PtxArgument> sized(Result<std::vector<std::byte>> bytes,
                          const PtxParameter &parameter) {
  if (!bytes)
    return std::unexpected(bytes.error());
  if (bytes->size() != parameter.size)
    return fail("the value has " + std::to_string(bytes->size()) +
                    (bytes->size() == 1 ? " byte" : " bytes") +
                    ", and the parameter " + std::to_string(parameter.size),
                exitUsage);
  return PtxArgument{.isBuffer = false, .bytes = *std::move(bytes)};
}

std::string shown(Type type, const std::byte *at) {
  char text[64];
  const auto write = [&](auto value, auto... how) {
    return std::string(
        text, std::to_chars(text, text + sizeof text, value, how...).ptr);
  };
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, ptx::byteSize(type));
  const unsigned unused = 64 - 8 * ptx::byteSize(type);
  switch (ptx::typeClass(type)) {
  case ptx::TypeClass::floating:
    return type == Type::f64 ? write(std::bit_cast<double>(bits))
           : type == Type::f32
               ? write(std::bit_cast<float>(std::uint32_t(bits)))
           : type == Type::f16
               ? write(float(vgpu::Float16::toDouble(std::uint16_t(bits))))
               : write(float(vgpu::BFloat16::toDouble(std::uint16_t(bits))));
  case ptx::TypeClass::signed_:
    return write(std::int64_t(bits << unused) >> unused);
  case ptx::TypeClass::unsigned_:
    return write(bits);
  default:
    return "0x" + write(bits, 16);
  }
}

} // namespace

Result<std::string> readWholeFile(const std::string &path) {
  std::error_code error;
  std::ifstream file;
  if (!std::filesystem::is_directory(path, error))
    file.open(path, std::ios::binary);
  if (!file.is_open())
    return fail("cannot read " + inQuotes(path));
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (file.bad())
    return fail("cannot read " + inQuotes(path));
  return content;
}

Result<std::uint64_t> readCount(std::string_view text, std::string_view what) {
  const std::optional<Integer> value = parseInteger(text);
  if (!value || value->isNegative)
    return fail(inQuotes(text) + " is no " + std::string(what), exitUsage);
  return value->magnitude;
}

Result<PtxArgument> readPtxArgument(std::string_view text,
                                    const PtxParameter &parameter) {
  std::string_view rest = text;
  const std::optional<std::string_view> head = takeHead(rest);
  if (!head) {
    const Result<Type> type = impliedType(text, parameter);
    if (!type)
      return std::unexpected(type.error());
    return sized(numberBytes(*type, text), parameter);
  }
  for (const BufferKind &kind : bufferKinds) {
    if (kind.name != *head)
      continue;
    if (parameter.size != sizeof(std::uint64_t))
      return fail("a buffer for a parameter of " +
                      std::to_string(parameter.size) +
                      " bytes: an address has 8",
                  exitUsage);
    return kind.read(rest);
  }
  if (*head == "hex")
    return sized(hexBytes(rest), parameter);
  const std::optional<Type> type = typeNamed(*head);
  if (!type)
    return fail(inQuotes(*head) +
                    " is no type, and none of in, zero, fill, hex",
                exitUsage);
  return sized(numberBytes(*type, rest), parameter);
}

Result<PtxSave> readPtxSave(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0 || equals + 1 == text.size())
    return fail("--save " + inQuotes(text) + ": ARGUMENT=FILE is expected",
                exitUsage);
  return PtxSave{std::string(text.substr(0, equals)),
                 std::string(text.substr(equals + 1))};
}

Result<PtxShow> readPtxShow(std::string_view text) {
  const std::string whole = "--show " + inQuotes(text) + ": ";
  PtxShow result;
  const auto which = takeHead(text);
  if (!which)
    return PtxShow{.which = std::string(text)};
  result.which = *which;
  const auto typeName = takeHead(text);
  const std::optional<Type> type = typeNamed(typeName.value_or(text));
  if (!type)
    return fail(whole + "unknown type " + inQuotes(typeName.value_or(text)),
                exitUsage);
  result.type = *type;
  if (!typeName)
    return result;
  const Result<std::uint64_t> count = readCount(text, "number of values");
  if (!count || *count == 0)
    return fail(whole + inQuotes(text) + " is no number of values", exitUsage);
  result.count = std::size_t(*count);
  return result;
}

std::string showValues(Type type, std::span<const std::byte> bytes) {
  constexpr std::size_t inLine = 8;
  const std::size_t size = ptx::byteSize(type), count = bytes.size() / size;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % inLine == 0)
      text += (i ? "\n  " : "  ") + std::to_string(i) + ":";
    text += " " + shown(type, bytes.data() + i * size);
  }
  return text + (count ? "\n" : "");
}

} // namespace tessera::driver
