// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a serialised image.

#ifndef TESSERA_IMAGE_READ_H
#define TESSERA_IMAGE_READ_H

#include "image/image.h"

#include <expected>
#include <span>

namespace tessera::image {

/// Why bytes are no image: what is wrong and where.
struct ReadError {
  std::size_t offset = 0;
  std::string message;
};

/// Reads what `write` made, with every length, offset and enumerator checked.
[[nodiscard]] std::expected<Image, ReadError>
read(std::span<const std::byte> bytes);

} // namespace tessera::image

#endif // TESSERA_IMAGE_READ_H
