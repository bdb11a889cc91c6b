// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "recording.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>

namespace tessera::conformance {

namespace {

using Bytes = std::vector<std::uint8_t>;

//===-- Base64 ------------------------------------------------------------===//

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string toBase64(const Bytes &bytes) {
  std::string text;
  std::uint32_t bits = 0;
  unsigned count = 0;
  auto flush = [&] {
    while (count >= 6) {
      count -= 6;
      text += alphabet[bits >> count & 63];
    }
  };
  for (std::uint8_t byte : bytes) {
    bits = bits << 8 | byte;
    count += 8;
    flush();
  }
  if (count > 0)
    text += alphabet[bits << (6 - count) & 63];
  return text;
}

std::optional<Bytes> fromBase64(std::string_view text) {
  Bytes bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (char letter : text) {
    std::size_t value = alphabet.find(letter);
    if (value == std::string_view::npos)
      return std::nullopt;
    bits = bits << 6 | std::uint32_t(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(std::uint8_t(bits >> count));
    }
  }
  return bytes;
}

//===-- Columns -----------------------------------------------------------===//

/// Bytes that a result of a type needs; 1 for a predicate.
unsigned resultBytes(ptx::Type type) {
  return std::max(8u, ptx::bitWidth(registerType(type))) / 8;
}

struct Column {
  std::vector<std::uint32_t> positions; ///< among the results
  unsigned width;                       ///< bytes of each
};

/// The recorded results by register.
std::vector<Column> columnsOf(const Form &form) {
  std::vector<Column> columns;
  for (ptx::Type type : form.results)
    columns.push_back({{}, resultBytes(type)});
  for (std::uint32_t position : recordedResults(form))
    columns[position % columns.size()].positions.push_back(position);
  return columns;
}

void putValue(Bytes &to, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    to.push_back(std::uint8_t(value >> 8 * i));
}

constexpr std::size_t maxPalette = 16;

/// Bits of an index into a list of so many values.
unsigned indexBits(std::size_t values) {
  return values <= 1 ? 0 : values <= 2 ? 1 : values <= 4 ? 2 : 4;
}

/// The number of different values (0: too many to list them), then they or
/// all values, then indices.
void packColumn(Bytes &to, const std::vector<std::uint64_t> &column,
                unsigned bytes) {
  std::vector<std::uint64_t> palette;
  for (std::uint64_t value : column)
    if (palette.size() <= maxPalette &&
        std::ranges::find(palette, value) == palette.end())
      palette.push_back(value);
  bool isListed = palette.size() <= maxPalette;
  to.push_back(isListed ? std::uint8_t(palette.size()) : 0);
  for (std::uint64_t value : isListed ? palette : column)
    putValue(to, value, bytes);
  unsigned bits = indexBits(palette.size());
  if (!isListed || bits == 0)
    return;
  std::uint8_t byte = 0;
  unsigned used = 0;
  for (std::uint64_t value : column) {
    auto index = std::ranges::find(palette, value) - palette.begin();
    byte |= std::uint8_t(index << used);
    used += bits;
    if (used < 8)
      continue;
    to.push_back(byte);
    byte = 0;
    used = 0;
  }
  if (used > 0)
    to.push_back(byte);
}

class ColumnReader {
public:
  explicit ColumnReader(const Bytes &bytes) : bytes(bytes) {}

  /// Fails where the bytes end early or an index is too large.
  std::optional<std::vector<std::uint64_t>> column(std::size_t rows,
                                                   unsigned width) {
    std::size_t listed = value(1);
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < (listed ? listed : rows); ++i)
      values.push_back(value(width));
    if (failed || listed > maxPalette)
      return std::nullopt;
    if (!listed)
      return values;
    std::vector<std::uint64_t> result;
    unsigned bits = indexBits(listed), used = 8;
    std::uint64_t byte = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      if (bits > 0 && used == 8) {
        byte = value(1);
        used = 0;
      }
      std::size_t index = byte >> used & ((1u << bits) - 1);
      used += bits;
      if (bits == 0)
        index = 0;
      if (index >= listed)
        return std::nullopt;
      result.push_back(values[index]);
    }
    return failed ? std::nullopt : std::optional(result);
  }
  [[nodiscard]] bool isDone() const { return at == bytes.size(); }

private:
  std::uint64_t value(unsigned width) {
    std::uint64_t result = 0;
    for (unsigned i = 0; i < width; ++i, ++at) {
      if (at >= bytes.size()) {
        failed = true;
        return 0;
      }
      result |= std::uint64_t(bytes[at]) << 8 * i;
    }
    return result;
  }

  const Bytes &bytes;
  std::size_t at = 0;
  bool failed = false;
};

//===-- Lines -------------------------------------------------------------===//

std::array<std::string_view, 4> splitLine(std::string_view line) {
  std::array<std::string_view, 4> parts;
  for (std::string_view &part : parts) {
    std::size_t end = std::min(line.find('\t'), line.size());
    part = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return parts;
}

const Form *findForm(std::string_view name) {
  static const auto byName = [] {
    std::map<std::string_view, const Form *> map;
    for (const Form &form : allForms())
      map.emplace(form.name, &form);
    return map;
  }();
  auto found = byName.find(name);
  return found == byName.end() ? nullptr : found->second;
}

/// Adds the answer of a line. False when it is damaged.
bool readLine(std::string_view line, Recording &recording) {
  auto [name, print, data, reason] = splitLine(line);
  const Form *form = findForm(name);
  if (!form)
    return true;
  Answer answer;
  auto [end, error] = std::from_chars(print.data(), print.data() + print.size(),
                                      answer.fingerprint, 16);
  if (error != std::errc() || end != print.data() + print.size())
    return false;
  if (data == "refused") {
    answer.refusal = reason;
  } else {
    answer.results = unpackResults(*form, data);
    if (answer.results.empty())
      return false;
  }
  recording.answers.emplace(name, std::move(answer));
  return true;
}

std::string hexadecimal(std::uint32_t value) {
  std::array<char, 8> digits{};
  auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return {digits.data(), end};
}

} // namespace

std::string packResults(const Form &form,
                        const std::vector<std::uint64_t> &results) {
  Bytes bytes;
  for (const auto &[positions, width] : columnsOf(form)) {
    std::vector<std::uint64_t> column;
    for (std::uint32_t at : positions)
      column.push_back(results[at]);
    packColumn(bytes, column, width);
  }
  return toBase64(bytes);
}

std::vector<std::uint64_t> unpackResults(const Form &form,
                                         std::string_view text) {
  auto bytes = fromBase64(text);
  if (!bytes)
    return {};
  ColumnReader reader(*bytes);
  std::vector<std::uint64_t> results(form.results.size() * threadsOf(form));
  for (const auto &[positions, width] : columnsOf(form)) {
    auto column = reader.column(positions.size(), width);
    if (!column)
      return {};
    for (std::size_t i = 0; i < positions.size(); ++i)
      results[positions[i]] = (*column)[i];
  }
  return reader.isDone() ? results : std::vector<std::uint64_t>();
}

std::expected<Recording, std::string> readRecording(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    return std::unexpected(path + ": there is no such recording");
  Recording recording;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.starts_with("#"))
      recording.header.push_back(
          line.substr(std::min<std::size_t>(2, line.size())));
    else if (!readLine(line, recording))
      return std::unexpected(path + ":" + std::to_string(number) +
                             ": the line is damaged");
  }
  return recording;
}

std::expected<void, std::string> writeRecording(const std::string &path,
                                                const Recording &recording) {
  std::ofstream file(path);
  for (const std::string &line : recording.header)
    file << "# " << line << '\n';
  for (const Form &form : allForms()) {
    auto found = recording.answers.find(form.name);
    if (found == recording.answers.end())
      continue;
    const Answer &answer = found->second;
    file << form.name << '\t' << hexadecimal(answer.fingerprint) << '\t';
    if (answer.refusal.empty())
      file << packResults(form, answer.results) << '\n';
    else
      file << "refused\t" << answer.refusal << '\n';
  }
  file.close();
  if (!file)
    return std::unexpected(path + ": cannot be written");
  return {};
}

} // namespace tessera::conformance
