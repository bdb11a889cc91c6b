// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <span>

namespace tessera::conformance {

namespace {

using ptx::Type;

/// SplitMix64: the standard library's engines would do, its distributions
/// differ between implementations.
class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Less than `limit`.
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  bool oneIn(std::uint64_t count) { return below(count) == 0; }

private:
  std::uint64_t state;
};

constexpr std::uint64_t ones(unsigned width) {
  return width == 0 ? 0 : ~std::uint64_t(0) >> (64 - width);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

std::vector<std::uint64_t> integerCorners(unsigned width) {
  std::uint64_t top = std::uint64_t(1) << (width - 1), all = ones(width);
  std::uint64_t half = std::uint64_t(1) << (width / 2);
  std::vector<std::uint64_t> corners = {
      0,        1,        2,        3,         all,     all - 1,
      all - 2,  top,      top - 1,  top + 1,   top - 2, half,
      half - 1, half + 1, all / 3,  all / 5,   7,       8,
      10,       15,       16,       17,        31,      32,
      33,       63,       64,       65,        127,     128,
      129,      255,      256,      0x8000,    0x7fff,  0xffff,
      0x800000, 0x7fffff, 0xffffff, 0x1000000, top / 2, top + top / 2};
  for (std::uint64_t &corner : corners)
    corner &= all;
  return corners;
}

std::uint64_t randomInteger(Random &random, unsigned width) {
  switch (random.below(5)) {
  case 0: // Few significant bits.
    return random.next() & ones(unsigned(1 + random.below(width)));
  case 1: // A small negative number.
    return (0 - random.below(300)) & ones(width);
  case 2: // A byte in one place.
    return (random.below(256) << random.below(width)) & ones(width);
  default:
    return random.next() & ones(width);
  }
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

struct FloatShape {
  unsigned width, fraction;

  [[nodiscard]] unsigned exponentBits() const { return width - 1 - fraction; }
  [[nodiscard]] std::uint64_t bias() const { return ones(exponentBits() - 1); }
  [[nodiscard]] std::uint64_t sign() const {
    return std::uint64_t(1) << (width - 1);
  }
  [[nodiscard]] std::uint64_t infinity() const {
    return ones(exponentBits()) << fraction;
  }
  [[nodiscard]] std::uint64_t one() const { return bias() << fraction; }
  [[nodiscard]] std::uint64_t quiet() const {
    return std::uint64_t(1) << (fraction - 1);
  }
  /// 2^exponent
  [[nodiscard]] std::uint64_t power(int exponent) const {
    return std::uint64_t(std::int64_t(bias()) + exponent) << fraction;
  }
  [[nodiscard]] bool hasPower(int exponent) const {
    return exponent > -std::int64_t(bias()) && exponent <= std::int64_t(bias());
  }
};

constexpr FloatShape e4m3{8, 3}, e5m2{8, 2};
constexpr FloatShape half{16, 10}, bfloat{16, 7}, single{32, 23}, wide{64, 52};

std::vector<std::uint64_t> floatCorners(FloatShape f) {
  std::uint64_t normal = std::uint64_t(1) << f.fraction;
  std::vector<std::uint64_t> corners = {
      0,
      1,
      2,
      normal - 1,
      normal,
      normal + 1,
      f.one(),
      f.one() + 1,
      f.one() - 1,
      f.power(1),
      f.power(-1),
      f.power(-1) + 1,
      f.power(-1) - 1,
      f.one() | f.quiet(),
      f.power(1) | f.quiet() / 2,
      f.infinity() - 1,
      f.infinity() - 2,
      f.infinity(),
      f.infinity() | f.quiet(),
      f.infinity() | 1,
      f.infinity() | f.quiet() | 5,
      f.infinity() | f.quiet() / 2,
      f.infinity() | f.quiet() | std::uint64_t(1) << (f.fraction + 1) / 2,
      f.sign() - 1,
  };
  std::size_t count = corners.size();
  for (std::size_t i = 0; i < count; ++i)
    corners.push_back(corners[i] | f.sign());
  return corners;
}

/// A normal number that the format has exactly, or 0.
std::uint64_t encode(FloatShape f, double value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  if (value == 0)
    return bits >> 63 << (f.width - 1);
  int exponent = int(bits >> 52 & 0x7ff) - 1023;
  return (bits >> 63 << (f.width - 1)) | f.power(exponent) |
         ((bits & ones(52)) >> (52 - f.fraction));
}

/// Around the limits of other types: of integers, and of narrower formats with
/// their least denormal and least normal number and half of these.
std::vector<std::uint64_t> conversionCorners(FloatShape f) {
  std::vector<std::uint64_t> corners;
  constexpr int exponents[] = {7,   8,   15,   16,   31,   32,   63,
                               64,  -6,  -9,   -10,  -14,  -16,  -17,
                               -24, -25, -126, -133, -134, -149, -150};
  for (int exponent : exponents) {
    if (!f.hasPower(exponent))
      continue;
    std::uint64_t power = f.power(exponent);
    corners.insert(corners.end(),
                   {power, power - 1, power + 1, power | f.sign()});
  }
  constexpr FloatShape narrower[] = {e4m3, e5m2, half, bfloat, single};
  for (FloatShape narrow : narrower) {
    if (narrow.fraction >= f.fraction ||
        narrow.exponentBits() > f.exponentBits())
      continue;
    // The greatest finite number, and the tie between it and infinity.
    std::uint64_t step = std::uint64_t(1) << (f.fraction - narrow.fraction);
    std::uint64_t greatest =
        f.power(int(narrow.bias())) + (std::uint64_t(1) << f.fraction) - step;
    std::uint64_t tie = greatest + step / 2;
    corners.insert(corners.end(), {greatest, greatest + 1, tie - 1, tie,
                                   tie + 1, greatest + step, tie | f.sign()});
  }
  // 448 is e4m3's greatest number, 464 the tie above it.
  for (double value : {448.0, 464.0, 465.0, -480.0})
    corners.push_back(encode(f, value));
  return corners;
}

std::uint64_t randomFloat(Random &random, FloatShape f) {
  std::uint64_t sign = random.below(2) * f.sign();
  std::uint64_t fraction = random.next() & ones(f.fraction);
  int reach = std::min(12, int(f.bias()) - 1);
  std::uint64_t near =
      f.power(int(random.below(std::uint64_t(2 * reach))) - reach);
  switch (random.below(8)) {
  case 0:
    return random.next() & ones(f.width);
  case 1: // A denormal.
    return sign | fraction;
  case 2: // A multiple of a half.
    return encode(f, double(std::int64_t(random.below(256)) - 128) / 2);
  case 3:
  case 4: { // Few significant bits, or next to that: ties of conversions.
    unsigned zeros = unsigned(random.below(f.fraction));
    std::uint64_t short_ = fraction >> zeros << zeros;
    std::uint64_t value = sign | near | short_;
    return random.oneIn(3) ? value + 1 : value;
  }
  default:
    return sign | near | fraction;
  }
}

std::uint64_t randomAngle(Random &random) {
  double limit =
      random.oneIn(2) ? 2 * std::numbers::pi : 100 * std::numbers::pi;
  double value = double(random.below(1 << 24)) / (1 << 24) * limit;
  return std::bit_cast<std::uint32_t>(float(random.oneIn(2) ? -value : value));
}

//===----------------------------------------------------------------------===//
// By type
//===----------------------------------------------------------------------===//

/// What a type is made of: `count` numbers of a shape, or integers.
struct Parts {
  bool isFloat = false;
  FloatShape shape{};
  unsigned width = 0; ///< of one part
  unsigned count = 1;
};

Parts partsOf(Type type) {
  switch (type) {
  case Type::f16:
    return {true, half, 16};
  case Type::bf16:
    return {true, bfloat, 16};
  case Type::f32:
  case Type::tf32:
    return {true, single, 32};
  case Type::f64:
    return {true, wide, 64};
  case Type::e4m3:
    return {true, e4m3, 8};
  case Type::e5m2:
    return {true, e5m2, 8};
  case Type::f16x2:
    return {true, half, 16, 2};
  case Type::bf16x2:
    return {true, bfloat, 16, 2};
  case Type::f32x2:
    return {true, single, 32, 2};
  case Type::u16x2:
  case Type::s16x2:
    return {false, {}, 16, 2};
  case Type::pred:
    return {false, {}, 1};
  default:
    return {false, {}, std::min(64u, ptx::bitWidth(type))};
  }
}

std::vector<std::uint64_t> cornersOf(const Parts &parts, bool isConversion) {
  if (!parts.isFloat)
    return parts.width == 1 ? std::vector<std::uint64_t>{0, 1}
                            : integerCorners(parts.width);
  std::vector<std::uint64_t> corners = floatCorners(parts.shape);
  if (isConversion)
    std::ranges::copy(conversionCorners(parts.shape),
                      std::back_inserter(corners));
  return corners;
}

/// Chooses the values of one source.
class Chooser {
public:
  Chooser(const Source &source, bool isConversion)
      : source(source), parts(partsOf(source.type)),
        corners(cornersOf(parts, isConversion)) {}

  /// The value for a thread; `wantsCorner` asks for one of the corners.
  std::uint64_t choose(Random &random, unsigned thread, bool wantsCorner) {
    switch (source.draw) {
    case Draw::amount:
      return chooseAmount(random, wantsCorner);
    case Draw::bitIndex:
      return random.below(32);
    case Draw::angle:
      return chooseAngle(random, thread);
    case Draw::fewValues:
      return chooseFew(random, thread);
    case Draw::laneClamp:
      return chooseClamp(random);
    case Draw::element:
      return chooseElements(random, thread / 32);
    case Draw::value:
      return chooseValue(random, wantsCorner);
    }
    return 0;
  }

  /// All corners first, then others.
  std::uint64_t inTurn(Random &random, unsigned thread) {
    if (source.draw != Draw::value || parts.count > 1)
      return choose(random, thread, thread % 2 == 0);
    return thread < corners.size() ? corners[thread]
                                   : chooseValue(random, false);
  }

private:
  std::uint64_t choosePart(Random &random, bool wantsCorner) {
    if (wantsCorner)
      return corners[random.below(corners.size())];
    return parts.isFloat ? randomFloat(random, parts.shape)
                         : randomInteger(random, parts.width);
  }
  std::uint64_t chooseValue(Random &random, bool wantsCorner) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < parts.count; ++i)
      value |= choosePart(random, wantsCorner) << (i * parts.width);
    return value;
  }
  std::uint64_t chooseAmount(Random &random, bool wantsCorner) const {
    if (!wantsCorner)
      return random.oneIn(2) ? random.below(70) : random.next() & 0xffffffff;
    constexpr std::uint64_t amounts[] = {
        0,  1,  2,   7,      8,      15,     16,         17,        31,  32,
        33, 47, 63,  64,     65,     127,    128,        255,       256, 257,
        24, 48, 511, 0x3210, 0x7654, 0xba98, 0x8000001f, 0xffffffff};
    return amounts[random.below(std::size(amounts))];
  }
  std::uint64_t chooseAngle(Random &random, unsigned thread) const {
    if (thread >= corners.size())
      return randomAngle(random);
    // Numbers beyond the range have no stated error.
    auto value = std::bit_cast<float>(std::uint32_t(corners[thread]));
    bool isTooLarge = std::isfinite(value) && std::fabs(value) > 300;
    return isTooLarge ? randomAngle(random) : corners[thread];
  }
  /// Warps in which all lanes agree, all but one, and few or none.
  std::uint64_t chooseFew(Random &random, unsigned thread) {
    unsigned lane = thread % 32, warp = thread / 32;
    if (source.type == Type::pred) {
      bool common = warp % 2 == 0;
      if (warp < 2)
        return common;
      if (warp < 4)
        return (lane == 5 + warp) != common;
      return random.below(2);
    }
    std::uint64_t common = 0x0123456789abcdef * (warp + 1) & ones(parts.width);
    if (warp == 0 || (warp == 1 && lane != 17))
      return common;
    return (common + random.below(3)) & ones(parts.width);
  }
  /// Warps of numbers near 1, of multiples of a half, of all magnitudes, and
  /// with an infinity or NaN here and there.
  std::uint64_t chooseElements(Random &random, unsigned warp) const {
    Parts element = partsOf(source.element);
    std::uint64_t value = 0;
    for (unsigned at = 0; at < parts.width; at += element.width)
      value |= (element.isFloat ? chooseElement(random, element.shape, warp)
                                : random.next() & ones(element.width))
               << at;
    constexpr std::uint64_t ignored = 0x1fff;
    return source.element == Type::tf32 ? value & ~ignored : value;
  }
  static std::uint64_t chooseElement(Random &random, FloatShape f,
                                     unsigned warp) {
    std::uint64_t fraction = random.next() & ones(f.fraction);
    std::uint64_t tame = (random.below(2) * f.sign()) |
                         f.power(int(random.below(6)) - 3) | fraction;
    if (warp == 0)
      return tame;
    if (warp == 1)
      return encode(f, double(std::int64_t(random.below(16)) - 8) / 2);
    if (warp == 2)
      return random.next() & ones(f.width) & ~(f.quiet() << 1); // Finite.
    return random.oneIn(40) ? random.next() & ones(f.width) : tame;
  }
  static std::uint64_t chooseClamp(Random &random) {
    constexpr std::uint64_t segments[] = {0x00, 0x10, 0x18, 0x1c, 0x1e, 0x1f};
    std::uint64_t segment = segments[random.below(std::size(segments))];
    std::uint64_t clamp = random.oneIn(2) ? 0x1f : random.below(32);
    return segment << 8 | (random.oneIn(4) ? 0 : clamp);
  }

  Source source;
  Parts parts;
  std::vector<std::uint64_t> corners;
};

std::uint64_t hash(std::uint64_t seed, std::uint64_t value) {
  return (seed ^ value) * 0x100000001b3;
}

std::uint64_t seedOf(const Form &form) {
  std::uint64_t seed = 0xcbf29ce484222325;
  for (char letter : form.name)
    seed = hash(seed, std::uint8_t(letter));
  return seed;
}

/// The third source that nearly cancels the product of the first two; 0 where
/// the product is no number.
std::uint64_t cancelling(Type type, std::uint64_t a, std::uint64_t b) {
  if (type == Type::f64) {
    double product = std::bit_cast<double>(a) * std::bit_cast<double>(b);
    return std::isnan(product) ? 0 : std::bit_cast<std::uint64_t>(-product);
  }
  float product = std::bit_cast<float>(std::uint32_t(a)) *
                  std::bit_cast<float>(std::uint32_t(b));
  return std::isnan(product) ? 0 : std::bit_cast<std::uint32_t>(-product);
}

/// Makes some sources depend on each other.
void relate(Random &random, const Form &form, std::span<std::uint64_t> tuple) {
  const auto &sources = form.sources;
  if (sources[0].type != sources[1].type || sources[1].draw != Draw::value)
    return;
  Parts parts = partsOf(sources[0].type);
  unsigned width = parts.width * parts.count;
  switch (random.below(12)) {
  case 0:
    tuple[1] = tuple[0];
    break;
  case 1:
    tuple[1] = tuple[0] ^ std::uint64_t(1) << (width - 1);
    break;
  case 2:
    tuple[1] = (tuple[0] + 1) & ones(width);
    break;
  case 3:
    tuple[1] = (0 - tuple[0]) & ones(width);
    break;
  default:
    break;
  }
  bool isProduct = sources.size() > 2 && sources[2].type == sources[0].type;
  bool isWide = sources[0].type == Type::f32 || sources[0].type == Type::f64;
  if (isProduct && isWide && random.oneIn(8))
    tuple[2] = cancelling(sources[0].type, tuple[0], tuple[1]);
}

} // namespace

std::vector<std::uint64_t> inputsOf(const Form &form) {
  Random random(seedOf(form));
  bool isConversion = form.tableRow().opcode == ptx::Opcode::cvt;
  std::vector<Chooser> choosers;
  for (const Source &source : form.sources)
    choosers.emplace_back(source, isConversion);
  std::size_t count = form.sources.size();
  std::vector<std::uint64_t> inputs(count * threadsOf(form));
  for (unsigned thread = 0; thread < threadsOf(form); ++thread) {
    std::span tuple = std::span(inputs).subspan(thread * count, count);
    if (count == 1) {
      tuple[0] = choosers[0].inTurn(random, thread);
      continue;
    }
    for (std::size_t i = 0; i < count; ++i)
      tuple[i] = choosers[i].choose(random, thread,
                                    thread % 3 == 0 || random.oneIn(4));
    if (count > 1)
      relate(random, form, tuple);
  }
  return inputs;
}

std::uint32_t fingerprint(const Form &form) {
  std::uint64_t value = seedOf(form);
  for (std::uint64_t input : inputsOf(form))
    for (unsigned shift = 0; shift < 64; shift += 8)
      value = hash(value, input >> shift & 0xff);
  return std::uint32_t(value ^ value >> 32);
}

} // namespace tessera::conformance
