// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/trap-message.h"

#include <charconv>
#include <utility>

namespace tessera::runtime {
namespace {

/// An index as the user has it: what was negative before it became unsigned is
/// negative again.
std::string indexText(std::uint64_t index) {
  return std::to_string(static_cast<std::int64_t>(index));
}

/// "(1,0,0)"
std::string indexText(const std::array<std::uint32_t, 3> &index) {
  return "(" + std::to_string(index[0]) + "," + std::to_string(index[1]) + "," +
         std::to_string(index[2]) + ")";
}

std::string hexadecimal(std::uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value, 16);
  return {digits, end.ptr};
}

/// The reason, with the expression where that adds to it.
std::string reason(const image::TrapSite &site,
                   const image::TrapRecord &record) {
  const std::string &expression = site.expression;
  const std::string inParentheses =
      expression.empty() ? "" : " (" + expression + ")";
  const std::string afterColon = expression.empty() ? "" : ": " + expression;
  switch (site.kind) {
  case image::TrapKind::bounds:
    return "index " + indexText(record.a) +
           " is out of range for a span of length " + std::to_string(record.b) +
           inParentheses;
  case image::TrapKind::range:
    return "a subspan up to element " + indexText(record.a) +
           " exceeds a span of length " + std::to_string(record.b) +
           inParentheses;
  case image::TrapKind::assertion:
    return "assertion failed" + afterColon;
  case image::TrapKind::unreachable:
    return "control reached a place that must not be reached" + inParentheses;
  case image::TrapKind::exception:
    return "an exception was thrown, which a device cannot do" + inParentheses;
  case image::TrapKind::alignment:
    return "address 0x" + hexadecimal(record.a) + " is not aligned to " +
           std::to_string(record.b) + " bytes" + inParentheses;
  case image::TrapKind::user:
    return expression.empty() ? "trap" : expression;
  }
  std::unreachable();
}

std::string where(const image::SourceLocation &location) {
  if (location.file.empty())
    return "";
  std::string text = location.file + ":" + std::to_string(location.line);
  if (location.column != 0)
    text += ":" + std::to_string(location.column);
  return text + ": ";
}

} // namespace

std::string describeTrap(const image::Image &image,
                         const image::TrapRecord &record,
                         const image::Kernel *kernel) {
  const image::TrapSite *site = image.findTrapSite(record.site);
  std::string text = site ? where(site->location) + reason(*site, record)
                          : "a check failed at trap site " +
                                std::to_string(record.site) +
                                ", which the image does not describe";
  if (!kernel && image.kernels.size() == 1)
    kernel = &image.kernels.front();
  if (kernel)
    text += " in kernel '" + kernel->name + "'";
  else if (site && !site->function.empty())
    text += " in function '" + site->function + "'";
  return text + ", block " + indexText(record.block) + ", thread " +
         indexText(record.thread);
}

} // namespace tessera::runtime
