// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tessera/phases.h"

#include <algorithm>
#include <string>

namespace tessera::driver {

Result<Layer> findLayer(std::string_view name) {
  const auto *found = std::ranges::find(layers, name, &Layer::name);
  if (found != layers.end())
    return *found;
  std::string known;
  for (const Layer &layer : layers)
    known += (known.empty() ? "" : ", ") + std::string(layer.name);
  return fail("'" + std::string(name) + "' is nothing that can be printed (" +
                  known + ")",
              exitUsage);
}

Result<std::string_view> findPhase(std::string_view name) {
  const auto *found = std::ranges::find(phaseNames, name);
  if (found != phaseNames.end())
    return *found;
  std::string known;
  for (std::string_view phase : phaseNames)
    known += (known.empty() ? "" : ", ") + std::string(phase);
  return fail("there is no phase '" + std::string(name) + "' (" + known + ")",
              exitUsage);
}

} // namespace tessera::driver
