// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/arch.h"

#include "tools/tessera/gpu.h"
#include "tools/tessera/suggest.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tessera::driver {

namespace {

struct Arch {
  std::string_view name;
  int capability;
  bool portable; ///< runs on every later GPU, too
};

constexpr std::array<Arch, 7> arches = {{
    {"sm_75", 75, true},
    {"sm_80", 80, true},
    {"sm_86", 86, true},
    {"sm_87", 87, true},
    {"sm_89", 89, true},
    {"sm_90", 90, true},
    {"sm_90a", 90, false},
}};

Result<void> checkArch(std::string_view name) {
  if (std::ranges::find(arches, name, &Arch::name) != arches.end())
    return {};
  std::vector<std::string> names = {"default", "native"};
  std::string listed;
  for (const Arch &arch : arches) {
    names.emplace_back(arch.name);
    listed += std::string(arch.name) + ", ";
  }
  return fail("unknown architecture '" + std::string(name) + "'" +
                  didYouMean(name, names) + " (" + listed + "native, default)",
              exitUsage);
}

} // namespace

Result<std::string> archForCapability(int capability) {
  if (capability < arches.front().capability)
    return fail("the GPU of this machine has compute capability " +
                std::to_string(capability / 10) + "." +
                std::to_string(capability % 10) +
                "; Tessera needs 7.5 or later");
  if (capability == arches.back().capability)
    return std::string(arches.back().name);
  std::string best;
  for (const Arch &arch : arches)
    if (arch.portable && arch.capability <= capability)
      best = arch.name;
  return best;
}

Result<std::string> resolveArch(std::string_view text) {
  if (text == "default")
    return std::string();
  if (text == "native") {
    Result<Gpu> gpu = findGpu();
    if (!gpu)
      return fail("--arch=native needs a GPU: " + gpu.error().message);
    return archForCapability(gpu->capability);
  }
  std::string_view rest = text;
  while (true) {
    std::size_t comma = rest.find(',');
    if (Result<void> known = checkArch(rest.substr(0, comma)); !known)
      return std::unexpected(known.error());
    if (comma == std::string_view::npos)
      return std::string(text);
    rest.remove_prefix(comma + 1);
  }
}

} // namespace tessera::driver
