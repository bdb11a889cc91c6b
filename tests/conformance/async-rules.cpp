// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "async-rules.h"

#include <algorithm>
#include <vector>

namespace tessera::conformance {

namespace {

struct Operation {
  std::string_view name;
  std::vector<std::string_view> anywhere; ///< types
  std::vector<std::string_view> inGlobalMemory = {};
};

const std::vector<Operation> &operations() {
  static const std::vector<Operation> all = {
      {"add", {"u32", "s32", "u64"}, {"f32", "f64", "f16", "bf16"}},
      {"min", {"u32", "s32"}, {"u64", "s64", "f16", "bf16"}},
      {"max", {"u32", "s32"}, {"u64", "s64", "f16", "bf16"}},
      {"inc", {"u32"}},
      {"dec", {"u32"}},
      {"and", {"b32"}, {"b64"}},
      {"or", {"b32"}, {"b64"}},
      {"xor", {"b32"}, {"b64"}},
  };
  return all;
}

} // namespace

bool hasPart(std::string_view mnemonic, std::string_view part) {
  while (!mnemonic.empty()) {
    const std::size_t end = std::min(mnemonic.find('.'), mnemonic.size());
    if (mnemonic.substr(0, end) == part)
      return true;
    mnemonic.remove_prefix(std::min(end + 1, mnemonic.size()));
  }
  return false;
}

bool isBarrierMnemonic(std::string_view mnemonic) {
  const auto has = [&](std::string_view part) {
    return hasPart(mnemonic, part);
  };
  const bool hasOrder = has("acquire") || has("release") || has("relaxed");
  const bool hasScope = has("cta") || has("cluster");
  const bool isInOrder =
      !has("parity") || mnemonic.find("_wait.parity") != mnemonic.npos;
  return hasOrder == hasScope && isInOrder;
}

bool isReduction(std::string_view mnemonic) {
  const std::string_view type = mnemonic.substr(mnemonic.rfind('.') + 1);
  const bool isGlobal = hasPart(mnemonic, "global");
  const auto has = [&](const std::vector<std::string_view> &types) {
    return std::ranges::find(types, type) != types.end();
  };
  for (const Operation &operation : operations()) {
    if (!hasPart(mnemonic, operation.name))
      continue;
    // Sums of halves keep denormals, and say so.
    const bool isHalfSum = operation.name == "add" && type.ends_with("f16");
    return (has(operation.anywhere) ||
            (isGlobal && has(operation.inGlobalMemory))) &&
           hasPart(mnemonic, "noftz") == isHalfSum;
  }
  return false;
}

} // namespace tessera::conformance
