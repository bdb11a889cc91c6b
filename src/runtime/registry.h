// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels that the translation units of the program have registered.

#ifndef TESSERA_RUNTIME_REGISTRY_H
#define TESSERA_RUNTIME_REGISTRY_H

#include "image/image.h"
#include "runtime/failure.h"

#include <tessera/abi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tessera::runtime {

/// Thread-safe. Images are read when the first of their kernels is looked up.
class Registry {
public:
  /// The program's registry; usable in constructors of static objects, and
  /// never destroyed, so in their destructors as well.
  [[nodiscard]] static Registry &process();

  /// See `__tessera_register_image`.
  void add(unsigned abiVersion, std::span<const std::byte> image,
           std::span<const __tessera_kernel_entry> entries);

  struct Kernel {
    std::shared_ptr<const image::Image> image;
    const image::Kernel *info = nullptr;
  };
  /// The kernel at `address`; `type` is its function type, for the message
  /// where there is none.
  [[nodiscard]] Result<Kernel> find(const void *address, std::string_view type);

private:
  /// What one translation unit registered.
  struct Unit {
    unsigned abiVersion;
    std::span<const std::byte> bytes;
    /// Once read; the failure where that is not possible.
    std::optional<Result<std::shared_ptr<const image::Image>>> image;
  };
  struct Entry {
    Unit *unit;
    const char *symbol;
    const image::Kernel *info = nullptr; ///< once looked up
  };

  static void read(Unit &unit);

  std::shared_mutex mutex;
  std::vector<std::unique_ptr<Unit>> units;
  std::unordered_map<const void *, Entry> entries;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_REGISTRY_H
