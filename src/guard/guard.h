// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guard: checks PTX that is about to run. This version reads the PTX back,
// validates it and holds it against the kernel table: a launcher that trusts
// the table must find in the PTX what the table says.

#ifndef TESSERA_GUARD_GUARD_H
#define TESSERA_GUARD_GUARD_H

#include "image/image.h"
#include <string>
#include <string_view>
#include <vector>

namespace tessera::guard {

enum class Check {
  syntax,      ///< the text is no valid PTX
  kernelTable, ///< PTX and kernel table disagree
  capacity,    ///< more of a memory than the architecture has
};

std::string_view checkName(Check check);

/// One finding. `location` is a place in the user's source where one is known
/// (the kernel's), `line` and `column` a place in the PTX.
struct Finding {
  Check check;
  std::string message;
  std::string kernel; ///< symbol, may be empty
  image::SourceLocation location;
  std::uint32_t line = 0, column = 0;
};

struct Report {
  std::vector<Finding> findings;
  unsigned kernels = 0;      ///< entries looked at
  unsigned instructions = 0; ///< instructions looked at
};

/// Checks one variant of `image` against its kernel table. Never throws.
Report check(const image::Image &image, const image::Variant &variant);

/// Most bytes of statically declared shared memory of a block (CUDA C++
/// Programming Guide, technical specifications by compute capability).
inline constexpr std::uint32_t maxStaticShared = 48 * 1024;

} // namespace tessera::guard

#endif // TESSERA_GUARD_GUARD_H
