// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/builtins.h"
#include "vgpu/access.h"
#include "vgpu/block.h"
#include "vgpu/launch.h"
#include "vgpu/text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

using namespace tessera::vgpu;

namespace {

constexpr std::size_t longestString = 64 << 10;
/// What one conversion may print: guards against huge widths.
constexpr std::size_t longestConversion = 16 << 10;

/// A zero-terminated string in a lane's memory; empty when it cannot be read.
std::optional<std::string> readString(Warp &warp, unsigned lane,
                                      std::uint64_t address) {
  std::string text;
  for (char c = 0; text.size() < longestString; text += c) {
    if (!readGeneric(warp, lane, address + text.size(), &c, 1))
      return std::nullopt;
    if (c == '\0')
      break;
  }
  return text;
}

/// An argument of a call for one lane, zero-extended.
std::uint64_t argument(Warp &warp, const CallSite &site, unsigned index,
                       unsigned lane) {
  const CallPlace &place = site.arguments[index];
  Frame &frame = *warp.current->frame;
  const std::byte *from =
      place.inMemory
          ? warp.localMemory(lane, frame.stackBase + place.offset)
          : warp.lanesIn<std::byte>(frame, place.slot) + lane * place.size;
  std::uint64_t value = 0;
  std::memcpy(&value, from, std::min<std::size_t>(place.size, sizeof(value)));
  return value;
}

template <class T>
void setResult(Warp &warp, const CallSite &site, unsigned lane, T value) {
  if (site.results.empty())
    return;
  const CallPlace &place = site.results[0];
  Frame &frame = *warp.current->frame;
  std::byte *to =
      place.inMemory
          ? warp.localMemory(lane, frame.stackBase + place.offset)
          : warp.lanesIn<std::byte>(frame, place.slot) + lane * place.size;
  std::memcpy(to, &value, std::min<std::size_t>(place.size, sizeof(value)));
}

/// Formats one lane's `printf`: the arguments lie behind each other in a
/// buffer, each aligned to its size, after C's promotions.
class Formatter {
public:
  Formatter(Warp &warp, unsigned lane, std::uint64_t arguments)
      : warp(warp), lane(lane), next(arguments) {}

  /// False when an argument could not be read.
  bool format(std::string_view pattern, std::string &text) {
    while (!pattern.empty()) {
      const std::size_t percent = pattern.find('%');
      text += pattern.substr(0, percent);
      if (percent == std::string_view::npos)
        return true;
      pattern.remove_prefix(percent + 1);
      if (!conversion(pattern, text))
        return false;
    }
    return true;
  }

  [[nodiscard]] int conversions() const { return count; }

private:
  template <class T> bool take(T &value) {
    next = (next + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const bool good = readGeneric(warp, lane, next, &value, sizeof(T));
    next += sizeof(T);
    return good;
  }

  /// A width or precision: digits, or `*` for an argument.
  bool number(std::string_view &pattern, std::string &spec, int least) {
    if (pattern.starts_with('*')) {
      std::int32_t value = 0;
      if (!take(value))
        return false;
      pattern.remove_prefix(1);
      spec += std::to_string(std::clamp(value, least, 4096));
      return true;
    }
    const std::size_t start = spec.size();
    for (; !pattern.empty() && pattern[0] >= '0' && pattern[0] <= '9';
         pattern.remove_prefix(1))
      spec += pattern[0];
    if (spec.size() - start > 4) // more than 4096 columns help nobody
      spec.replace(start, std::string::npos, "4096");
    return true;
  }

  template <class T> void print(std::string &text, std::string spec, T value) {
    std::array<char, longestConversion> buffer;
    const int length =
        std::snprintf(buffer.data(), buffer.size(), spec.c_str(), value);
    if (length > 0)
      text.append(buffer.data(),
                  std::min(std::size_t(length), buffer.size() - 1));
  }

  /// What follows a percent sign.
  bool conversion(std::string_view &pattern, std::string &text) {
    std::string spec = "%";
    while (!pattern.empty() && std::strchr("-+ #0", pattern[0])) {
      spec += pattern[0];
      pattern.remove_prefix(1);
    }
    if (!number(pattern, spec, -4096))
      return false;
    if (pattern.starts_with('.')) {
      spec += '.';
      pattern.remove_prefix(1);
      if (!number(pattern, spec, 0))
        return false;
    }
    std::string_view length = pattern.substr(
        0, std::min(pattern.size(), pattern.find_first_not_of("hlLqjzt")));
    pattern.remove_prefix(length.size());
    if (pattern.empty()) {
      text += spec;
      return true;
    }
    const char kind = pattern[0];
    pattern.remove_prefix(1);
    return value(kind, length, spec, text);
  }

  bool value(char kind, std::string_view length, const std::string &spec,
             std::string &text) {
    switch (kind) {
    case '%':
      text += '%';
      return true;
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return integer(kind, length, spec, text);
    case 'c':
      return printed<std::int32_t>(spec + 'c', text);
    case 'p':
      return pointer(spec, text);
    case 's':
      return string(spec, text);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return printed<double>(spec + kind, text);
    default:
      // As on a device: what is no conversion prints as it is.
      text += spec + std::string(length) + kind;
      return true;
    }
  }

  template <class T> bool printed(const std::string &spec, std::string &text) {
    T value{};
    if (!take(value))
      return false;
    ++count;
    print(text, spec, value);
    return true;
  }

  bool integer(char kind, std::string_view length, const std::string &spec,
               std::string &text) {
    const bool isLong = length.find_first_of("lLqjzt") != std::string::npos;
    if (isLong)
      return printed<long long>(spec + "ll" + kind, text);
    return printed<std::int32_t>(spec + std::string(length) + kind, text);
  }

  bool pointer(const std::string &spec, std::string &text) {
    std::uint64_t value = 0;
    if (!take(value))
      return false;
    ++count;
    print(text, spec + "p",
          reinterpret_cast<void *>(static_cast<std::uintptr_t>(value)));
    return true;
  }

  bool string(const std::string &spec, std::string &text) {
    std::uint64_t address = 0;
    if (!take(address))
      return false;
    ++count;
    std::optional<std::string> value = "(null)";
    if (address)
      value = readString(warp, lane, address);
    if (!value)
      return false;
    if (spec == "%")
      text += *value;
    else
      print(text, spec + 's', value->c_str());
    return true;
  }

  Warp &warp;
  unsigned lane;
  std::uint64_t next;
  int count = 0;
};

/// What a declaration must say.
struct Signature {
  unsigned parameters = 0;
  bool onlyHas64Bits = false; ///< all parameters and results
};

Signature signatureOf(Builtin builtin) {
  switch (builtin) {
  case Builtin::vprintf:
    return {.parameters = 2};
  case Builtin::assertFail:
    return {.parameters = 5};
  case Builtin::malloc:
  case Builtin::free:
    return {.parameters = 1, .onlyHas64Bits = true};
  case Builtin::none:
    break;
  }
  return {};
}

} // namespace

Builtin tessera::vgpu::builtinByName(std::string_view name) {
  if (name == "vprintf")
    return Builtin::vprintf;
  if (name == "__assertfail")
    return Builtin::assertFail;
  if (name == "malloc")
    return Builtin::malloc;
  if (name == "free")
    return Builtin::free;
  return Builtin::none;
}

std::string tessera::vgpu::builtinProblem(Builtin builtin,
                                          const ptx::Function &declared) {
  const Signature expected = signatureOf(builtin);
  if (declared.paramCount != expected.parameters)
    return concat("'", declared.name, "' is declared with ",
                  plural(declared.paramCount, "parameter"), ", it has ",
                  expected.parameters);
  if (!expected.onlyHas64Bits)
    return {};
  for (const auto &values : {declared.results(), declared.params()})
    for (const ptx::Variable &value : values)
      if (value.size() != sizeof(std::uint64_t))
        return concat("'", value.name, "' of '", declared.name, "' has ",
                      plural(value.size(), "byte"), ", not 8");
  return {};
}

const Instr *tessera::vgpu::callPrintf(Warp &warp, const Instr &instr,
                                       const CallSite &site) {
  for (unsigned lane : LanesOf(warp.exec)) {
    const std::uint64_t pattern = argument(warp, site, 0, lane);
    const std::uint64_t arguments = argument(warp, site, 1, lane);
    const std::optional<std::string> format = readString(warp, lane, pattern);
    if (!format)
      return warp.fault(
          instr, FaultKind::invalidAddress,
          concat("printf's format at ", hex(pattern), " cannot be read"), lane,
          pattern);
    Formatter formatter(warp, lane, arguments);
    std::string text;
    if (!formatter.format(*format, text))
      return warp.fault(instr, FaultKind::invalidAddress,
                        concat("printf's arguments at ", hex(arguments),
                               " cannot be read for the format \"", *format,
                               '"'),
                        lane, arguments);
    warp.block.launch.print(text);
    setResult(warp, site, lane, formatter.conversions());
  }
  return &instr + 1;
}

const Instr *tessera::vgpu::callAssertFail(Warp &warp, const Instr &instr,
                                           const CallSite &site) {
  const unsigned lane = firstLane(warp.exec);
  const auto text = [&](unsigned index) {
    return readString(warp, lane, argument(warp, site, index, lane))
        .value_or("?");
  };
  const auto line = std::uint32_t(argument(warp, site, 2, lane));
  return warp.fault(instr, FaultKind::trap,
                    concat("assertion `", text(0), "' failed at ", text(1), ':',
                           line, " in ", text(3)),
                    lane);
}

const Instr *tessera::vgpu::callMalloc(Warp &warp, const Instr &instr,
                                       const CallSite &site) {
  Heap &heap = warp.block.launch.program.memory->heap();
  for (unsigned lane : LanesOf(warp.exec))
    setResult(warp, site, lane, heap.allocate(argument(warp, site, 0, lane)));
  return &instr + 1;
}

const Instr *tessera::vgpu::callFree(Warp &warp, const Instr &instr,
                                     const CallSite &site) {
  Heap &heap = warp.block.launch.program.memory->heap();
  for (unsigned lane : LanesOf(warp.exec)) {
    const std::uint64_t address = argument(warp, site, 0, lane);
    if (!address)
      continue;
    const Heap::Freed freed = heap.free(address);
    if (freed == Heap::Freed::done)
      continue;
    return warp.fault(instr, FaultKind::invalidAddress,
                      concat("free of ", hex(address),
                             freed == Heap::Freed::again
                                 ? ", which was freed before"
                                 : ", which malloc did not return in a kernel"),
                      lane, address);
  }
  return &instr + 1;
}
