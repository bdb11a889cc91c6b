// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/image.h"

#include <algorithm>

namespace tessera::image {

std::string Arch::str() const {
  std::string text = "sm_" + std::to_string(sm);
  if (feature != '\0')
    text += feature;
  return text;
}

const Kernel *Image::findKernel(std::string_view symbolOrName) const {
  if (auto found = std::ranges::find(kernels, symbolOrName, &Kernel::symbol);
      found != kernels.end())
    return &*found;
  auto found = std::ranges::find(kernels, symbolOrName, &Kernel::name);
  return found != kernels.end() ? &*found : nullptr;
}

const TrapSite *Image::findTrapSite(std::uint32_t id) const {
  auto found = std::ranges::find(trapSites, id, &TrapSite::id);
  return found != trapSites.end() ? &*found : nullptr;
}

const Variant *Image::selectVariant(Arch device) const {
  auto runsThere = [&](const Variant &variant) {
    if (variant.arch.feature == '\0')
      return variant.arch.sm <= device.sm;
    return variant.arch == device;
  };
  const Variant *best = nullptr;
  for (const Variant &variant : variants)
    if (runsThere(variant) && (!best || best->arch < variant.arch))
      best = &variant;
  return best;
}

} // namespace tessera::image
