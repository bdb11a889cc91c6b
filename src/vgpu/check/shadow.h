// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Something remembered about each place in an address space, in pages that are
// made when they are first touched.

#ifndef TESSERA_VGPU_CHECK_SHADOW_H
#define TESSERA_VGPU_CHECK_SHADOW_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace tessera::vgpu::check {

/// `Page` describes `pageBytes` bytes, a power of two; it is value-initialised
/// at first.
template <class Page, std::uint64_t pageBytes> class Shadow {
public:
  /// The page around an address.
  Page &page(std::uint64_t address) {
    const std::uint64_t number = address / pageBytes;
    Slot &slot = recent[number % recent.size()];
    if (slot.number != number || !slot.page) {
      std::unique_ptr<Page> &found = pages[number];
      if (!found)
        found = std::make_unique<Page>();
      slot = {number, found.get()};
    }
    return *slot.page;
  }
  /// The same, null when there is none yet.
  Page *findPage(std::uint64_t address) {
    const auto found = pages.find(address / pageBytes);
    return found == pages.end() ? nullptr : found->second.get();
  }
  void clear() {
    pages.clear();
    recent = {};
  }

private:
  struct Slot {
    std::uint64_t number = 0;
    Page *page = nullptr;
  };
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages;
  std::array<Slot, 64> recent{};
};

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_SHADOW_H
