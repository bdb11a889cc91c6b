// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tessera/error.h>

#include "runtime/failure.h"

#include <utility>

namespace tessera {

struct error::parts {
  error_kind kind;
  std::string api;
  int code;
  std::string codeName;
  std::source_location location;
  std::string message;
};

namespace {

/// "message (cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2), at main.cpp:12)"
std::string wholeMessage(const std::string &api, int code,
                         const std::string &codeName,
                         std::source_location where,
                         const std::string &message) {
  std::string text = message + " (" + api;
  if (!codeName.empty())
    text += ": " + codeName;
  if (code != 0)
    text += " (" + std::to_string(code) + ")";
  if (where.line() != 0)
    text += std::string(", at ") + where.file_name() + ":" +
            std::to_string(where.line());
  return text + ")";
}

} // namespace

error::error(error_kind kind, std::string api, int code, std::string code_name,
             std::source_location location, std::string message)
    : std::runtime_error(wholeMessage(api, code, code_name, location, message)),
      parts_(std::make_shared<const parts>(parts{kind, std::move(api), code,
                                                 std::move(code_name), location,
                                                 std::move(message)})) {}

error::error(const error &) noexcept = default;
error &error::operator=(const error &) noexcept = default;
error::~error() = default;

error_kind error::kind() const noexcept { return parts_->kind; }
const std::string &error::api() const noexcept { return parts_->api; }
int error::code() const noexcept { return parts_->code; }
const std::string &error::code_name() const noexcept {
  return parts_->codeName;
}
std::source_location error::location() const noexcept {
  return parts_->location;
}
const std::string &error::message() const noexcept { return parts_->message; }

void runtime::raise(Failure failure, std::source_location where) {
  throw error(failure.kind, std::move(failure.api), failure.code,
              std::move(failure.codeName), where, std::move(failure.message));
}

} // namespace tessera
