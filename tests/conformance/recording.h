// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device answered, in a file. Text: lines that begin with `#` say what
// was recorded where and when; every other line is a form: its name, the
// fingerprint of its inputs in hexadecimal digits, and its results in base64,
// or `refused` and why, separated by tabs.

#ifndef TESSERA_TESTS_CONFORMANCE_RECORDING_H
#define TESSERA_TESTS_CONFORMANCE_RECORDING_H

#include "form.h"

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::conformance {

/// The answer for one form.
struct Answer {
  std::uint32_t fingerprint = 0;
  /// Thread by thread, as the inputs; empty when `refusal` is not. Of a
  /// recording only the `recordedResults` are meant.
  std::vector<std::uint64_t> results;
  std::string refusal; ///< why the device did not take the form
};

struct Recording {
  std::vector<std::string> header; ///< without the `#`
  std::map<std::string, Answer, std::less<>> answers;
};

/// Reads a recording. The answers of forms that do not exist any more are left
/// out. The error says what is wrong in which line.
[[nodiscard]] std::expected<Recording, std::string>
readRecording(const std::string &path);

/// Writes one; forms without an answer are left out.
[[nodiscard]] std::expected<void, std::string>
writeRecording(const std::string &path, const Recording &recording);

/// The results of a form in a few bytes: a column for each result, one that has
/// few different values as indices into a list of these.
[[nodiscard]] std::string
packResults(const Form &form, const std::vector<std::uint64_t> &results);
/// The inverse; empty when the text is damaged.
[[nodiscard]] std::vector<std::uint64_t> unpackResults(const Form &form,
                                                       std::string_view text);

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_RECORDING_H
