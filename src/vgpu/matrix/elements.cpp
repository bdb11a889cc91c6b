// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/matrix/elements.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

using namespace tessera::vgpu;
using tessera::ptx::Type;

namespace {

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

constexpr std::uint32_t canonicalNan = 0x7fffffff;

/// Without branches, so that loops over it become vector code.
float fromHalf(std::uint16_t bits) {
  const std::uint32_t magnitude = bits & 0x7fff;
  const std::uint32_t sign = std::uint32_t(bits & 0x8000) << 16;
  // The exponents differ by 112; a product moves denormals along.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const std::uint32_t special = magnitude << 13 | 0x7f800000;
  const std::uint32_t finite = std::bit_cast<std::uint32_t>(scaled);
  return std::bit_cast<float>((magnitude >= 0x7c00 ? special : finite) | sign);
}

std::uint16_t toHalf(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = std::uint16_t(bits >> 48 & 0x8000);
  const double magnitude =
      std::bit_cast<double>(bits & ~(std::uint64_t(1) << 63));
  if (magnitude != magnitude)
    return 0x7fff;
  if (magnitude >= 65520) // half way to 2^16
    return sign | 0x7c00;
  // Adding 2^52 units of the last place rounds to that place.
  constexpr int leastExponent = -14, mantissaBits = 10;
  const int exponent = std::max(int(bits >> 52 & 0x7ff) - 1023, leastExponent);
  const double unit = std::bit_cast<double>(
      std::uint64_t(exponent - mantissaBits + 52 + 1023) << 52);
  const double rounded = (magnitude + unit) - unit;
  // Exact: a 16-bit number, scaled so that its float has the same fields.
  const auto single = std::bit_cast<std::uint32_t>(float(rounded) * 0x1p-112f);
  return sign | std::uint16_t(single >> 13);
}

/// An 8-bit format: `.e5m2` is the high half of `.f16`; `.e4m3` has no
/// infinities.
constexpr std::array<double, 256> tableE4M3() {
  std::array<double, 256> table{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    const unsigned exponent = bits >> 3 & 15, mantissa = bits & 7;
    double value = exponent ? 8 + mantissa : mantissa; // in units of 2^-9
    for (unsigned i = 1; i < exponent; ++i)
      value *= 2;
    value /= 512;
    if ((bits & 0x7f) == 0x7f)
      value = std::numeric_limits<double>::quiet_NaN();
    table[bits] = bits & 0x80 ? -value : value;
  }
  return table;
}
constexpr std::array<double, 256> e4m3 = tableE4M3();

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// `Element` integers in memory, each decoded by `decode`.
template <class Element, auto decode>
void unpackEach(const void *from, std::size_t bytes, double *to) {
  const auto *source = static_cast<const std::byte *>(from);
  for (std::size_t i = 0; i < bytes / sizeof(Element); ++i) {
    Element element;
    std::memcpy(&element, source + i * sizeof(Element), sizeof(Element));
    to[i] = double(decode(element));
  }
}

template <auto low, auto high>
void unpackHalves(const void *from, std::size_t bytes, double *to) {
  const auto *source = static_cast<const std::uint8_t *>(from);
  for (std::size_t i = 0; i < bytes; ++i) {
    to[2 * i] = low(source[i]);
    to[2 * i + 1] = high(source[i]);
  }
}

template <class T> T same(T value) { return value; }
float fromBFloat(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t(bits) << 16);
}
/// The hardware reads the high 19 bits.
float fromTF32(std::uint32_t bits) {
  return std::bit_cast<float>(bits & 0xffffe000);
}
double fromE4M3(std::uint8_t bits) { return e4m3[bits]; }
float fromE5M2(std::uint8_t bits) { return fromHalf(std::uint16_t(bits << 8)); }
double lowUnsigned(std::uint8_t bits) { return bits & 15; }
double highUnsigned(std::uint8_t bits) { return bits >> 4; }
double lowSigned(std::uint8_t bits) {
  return std::int8_t(std::uint8_t(bits << 4)) >> 4;
}
double highSigned(std::uint8_t bits) { return std::int8_t(bits) >> 4; }

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

template <class Element, auto encode>
void packEach(const double *from, std::size_t bytes, void *to) {
  auto *target = static_cast<std::byte *>(to);
  for (std::size_t i = 0; i < bytes / sizeof(Element); ++i) {
    const Element element = encode(from[i]);
    std::memcpy(target + i * sizeof(Element), &element, sizeof(Element));
  }
}

std::uint32_t toSingle(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(float(value));
  return value != value ? canonicalNan : bits;
}
std::uint64_t toDouble(double value) {
  return value != value ? 0x7fffffffffffffff
                        : std::bit_cast<std::uint64_t>(value);
}
std::uint32_t toWrapped(double value) {
  return std::uint32_t(std::int64_t(value));
}
std::uint32_t toSaturated(double value) {
  return std::uint32_t(std::int32_t(std::clamp(value, -0x1p31, 0x1p31 - 1)));
}

} // namespace

double tessera::vgpu::roundToHalf(double value) {
  return double(fromHalf(toHalf(value)));
}

std::uint32_t tessera::vgpu::elementBits(Type type) {
  return type == Type::b1 ? 32 : ptx::bitWidth(type);
}

Unpack tessera::vgpu::unpackOf(Type type) {
  switch (type) {
  case Type::f16:
    return &unpackEach<std::uint16_t, &fromHalf>;
  case Type::bf16:
    return &unpackEach<std::uint16_t, &fromBFloat>;
  case Type::tf32:
    return &unpackEach<std::uint32_t, &fromTF32>;
  case Type::f32:
    return &unpackEach<float, &same<float>>;
  case Type::f64:
    return &unpackEach<double, &same<double>>;
  case Type::e4m3:
    return &unpackEach<std::uint8_t, &fromE4M3>;
  case Type::e5m2:
    return &unpackEach<std::uint8_t, &fromE5M2>;
  case Type::u8:
    return &unpackEach<std::uint8_t, &same<std::uint8_t>>;
  case Type::s8:
    return &unpackEach<std::int8_t, &same<std::int8_t>>;
  case Type::u4:
    return &unpackHalves<&lowUnsigned, &highUnsigned>;
  case Type::s4:
    return &unpackHalves<&lowSigned, &highSigned>;
  case Type::s32:
    return &unpackEach<std::int32_t, &same<std::int32_t>>;
  case Type::b1:
    return &unpackEach<std::uint32_t, &same<std::uint32_t>>;
  default:
    return nullptr;
  }
}

Pack tessera::vgpu::packOf(Type type, bool saturates) {
  switch (type) {
  case Type::f16:
    return &packEach<std::uint16_t, &toHalf>;
  case Type::f32:
    return &packEach<std::uint32_t, &toSingle>;
  case Type::f64:
    return &packEach<std::uint64_t, &toDouble>;
  case Type::s32:
    return saturates ? &packEach<std::uint32_t, &toSaturated>
                     : &packEach<std::uint32_t, &toWrapped>;
  default:
    return nullptr;
  }
}
